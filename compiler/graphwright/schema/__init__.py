"""JSON Schema at compile time: the schemas that graphs declare for inputs, outputs and state."""
