# Critical sections, threads that start and wait for others, and what these leave unordered.
cycles = 6
mutations = 3
noise = 1
max-threads = 3
max-accesses = 8
plain = 6
volatile = 2
data-dependency = 10
control-dependency = 10
internal = 20
monitor = 55
nested = 20
start = 20
join = 30
print = 8
