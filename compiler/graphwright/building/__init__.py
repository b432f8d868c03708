"""`build`: from graphs to published modules, and what an earlier build left."""
