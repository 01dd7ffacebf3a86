"""Wrong ideas about notebook 17."""
