# Plain accesses with dependencies that only look like ones: what values come out of, and what optimizers see through.
cycles = 5
mutations = 3
noise = 2
plain = 6
opaque = 1
volatile = 1
data-dependency = 45
control-dependency = 30
false-dependency = 25
internal = 10
