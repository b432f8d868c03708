"""The graph language as data: every key, operator, pipe, event and fixed word, with what each one means.

Everything that knows the language reads these tables: the parser and its suggestions, types, emission, the JSON Schema
for editors, and the tables of docs/language.md. They import nothing but records, so every stage can.
"""
