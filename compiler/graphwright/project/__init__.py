"""Project layout: configuration, source roots, graph ids, and finding files."""
