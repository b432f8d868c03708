"""Properties of generated graphs."""
