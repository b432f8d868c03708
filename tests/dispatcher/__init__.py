"""Tools that call tools and graphs through their context: programmatic tool calling."""
