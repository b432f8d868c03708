"""Determines the params and results of tools in Python files, without running their code.

`module` lists the names that a file defines, `search` resolves imports, `annotations` and `classes` convert type hints
to JSON Schema, `literals` evaluates constants, `tool` combines these. Anything that is not understood accepts anything.
"""
