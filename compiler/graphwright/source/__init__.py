"""Text to YAML nodes with places: reading, limits, scalars as YAML 1.1 has them, where a decoded character stands."""
