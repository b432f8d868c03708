"""From what was written to what was meant: indentation, glued keys, misspelled names, values of another shape.

`parse` and `lower` ask here. Each mistake is recorded once as a fault, then read as what it most likely means. What had
to be assumed is kept in `recovery.Recovery` and becomes the graph's `ir.Doubt`.
"""
