"""Items of a project, used by graphs that the commands run."""
