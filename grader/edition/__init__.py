"""The student edition: written from the full course, with recorded numbers in place of the answers' code."""
