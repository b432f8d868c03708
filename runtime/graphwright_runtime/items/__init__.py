"""Items as text files: `load`, `search` and directives (runtime.md §2).

`space` finds the files of items, `text` reads a file and its metadata, `directive` parses a directive and inserts its
inputs, `primaries` performs the actions.
"""
