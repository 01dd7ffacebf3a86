"""What runs inside a notebook's kernel."""
