"""The files of a run, and resuming it after a crash (runtime.md §3).

The log is authoritative; all other files are views of it. Each step appends to the log once and neither reads nor
rewrites anything. A run that keeps nothing does not import this package.
"""
