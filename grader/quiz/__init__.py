"""The quiz: questions that come back, later and later. Nothing in this room needs a kernel, a process or a terminal."""
