"""The command line, one file a command: `add_arguments` declares, `run` does and returns the exit status."""
