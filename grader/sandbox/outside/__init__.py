"""What commands the sandbox, and reads what comes out of it."""
