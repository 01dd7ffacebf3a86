"""What is generated, and the maintainer's commands."""
