"""Gradescope's export: folders submission_123, and in submission_metadata.yml beside them who handed in, and when.

Only the few lines that matter are read, by their indentation; the rest of the file (scores, output, history) is
long, and partly the students' own words.

    submission_123:
      :submitters:
      - :name: Ada Lovelace
        :sid: '1001'
        :email: ada@example.org
      :created_at: 2026-11-20 14:03:59.123456000 Z
"""

import re
from datetime import datetime

from .names import Label

NAME = "submission_metadata.yml"
KEY = re.compile(r"(?P<quote>['\"]?)(?P<name>[^\s'\"][^'\"]*)(?P=quote):\s*")
FIELD = re.compile(r"  :(?P<field>\w+):\s*(?P<value>.*)")
PERSON = re.compile(r"  (?P<new>- |  ):(?P<field>name|sid|email):\s*(?P<value>.*)")


def labels(content):
    """{folder: [a Label for each student of the group]}.  content: the file's bytes."""
    found, people, field = {}, None, ""
    when = {}
    for line in content.decode("utf-8", "replace").splitlines():
        if key := KEY.fullmatch(line):
            people, field = found.setdefault(key["name"], []), ""
            folder = key["name"]
        elif people is None:
            continue
        elif (person := PERSON.fullmatch(line)) and field == "submitters":
            if person["new"] == "- " or not people:
                people.append({})
            people[-1][person["field"]] = _unquoted(person["value"])
        elif known := FIELD.fullmatch(line):
            field = known["field"]
            if field == "created_at":
                when[folder] = _time(known["value"])
    return {name: [_label(person, when.get(name)) for person in people] for name, people in found.items()}


def _label(person, when):
    name, number, email = (person.get(field, "") for field in ("name", "sid", "email"))
    return Label("Gradescope", name or email or number, number, email=email, submitted=when)


def _unquoted(value):
    value = value.strip()
    quoted = len(value) > 1 and value[0] == value[-1] and value[0] in "'\""
    return value[1:-1].replace("''", "'") if quoted else value


def _time(value):
    """The stamp with its time zone; parts of a second are left out."""
    found = re.match(r"'?(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)(\.\d+)? ?(Z|[+-]\d\d:?\d\d)?", value)
    if not found:
        return None
    zone = (found[4] or "Z").replace("Z", "+00:00")
    try:
        return datetime.fromisoformat(f"{found[1]}T{found[2]}{zone}")
    except ValueError:
        return None
