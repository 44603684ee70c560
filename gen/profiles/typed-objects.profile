# As objects, and most fields hold no ints.
like objects
types = 60
final-fields = 20
