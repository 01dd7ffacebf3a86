"""The learner's commands beside the check."""
