"""What the marking of answers is made of."""
