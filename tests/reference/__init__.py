"""A second implementation of the language, written from its description: slow, plain, sharing no code with the first.

It reads a graph as PyYAML's safe loader does and walks it. The properties compare what it does with what the compiled
module does. It does not know nested graphs, permissions, time and cancellation.
"""
