"""make mark: mark in the browser. A page on the loopback address of this machine, for whoever has its address."""

import getpass
import os
from pathlib import Path

from ...console.arguments import number_from


def add_arguments(parser):
    option = parser.add_argument
    option("grades", type=Path, metavar="GRADES", help="what make grade wrote")
    option("--name", metavar="NAME", help="who marks, for the log (default: this account's name)")
    option("--port", type=number_from(0), metavar="N", help="of the address (default: the same one for each folder)")


def run(arguments):
    from .server import serve
    from .work import Work

    work = Work(arguments.grades)
    os.umask(0o077)  # grades are for whoever grades
    return serve(work, arguments.name or _account(), arguments.port)


def _account():
    try:
        return getpass.getuser()
    except (KeyError, OSError):  # an account without a name
        return ""
