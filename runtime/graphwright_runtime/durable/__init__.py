"""What a run leaves behind, and how it goes on after a crash (runtime.md §3).

The log is the truth, everything else is a view of it. A step appends once; nothing is read again or rewritten for a
step. Nothing here is imported by a run that keeps nothing.
"""
