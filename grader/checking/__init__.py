"""One check, from the question to the words."""
