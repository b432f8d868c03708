"""Reads YAML files: nodes with locations, limits, YAML 1.1 scalars, positions of decoded characters."""
