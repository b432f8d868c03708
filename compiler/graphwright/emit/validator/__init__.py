"""JSON Schema of the inputs -> a function that fills in defaults and notes what is wrong."""
