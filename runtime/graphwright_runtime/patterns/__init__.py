"""Regular expressions of graphs and schemas, in their own dialects, matched in bounded time.

`reader` parses a pattern by the rules of a dialect (`ecma` for JSON Schema, `python` for the operator `regex`) into a
`tree`; `engine` writes the tree for the library regex and searches with a limit on time.
"""
