"""The rules: one small function per code, whose docstring is its documentation."""
