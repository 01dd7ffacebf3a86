"""Films: players of something that moves, made by the learner's own functions. A module for each theme."""
