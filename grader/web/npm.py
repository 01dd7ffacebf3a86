"""Packages from npm, as package-lock.json pins them: what make site and make slides put into pages."""

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from contextlib import suppress
from pathlib import Path

from ..course.usage import UsageError

HERE = Path(__file__).parent
FILES = ("package.json", "package-lock.json", ".npmrc")
# Exactly what the lock says, checked by its digests; no script of a package is run.
CI = ("ci", "--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline")


def is_there():
    """Whether Node and npm are."""
    return all(map(shutil.which, ("node", "npm")))


def node_modules():
    """The folder with the packages, in the environment's: installed the first time, and after the lock has changed.

    Raises UsageError if there is no npm, or if it fails.
    """
    web = Path(sys.prefix) / "web"
    if not _is_ready(web):
        if not is_there():
            raise UsageError(
                "This needs Node.js, whose npm installs what pages are made of: install Node.js 20 or newer."
            )
        _install(web)
    return web / "node_modules"


def node(*words):
    """What a program for Node prints; it finds the packages from anywhere. Raises UsageError with its last lines."""
    folder = node_modules()
    return _told(("node", *map(str, words)), folder, NODE_PATH=str(folder))


def _is_ready(web):
    ready = web / "ready"
    return ready.is_file() and ready.read_text() == _stamp()


def _stamp():
    return hashlib.sha256(b"".join((HERE / name).read_bytes() for name in FILES)).hexdigest()


def _install(web):
    """Made beside and put in place whole: whoever comes at the same time has the same folder, and either may win."""
    try:
        with tempfile.TemporaryDirectory(dir=web.parent, prefix="web-") as beside:
            made = Path(beside) / "web"
            made.mkdir()
            for name in FILES:
                shutil.copy(HERE / name, made)
            _told(("npm", *CI), made)
            (made / "ready").write_text(_stamp())
            if not _is_ready(web):
                shutil.rmtree(web, ignore_errors=True)
                with suppress(OSError):
                    made.rename(web)
    except OSError as error:
        raise UsageError(f"Packages from npm could not be put into {web.parent}: {error}.") from None
    if not _is_ready(web):
        raise UsageError(f"Packages from npm could not be put into {web}.")


def _told(words, folder, **more):
    environment = {**os.environ, **more}
    done = subprocess.run(words, cwd=folder, env=environment, capture_output=True, encoding="utf-8", check=False)
    if done.returncode:
        last = (done.stderr or done.stdout).strip().splitlines()[-5:]
        raise UsageError("\n".join([f"{words[0]} ended with an error:", *last]))
    return done.stdout
