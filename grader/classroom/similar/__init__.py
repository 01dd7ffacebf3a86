"""Which hand-ins of a class have answers that are alike."""
