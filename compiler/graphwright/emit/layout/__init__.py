"""Logical lines of Python -> the lines of a module, laid out as `ruff format` leaves them."""
