"""What the words of an idea say of an answer's text is true of every answer that they are said to.

Answers are compared, not their text: the same numbers come from a loop and from none, from .data and from detach().
So the words ask whether the answer has such a thing, or say what it does wherever it stands.
"""

import re

import pytest

from grader.course import catalogue

MADE = r"(made|computed|taken|picked|written|multiplied|added|called|used|read|done)"
THING = r"(\.data\b|NumPy\b|np\.\w+|detach\b|no_grad\b|\bexcept\b|\breturn\b|\bbreak\b|\bappend\b|\bfor\b|\bwhile\b)"
WORD = r"(loop|return|break|except|copy|append|extend|elif|else|range|zip)"
DOES = r"(ends|ended|stops|stopped|goes|went|visits|begins|sets|counts|puts|starts|comes|came|stands|makes|gives|is)"
SAYS_SO = [
    rf"(?i)leave out (the |every |your |that |this )?({THING}|{WORD}\b)",
    rf"(?i)\b(was|were|is|are) {MADE}\b[^.;:?,]*\b(by|with|from|of|in|inside|under) [^.;:?,]*{THING}",
    r"(\.data|NumPy|np\.\w+|detach\(\)|no_grad(\(\))?) (was|were|did) ",
    r"(?i)\b(return( \w+)?|line|step|call|it) (stands|is) (inside|in|after|before|below) (the|a|your) loop",
    rf"(?i)\b(the|your|this) loop (that )?{DOES}\b",
    rf"(?i)\byour {WORD}\b",
    rf"(?i)\b(the|this|that) (return|break|except|append|copy|elif) {DOES}\b",
    r"(?i)\b(move|put) (it|the line|the return)[^.?]* the loop",
    r"(?i)went in as an array|every round of the loop|what the loop\b",
]
GUESS = r"(?i)\b(if|may|perhaps|whatever|anything)\b|\?\)?$"
SENTENCES = r"(?<=[.?!)]) (?=[A-Z(`_])"

WORDS = [(ex.id, m.name, m.words) for ex in catalogue.all_exercises() for m in catalogue.misconceptions_of(ex)]


def claims(words):
    """Sentences that say what an answer has."""
    said = [sentence for sentence in re.split(SENTENCES, words) if not re.search(GUESS, sentence)]
    return [sentence for sentence in said if any(re.search(pattern, sentence) for pattern in SAYS_SO)]


def test_no_words_say_of_an_answer_what_only_its_text_could_tell():
    assert {f"{id} {name}": found for id, name, words in WORDS if (found := claims(words))} == {}


@pytest.mark.parametrize(
    "words",
    [
        "The numbers are right, but NumPy computed them. Leave out the .data, and use transpose.",
        "Leave out every .data.",
        "exp(node) was made by NumPy, from .data.",
        "return True stands inside the loop, so the first input ends it.",
        "The loop ends after its first layer.",
        "Your except block stopped the exception.",
        "The mean was taken of x.data, so it is a constant.",
        "out_grad went in as an array.",
    ],
)
def test_a_claim_is_noticed(words):
    assert claims(words)


@pytest.mark.parametrize(
    "words",
    [
        "No .data is needed: transpose takes the Tensor itself.",
        "Does return stand inside the loop? It belongs below it.",
        "(A return inside a loop ends the function in the first round.)",
        "An array (.data) remembers nothing, nor does a constant (.detach()).",
    ],
)
def test_a_question_and_a_fact_are_none(words):
    assert not claims(words)
