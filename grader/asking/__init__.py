"""What runs in the process of the code that is asked, and how its answers come back."""
