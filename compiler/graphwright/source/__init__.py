"""From text to YAML nodes with locations: reading, limits, YAML 1.1 scalars, the positions of decoded characters."""
