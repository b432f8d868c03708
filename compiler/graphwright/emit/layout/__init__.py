"""Breaks logical lines of Python in the same way as `ruff format`."""
