"""Items as texts: what `load` and `search` find, and directives (runtime.md §2).

`space` knows where items lie, `text` reads one with its metadata, `directive` fills one in, `primaries` answers the
actions.
"""
