// Holds the precompiled headers: a target needs a source to own some.
