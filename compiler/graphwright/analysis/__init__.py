"""Facts about a graph, computed once per file over its IR and only asked by rules and the emitter."""
