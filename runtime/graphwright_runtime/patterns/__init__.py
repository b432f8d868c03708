"""Matches the regular expressions of graphs and schemas in their own dialects, with a time limit.

`reader` parses a pattern of a dialect (`ecma` for JSON Schema, `python` for the operator `regex`) into a `tree`;
`engine` translates the tree for the library regex and searches with a time limit.
"""
