# Mostly updates, of every kind and mode.
cycles = 5
mutations = 3
noise = 2
plain = 1
opaque = 2
acquire-release = 3
volatile = 4
rmw = 60
get-and-set = 3
get-and-add = 3
get-and-bitwise = 2
compare-and-exchange = 3
compare-and-set = 2
weak-compare-and-set = 2
fence = 8
control-dependency = 8
internal = 25
