"""Threads: work that a run hands to an agent, which the host application runs (language.md §13).

`runner` is the interface that applications implement; nothing here knows a model.
"""
