"""A script: tries each level as the user that runs it. Prints {level: [holes, is the reference right, user inside]}."""

import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from grader import course
from grader.jail import client, levels
from grader.places import REFERENCE, package_folder
from grader.usage import UsageError

FIRST = course.exercise("0.1")


def main():
    found = {}
    for level in levels.candidates():
        try:
            holes = levels.choose(wanted=level.name).holes
        except UsageError as error:
            print(error, file=sys.stderr)
            continue
        with client.Jail(level) as jail:
            found[level.name] = [holes, _is_right(jail), _user(jail)]
    assert found, "no level works"
    print(json.dumps(found))


def _is_right(jail):
    files = {"warmup.py": (package_folder(REFERENCE) / "warmup.py").read_bytes()}
    answers = jail.question(files, [FIRST], 1, lambda ex: 20.0)["0.1"]
    return all(isinstance(outcome.answers, dict) for outcome in answers.values())


def _user(jail):
    files = {"warmup.py": b"import os\nraise RuntimeError(str(os.getuid()))"}
    answers = jail.question(files, [FIRST], 1, lambda ex: 20.0)["0.1"]
    return int(next(iter(answers.values())).answers.message)


if __name__ == "__main__":
    main()
