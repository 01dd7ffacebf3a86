"""Graphs, nets, programs and plots as pictures and as text."""
