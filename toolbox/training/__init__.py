"""Whole runs: many epochs, guarded, saved and gone on with."""
