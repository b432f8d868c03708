"""What tools in Python files take and return, read from their code without running it.

`module` lists what a file defines, `search` finds what it imports, `annotations` and `classes` turn type hints into
JSON Schema, `literals` evaluates constants, `tool` puts it together. What is not understood may be anything.
"""
