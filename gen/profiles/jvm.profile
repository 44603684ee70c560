# What a JVM can be seen doing within a second: short cycles of two threads whose accesses the JIT must order among
# themselves, hardly a read-modify-write, which waits for the store buffer.
cycles = 8
mutations = 1
noise = 1
max-threads = 2
max-accesses = 8
plain = 2
opaque = 3
acquire-release = 3
volatile = 5
rmw = 4
get-and-set = 1
get-and-add = 1
compare-and-exchange = 1
fence = 5
data-dependency = 6
control-dependency = 4
internal = 50
max-constant = 3
