"""Outcomes of notebook 16. There are no exam questions about it."""

SHOWN_BY = (  # the exercises that show each goal of the notebook, in order
    "16.1",
    "16.4 16.5",
    "16.2 16.3 16.6 16.7 16.8",
    "16.9",
    "16.10",
)

QUESTIONS = ()
