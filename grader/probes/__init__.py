"""What the questions of exercises are made of."""
