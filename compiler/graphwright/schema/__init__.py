"""JSON Schema: of the language itself, and of the inputs and results that graphs declare."""
