"""What commands ask of a command line, and show on it."""
