# The Java 5 part of the language: plain and volatile accesses, and what optimizers like to move.
cycles = 6
mutations = 3
noise = 1
plain = 3
volatile = 2
data-dependency = 25
control-dependency = 20
false-dependency = 15
internal = 20
