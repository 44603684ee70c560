# As widths, and most of these are floats and doubles. Few dependencies and sums: machine code moves floats, and computes
# with none.
like widths
types = 80
floats = 75
get-and-add = 1
get-and-set = 3
compare-and-set = 2
false-dependency = 0
