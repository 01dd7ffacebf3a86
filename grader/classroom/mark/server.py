"""The server of make mark: for one person in front of this machine, and for nobody else.

It listens on the loopback address alone. Whoever comes first shows the token that the terminal shows, and gets a
cookie for it. A request that names another host, or comes from a page of another origin, is refused: so no page that
the teacher has open elsewhere can read or change a mark, under whatever name it found this address. The policy lets a
page run this one script and ask this server alone.
"""

import asyncio
import hashlib
import json
import os
import secrets
import socket
from pathlib import Path

import tornado.httpserver
import tornado.web

from ...course.usage import UsageError
from ...html.pages import render
from . import views
from .acts import ACTS
from .book import Book, Conflict
from .work import Work

LOOPBACK = "127.0.0.1"
SCRIPT = Path(__file__).with_name("templates") / "mark.js"
MOST = 1 << 20  # bytes of a request
# The pages' own policy (frame.html) allows their style sheet, and what is allowed here.
POLICY = "script-src 'self'; connect-src 'self'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'"
# Not sent elsewhere at once: a browser that comes from another page would leave the new cookie at home.
WELCOME = '<!DOCTYPE html><html lang="en"><title>Marking</title><meta http-equiv="refresh" content="0; url=/">'
HEADERS = {
    "Content-Security-Policy": POLICY,
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Cache-Control": "no-store",
}


class Desk:
    """What all requests share: the Work, read again after another grading, and the Book.

    last: the Work as it was read last, also where it cannot be read again.
    """

    def __init__(self, work, name):
        self.last, self.name, self._stamp = work, name, _stamp(work.folder)
        self.book = Book(work)

    @property
    def work(self):
        if (stamp := _stamp(self.last.folder)) != self._stamp:
            self.last, self._stamp = Work(self.last.folder), stamp
            self.book = Book(self.last)
        return self.last

    @property
    def version(self):
        return hashlib.sha256(f"{self.book.files.version()} {_stamp(self.last.folder)}".encode()).hexdigest()[:16]


class Handler(tornado.web.RequestHandler):
    """A request of the teacher's own browser; any other gets 403 and a sentence."""

    def initialize(self, desk, hosts, token):
        self.desk, self.hosts, self.token = desk, hosts, token

    def set_default_headers(self):
        for name, value in HEADERS.items():
            self.set_header(name, value)

    def prepare(self):
        if self.request.host not in self.hosts or self.request.method not in ("GET", "POST"):
            raise tornado.web.HTTPError(403)
        if self.request.method == "GET" and self._is_token(self.get_query_argument("token", "")):
            self.set_cookie(self._cookie, self.token, httponly=True, samesite="Strict", path="/")
            self.finish(WELCOME)
        elif not (self._is_from_here() and self._is_token(self.get_cookie(self._cookie, ""))):
            raise tornado.web.HTTPError(403)

    def _is_from_here(self):
        """Does it come from a page of ours, or from nobody's?"""
        own, origin = f"http://{self.request.host}", self.request.headers.get("Origin")
        allowed = (own,) if self.request.method == "POST" else (own, None)
        return origin in allowed and self.request.headers.get("Sec-Fetch-Site", "none") in ("none", "same-origin")

    @property
    def _cookie(self):
        return f"mark-{self.request.host.rpartition(':')[2]}"  # cookies are those of all ports of a host

    def _is_token(self, text):
        return secrets.compare_digest(text.encode(), self.token.encode())

    def write_error(self, status, **_):
        words = "Open the address that make mark shows in its terminal." if status == 403 else f"Error {status}."
        self.set_header("Content-Type", "text/plain; charset=utf-8")
        self.finish(words)


class Page(Handler):
    def get(self):
        asked = {name: self.get_query_argument(name, "") for name in ("item", "student", "by")}
        desk = self.desk
        version = desk.version  # before anything is read: what changes meanwhile is seen by the next look
        try:
            template, values = views.page(desk.work, desk.book.now(), **asked)
        except UsageError as error:
            template, values = "marking.html", views.trouble(desk.last, error)
        self.finish(render(template, **values, script="/mark.js", version=version, who=desk.name))


class Script(Handler):
    def get(self):
        self.set_header("Content-Type", "text/javascript; charset=utf-8")
        self.finish(SCRIPT.read_bytes())


class Nothing(Handler):
    def get(self):
        self.set_status(204)


class Version(Handler):
    def get(self):
        self.finish({"version": self.desk.version})


class Acts(Handler):
    def post(self):
        if self.request.headers.get("Content-Type") != "application/json":
            raise tornado.web.HTTPError(403)
        try:
            act = json.loads(self.request.body)
            done, stale, said = True, True, self._do(act)
        except (Conflict, UsageError) as error:
            done, stale, said = False, isinstance(error, Conflict), views.refused(error)
        except (KeyError, TypeError, ValueError, AttributeError):
            raise tornado.web.HTTPError(400) from None
        self.finish({"done": done, "stale": stale, "said": said})

    def _do(self, act):
        work, book = self.desk.work, self.desk.book
        if act["act"] == "undo":
            changes = book.undo(act["who"])
            return views.undone(work, changes)
        return views.done(work, book.change(act["who"], lambda now: ACTS[act["act"]](work, now, act)))


def application(desk, token, port):
    """The server's pages."""
    shared = {"desk": desk, "hosts": {f"{host}:{port}" for host in (LOOPBACK, "localhost")}, "token": token}
    pages = {"/favicon.ico": Nothing, "/": Page, "/mark.js": Script, "/version": Version, "/act": Acts}
    return tornado.web.Application(
        [(path, handler, shared) for path, handler in pages.items()],
        default_handler_class=Handler,
        default_handler_args=shared,
        log_function=lambda handler: None,  # the address with its token belongs in no log
    )


def serve(work, name, port=None, say=print):
    """Serve until somebody stops it.  port: None for the folder's own, so that a browser finds its drafts again."""
    listening, token = _listening(work.folder, port), secrets.token_urlsafe(24)
    port = listening.getsockname()[1]
    say(f"Mark here: http://{LOOPBACK}:{port}/?token={token}")
    say(f"Marks go into {work.marks}, at once. The address is for you alone. Ctrl-C ends it.")
    asyncio.run(_serving(application(Desk(work, name), token, port), listening))
    return 0


async def _serving(app, listening):
    server = tornado.httpserver.HTTPServer(app, max_body_size=MOST, max_buffer_size=MOST)
    server.add_socket(listening)
    await asyncio.Event().wait()


def _listening(folder, port):
    """A socket on the loopback address alone.  Raises UsageError if the port that was asked for is not free."""
    own = 20_000 + int(hashlib.sha256(str(folder.resolve()).encode()).hexdigest(), 16) % 10_000
    for wanted in (own, 0) if port is None else (port,):
        listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        if os.name == "posix":  # at once after a stop; on Windows it would let others in
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listening.bind((LOOPBACK, wanted))
        except OSError as error:
            listening.close()
            reason = error.strerror
            continue
        listening.listen(128)
        listening.setblocking(False)
        return listening
    raise UsageError(f"Port {port} cannot be used: {reason}.")


def _stamp(folder):
    found = (folder / "grades.jsonl").stat()
    return found.st_mtime_ns, found.st_size
