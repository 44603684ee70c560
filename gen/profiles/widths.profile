# As varhandle, and most locations are no ints.
like varhandle
types = 60
