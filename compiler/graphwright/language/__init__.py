"""The graph language as data: every key, operator, pipe, event and fixed word, with what each one means.

The parser and its suggestions, types, emission, the JSON Schema for editors and the tables of docs/language.md are
based on these tables. They import only records, so every stage can use them.
"""
