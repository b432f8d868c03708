"""Compiles the JSON Schema of the inputs to a function that fills in defaults and reports problems."""
