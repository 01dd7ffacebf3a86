"""Outcomes of notebook 15. The sixty exam questions are about 00 to 14."""

SHOWN_BY = (  # the exercises that show each goal of the notebook, in order
    "15.1",
    "15.2 15.3 15.4 15.8",
    "15.5 15.6 15.7",
    "",
)

QUESTIONS = ()
