"""Bug hunts and answers by hand, of all notebooks."""

# Notebook 00

# Notebook 01

# Notebook 02

# Notebook 03

# Notebook 04
