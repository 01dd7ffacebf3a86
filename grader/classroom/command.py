"""The words of `python -m grader grade`."""

from pathlib import Path

from ..console.arguments import number_from
from ..course.settings import COUNTED
from ..course.usage import UsageError


def add_arguments(parser):
    parser.description = "Grade a class: every folder and .zip in SUBMISSIONS is one submission."
    option = parser.add_argument
    option("submissions", nargs="?", type=Path, metavar="SUBMISSIONS", help="a folder, or the platform's zip")
    option("--out", type=Path, required=True, metavar="DIR", help="for grades, pages and what --resume needs")
    option("--course", type=Path, metavar="FILE", help="course.json of the edition that was handed out, or its folder")
    option("--notebooks", metavar="3", help="grade these alone (3, 3-4): the next homework, of all that was handed in")
    option("--roster", type=Path, metavar="CSV", help="who belongs to the class")
    option(
        "--pattern",
        metavar="REGEX",
        help="how names of files or folders tell who handed them in: (?P<student>...), (?P<name>...)",
    )
    option("--until", metavar="DATE", help="of an exchange: hand-ins up to then (default: when the grading began)")
    option("--return", dest="give_back", action="store_true", help="put the students' pages into the exchange")
    option("--marks", type=Path, metavar="CSV", help="points and comments by hand (default: marks.csv in DIR)")
    option("--extensions", type=Path, metavar="CSV", help="who has more time (default: extensions.csv in DIR)")
    option("--assignment", metavar="NAME", help="its column in the Canvas gradebook, if that is the roster")
    option("--late", metavar="TEXT", help='suggest totals with what lateness costs: "10 %% a day, 2 days free"')
    option("--jobs", type=number_from(1), metavar="N", help="processes at once (default: one for each processor)")
    option("--seed", type=number_from(0), metavar="S", help="draws what is asked (default: fresh, or by the secret)")
    option("--secret", type=Path, metavar="FILE", help="of a private variant (default: beside the folder of --course)")
    option("--only", nargs="+", default=(), metavar="EX", help="regrade these (7.6, 07), keep all others")
    option("--count", choices=COUNTED, help="points as earned (own), or as if what an exercise builds on were right")
    option("--resume", action="store_true", help="continue: grade what is new or changed, keep the rest")
    option("--before", type=Path, metavar="DIR", help="an earlier grading: who fell far below it stands first")
    option("--no-lines", dest="lines", action="store_false", help="do not search for the lines that slips are in")
    option("--shard", default="", metavar="i/n", help="grade part i of n; --merge joins the parts")
    option("--merge", action="store_true", help="join the parts in DIR: tables and pages for all")
    option("--executor", metavar="URL", help="local (default), or dask:tcp://host:8786")
    option("--gradescope", action="store_true", help="build the zip for Gradescope's autograder, and grade nothing")
    option("--unsafe", action="store_true", help="grade even where the machine cannot isolate submissions")


def run(arguments):
    if arguments.gradescope:
        return _gradescope(arguments)
    if arguments.submissions is None:
        raise UsageError("Which submissions? For example: python -m grader grade submissions --out grades")
    from .run.grade import grade

    return grade(arguments)


def _gradescope(arguments):
    from ..course.settings import Settings
    from ..edition.choices import only_these
    from .gradescope import build

    if arguments.secret:
        raise UsageError("--gradescope takes no --secret: Gradescope's autograder draws its own questions.")
    settings = only_these(Settings.read(arguments.course), arguments.notebooks)
    for line in build(arguments.out, settings, arguments.seed, arguments.unsafe):
        print(line)
    return 0
