"""Several gradings of one class, joined."""
