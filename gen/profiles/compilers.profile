# What optimizers and back ends take apart: results that nobody uses, fences beside accesses that are weaker than they
# are, few accesses whose order is for these to keep.
cycles = 6
mutations = 3
noise = 1
max-threads = 3
max-accesses = 6
plain = 2
opaque = 2
acquire-release = 5
volatile = 2
rmw = 30
get-and-set = 4
get-and-add = 4
get-and-bitwise = 2
compare-and-exchange = 1
compare-and-set = 1
weak-compare-and-set = 1
unused = 60
fence = 45
data-dependency = 6
control-dependency = 6
false-dependency = 4
internal = 10
