"""What should be answered, and what named wrong ideas answer. In the full course the code in solutions/ is asked."""

from .reference import misconceived, misconceptions_of, reference_answers

__all__ = ["misconceived", "misconceptions_of", "reference_answers"]
