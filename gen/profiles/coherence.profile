# Many accesses to few locations.
cycles = 7
mutations = 2
noise = 1
max-locations = 2
plain = 1
opaque = 4
acquire-release = 3
volatile = 4
rmw = 10
get-and-set = 2
get-and-add = 1
compare-and-exchange = 1
fence = 6
internal = 70
max-constant = 3
