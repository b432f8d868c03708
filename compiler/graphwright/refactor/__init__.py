"""Changes a project without changing its behavior: renames state keys and inputs wherever they are used."""
