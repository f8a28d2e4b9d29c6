"""The command line, one file per command: `add_arguments` declares, `run` does and returns the exit status."""
