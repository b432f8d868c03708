"""Facts about a graph, computed once per file from its IR and used by rules and the emitter."""
