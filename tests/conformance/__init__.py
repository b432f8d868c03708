"""Runs run-time conformance cases: a graph, scripted tools, and the exact outcome.

`python -m conformance FOLDER…` with `tests` on the path; `make conformance CASES=FOLDER` does that.
"""
