"""What lies beside a stranger's code."""
