"""Where a stranger's code is run."""
