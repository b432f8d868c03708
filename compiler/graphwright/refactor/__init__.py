"""Changes a project without changing what it does: state keys and inputs get other names, wherever they are used."""
