"""A little shop, there to be audited."""
