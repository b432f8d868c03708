"""Recovers from mistakes: wrong indentation, glued keys, misspelled names, values of the wrong shape.

`parse` and `lower` use this package. Each mistake is recorded once as a fault, then read as its most likely meaning.
The assumptions are recorded in `recovery.Recovery` and become the graph's `ir.Doubt`.
"""
