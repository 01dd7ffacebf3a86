"""A script: what make check says in the student edition in the first argument, of each case in the second (JSON)."""

import json
import shutil
import sys
import tempfile
from pathlib import Path


def main(edition, cases):
    sys.path.insert(0, edition)
    from grader.checking.check import Request, check
    from grader.checking.report import explanation_lines, heading
    from grader.course import catalogue
    from grader.course.settings import Settings

    found = []
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(Path(edition, "babygrad"), Path(folder, "babygrad"))
        for case in json.loads(Path(cases).read_text()):
            for name, text in case["files"].items():
                Path(folder, "babygrad", name).write_text(text)
            weighed = Settings.read().weighed([catalogue.exercise(case["exercise"])])
            (v,) = check(weighed, Request(folder))
            said = {"status": v.status.replace("_", " "), "points": v.earned, "right": v.right, "asked": v.asked}
            said |= {"headline": heading(v), "misconception": v.misconception or ""}
            found.append(said | {"lines": list(explanation_lines(v, (), "%hint {}"))})
    print(json.dumps(found))


if __name__ == "__main__":
    main(*sys.argv[1:])
