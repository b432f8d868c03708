"""Runs cases of diagnostics: files, the arguments of `check`, and what it must say.

`python -m static_cases FOLDER…` with `tests` on the path; `make static-cases CASES=FOLDER` does that.
"""
