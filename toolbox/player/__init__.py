"""A player of frames, and a backward pass in it, step by step."""
