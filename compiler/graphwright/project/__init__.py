"""Where things are: configuration, source roots, graph ids, which files are graphs."""
