# As arrays, and most of them hold no ints.
like arrays
types = 70
get-and-add = 1
