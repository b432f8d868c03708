"""Compiles graphs while a Python package is built: a build hook for hatchling and a build command for setuptools."""
