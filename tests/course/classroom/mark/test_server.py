"""The server of make mark: whom it answers, and that whatever a student wrote stays text on its pages."""

import http.client
import json
import re
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import quote

import pytest

pytest.importorskip("fcntl")  # the class is graded with locks: no Windows
import marked_class
from sample_class import Page

from grader.classroom.mark import server, views
from grader.classroom.mark.book import Book
from grader.classroom.mark.work import EXERCISE, Work
from grader.course.paths import ROOT
from grader.course.usage import UsageError
from grader.html.pages import render

ID, LINE = marked_class.first_exercise()


@pytest.fixture(scope="module")
def graded(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        yield marked_class.make(tmp_path_factory.mktemp("class"), patch)[1]


class Served:
    """make mark in a process of its own."""

    def __init__(self, grades, *options):
        command = [sys.executable, "-u", "-m", "grader", "mark", str(grades), "--name", "mary", *options]
        self.process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
        self.address = re.search(r"http://\S+", self.process.stdout.readline())[0]
        self.port = int(re.search(r":(\d+)/", self.address)[1])
        self.token = self.address.partition("token=")[2]

    def ask(self, path="/", method="GET", body=None, cookie=True, **headers):
        """(status, headers, text).  Underscores in names of headers are hyphens; None leaves one out."""
        sent = {"Host": f"127.0.0.1:{self.port}", "Cookie": f"mark-{self.port}={self.token}" if cookie else None}
        if method == "POST":
            sent |= {"Origin": f"http://127.0.0.1:{self.port}", "Content-Type": "application/json"}
        sent |= {name.replace("_", "-"): value for name, value in headers.items()}
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        connection.request(method, path, body, {name: value for name, value in sent.items() if value})
        answer = connection.getresponse()
        return answer.status, answer.headers, answer.read().decode()

    def act(self, **act):
        status, _, text = self.ask("/act", "POST", json.dumps({"who": "mary", **act}))
        assert status == 200, text
        return json.loads(text)

    def stop(self):
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()


@pytest.fixture(scope="module")
def served(graded):
    running = Served(graded)
    yield running
    running.stop()


PATHS = ["/", "/?item=2.R1&student=ben", "/mark.js", "/version", "/favicon.ico", "/other"]


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize(
    "wrong",
    [
        {"cookie": False},
        {"Cookie": "mark-1=x"},
        {"Host": "evil.example"},
        {"Host": "evil.example:80"},
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Sec_Fetch_Site": "cross-site"},
        {"Sec_Fetch_Site": "same-site"},  # another program's page on this machine
    ],
    ids=str,
)
def test_no_other_host_or_page_and_nobody_without_the_token_gets_anything(served, path, wrong):
    status, _, text = served.ask(path, **wrong)
    assert (status, text) == (403, "Open the address that make mark shows in its terminal.")


@pytest.mark.parametrize(
    "wrong",
    [
        {"cookie": False},
        {"Origin": None},
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Sec_Fetch_Site": "cross-site"},
        {"Host": "evil.example"},
        {"Content_Type": "text/plain"},  # what a form of another page can send unasked
    ],
    ids=str,
)
def test_nobody_else_changes_a_mark(served, graded, wrong):
    act = {"who": "eve", "act": "points", "item": ID, "student": "ada", "points": "0", "seen": [None, []]}
    assert served.ask("/act", "POST", json.dumps(act), **wrong)[0] == 403
    assert not (graded / "marks.csv").exists()


def test_other_methods_and_broken_requests_do_nothing(served, graded):
    for method in ("PUT", "DELETE", "OPTIONS", "HEAD", "PATCH"):
        assert served.ask("/act", method)[0] in (403, 405)
    for body in ("", "{", "[]", '{"act": "os"}', '{"act": "points"}', "1", '{"act": "undo"}', '{"act": {}, "who": 1}'):
        assert served.ask("/act", "POST", body)[0] == 400, body
    with pytest.raises((http.client.HTTPException, OSError, AssertionError)):
        assert served.ask("/act", "POST", b"x" * (server.MOST + 1))[0] == 200
    assert served.ask("/version")[0] == 200 and not (graded / "marks.csv").exists()


def test_the_token_gives_a_cookie_that_no_other_page_sends(served):
    status, headers, text = served.ask(f"/?token={served.token}", cookie=False, Sec_Fetch_Site="cross-site")
    cookie = headers["Set-Cookie"]
    assert status == 200 and "HttpOnly" in cookie and "SameSite=Strict" in cookie and "url=/" in text
    assert served.token not in text
    assert served.ask(f"/?token={served.token}", cookie=False, Host="evil.example")[0] == 403


def test_it_listens_on_this_machine_alone_and_says_nothing_to_caches_and_frames(served):
    assert served.address.startswith("http://127.0.0.1:")
    _, headers, text = served.ask()
    assert headers["Cache-Control"] == "no-store" and headers["Referrer-Policy"] == "no-referrer"
    assert headers["X-Frame-Options"] == "DENY" and "frame-ancestors 'none'" in headers["Content-Security-Policy"]
    assert re.search(r"default-src 'none'; style-src 'sha256-\S+'; script-src 'self'; connect-src 'self'", text)
    assert re.findall(r"(?:src|href)=\"((?!/)[^\"]*)", text) == []


def test_what_is_saved_is_on_the_disk_when_it_is_answered(graded):
    """The process is killed as soon as it has answered."""
    running = Served(graded, "--port", "0")
    told = running.act(act="comment", item=ID, student="dov", text="So it is.", seen="")
    running.stop()
    assert told["done"] and told["said"] == f"Saved: mark, {ID} of Dov."
    book = Book(Work(graded))
    assert book.now().mark("dov", ID).words == "So it is."
    book.undo("mary")
    for path in graded.glob("marks*"):
        path.unlink()


# ---- text stays text ----


class Seen(Page):
    TAGS = [*Page.TAGS, *["script", "kbd", "button", "textarea", "label", "template", "br"]]
    ATTRIBUTES = [*Page.ATTRIBUTES, "src", "defer", "value", "rows", "maxlength", "size", "autocomplete", "inputmode"]
    ATTRIBUTES += ["aria-current", "hidden", "disabled", "aria-labelledby"]

    def handle_starttag(self, tag, attrs):
        super().handle_starttag(tag, [(name, value) for name, value in attrs if not name.startswith("data-")])


def page(graded, **asked):
    work = Work(graded)
    template, values = views.page(work, Book(work).now(), **asked)
    return render(template, **values, script="/mark.js", version="v", who="mary")


@pytest.mark.parametrize("item", ["2.R1", ID])
@pytest.mark.parametrize("student", ["ada", "ben", "cleo"])
def test_whatever_was_handed_in_stays_text(graded, item, student):
    html = page(graded, item=item, student=student)
    seen = Seen(html)
    assert seen.faults == [] and len(html) < 60_000
    assert seen.tags.count("script") == 1
    if student == "ben":
        assert "<script>document.title = 'taken'</script>" in seen.words and "\\u202e" in seen.words
        assert "49" not in seen.words or item == "2.R1"


def test_the_overview_tells_what_there_is(graded):
    words = Seen(page(graded)).words
    assert "2.R1 When is the computation graph built" in words and "not said" in words
    assert words.index("Written answers") < words.index("Code of exercises") < words.index("By student")


def test_questions_to_choose_are_marked_one_by_one(graded):
    """Those that nobody typed an answer to stand below other work, unless another of their choice was answered."""
    path = graded / "marks.csv"
    path.write_text("student,item,points\nmaximum,2.R1 or 2.R2,3\nmaximum,9.R1 or 9.R2,2\nmaximum,talk,5\n")
    work = Work(graded)
    items = work.items(Book(work).now())
    html = page(graded, item="2.R1", student="ada")
    path.unlink()
    assert [item.id for item in items.values() if item.kind != EXERCISE] == ["2.R1", "talk", "9.R1", "9.R2"]
    assert "Points that 2.R1 or 2.R2 can have" in html and "Points of 3" in html


def test_an_address_of_nobody_leads_to_the_overview(graded):
    for asked in ({"item": "2.R1", "student": "dov"}, {"item": "../x", "student": "ada"}, {"item": "2.R1"}):
        assert "<h1>Marking</h1>" in page(graded, **asked)


def test_who_is_on_the_roster_can_be_marked_without_a_hand_in(served, graded):
    html = page(graded, item=ID, student="eve")
    assert "There is no graded hand-in." in html and "The check gave" not in html
    told = served.act(act="points", item=ID, student="eve", points="1", seen=[None, []])
    assert told["said"] == f"Saved: mark, {ID} of Eve."
    (graded / "marks.csv").write_text(f"student,item,points\neve,ex {ID},99\n")
    assert f"marks.csv, line 2: 99 points for {ID}, which has" in page(graded, item=ID, student="eve")
    for path in graded.glob("marks*"):
        path.unlink()


def test_files_that_cannot_be_read_are_told_on_the_page(served, graded):
    (graded / "marks.csv").write_text("name,points\n")
    _, _, text = served.ask()
    (graded / "marks.csv").unlink()
    assert "no column is called student and item" in text.replace("\n", " ")


def test_a_roster_that_cannot_be_read_after_another_grading_is_told_on_the_page(served, graded):
    roster, grades = graded.parent / "roster.csv", graded / "grades.jsonl"
    text = roster.read_bytes()
    roster.write_text("x\n")
    grades.write_bytes(grades.read_bytes())
    status, _, words = served.ask()
    roster.write_bytes(text)
    assert (status, "roster.csv" in words) == (200, True), words
    assert "Written answers" in served.ask()[2]


def test_another_grading_is_noticed(served, graded):
    before = served.ask("/version")[2]
    path = graded / "grades.jsonl"
    text = path.read_text()
    path.write_text(text.replace("Ada Lovelace", "Ada King, Countess"))
    assert served.ask("/version")[2] != before
    assert "Ada King" in served.ask(f"/?item={quote(ID)}&student=ada")[2]
    path.write_text(text)


@pytest.mark.parametrize("made", [False, True])
def test_a_folder_without_a_grading_is_refused(tmp_path, made):
    folder = tmp_path / "none"
    if made:
        folder.mkdir()
    with pytest.raises(UsageError, match="holds no grading"):
        Work(folder)


def test_a_port_that_is_taken_is_named(served, graded):
    with pytest.raises(UsageError, match=f"Port {served.port} cannot be used"):
        server._listening(graded, served.port)
    other = server._listening(graded, None)
    assert other.getsockname()[1] != served.port
    other.close()


# ---- at once, and killed in the middle ----


def comments(running, graded, number, answered):
    """Comment on one line after the other until the server is gone.  answered: those that it said were saved."""
    for line in range(1, number + 1):
        act = {"act": "line", "item": ID, "student": "ada", "line": line, "cell": "", "seen": "", "who": running.name}
        try:
            told = running.act(**act, text=f"{running.name} {line}")
        except (OSError, http.client.HTTPException):
            return
        if told["done"]:
            answered.append((line, f"{running.name} {line}"))


def lines_of_ada(graded):
    now = Book(Work(graded)).now()
    return {line: comment.comment for line, comment in now.lines_of("ada", ID).items()}


def named(running, name):
    running.name = name
    return running


@pytest.mark.leg("push")
def test_two_servers_on_one_folder_write_each_line_once_and_lose_none(tmp_path, monkeypatch):
    graded = marked_class.make(tmp_path, monkeypatch)[1]
    both = [named(Served(graded, "--port", "0"), name) for name in ("mary", "ben")]
    said = [[], []]
    with ThreadPoolExecutor(2) as pool:
        for running, answered in zip(both, said):
            pool.submit(comments, running, graded, 30, answered)
    for running in both:
        running.stop()
    answered = dict(said[0] + said[1])
    assert len(answered) == len(said[0]) + len(said[1]) == 30
    assert lines_of_ada(graded) == answered
    assert len(Book(Work(graded)).files.entries()) == 30


@pytest.mark.leg("night")
@pytest.mark.parametrize("milliseconds", range(20, 400, 40))
def test_what_was_answered_is_there_after_a_kill(tmp_path, monkeypatch, milliseconds):
    graded = marked_class.make(tmp_path, monkeypatch)[1]
    running, answered = named(Served(graded, "--port", "0"), "mary"), []
    killer = threading.Timer(milliseconds / 1000, running.process.kill)
    killer.start()
    comments(running, graded, 1000, answered)
    running.stop()
    again = Served(graded, "--port", "0")
    again.act(act="comment", item=ID, student="dov", text="next", seen="")
    again.stop()
    there = lines_of_ada(graded)
    assert dict(answered).items() <= there.items() and len(there) <= len(answered) + 1
    logged = [e for e in Book(Work(graded)).files.entries() if e["what"] == "line"]
    assert len(logged) == len(there) and not (graded / "marks-pending.json").exists()


def test_the_keys_that_the_page_lists_are_those_that_it_knows():
    [script] = re.findall(r"^const KEYS = \{(.*?)^\};", server.SCRIPT.read_text(encoding="utf-8"), re.M | re.S)
    listed = {key for keys in views.KEYS for key in keys.split(", ") if len(key) == 1}
    assert listed == set(re.findall(r"^  (\w):", script, re.M))


def test_a_link_shows_the_key_that_goes_there():
    page = server.SCRIPT.with_name("mark.html").read_text(encoding="utf-8")
    does = dict(re.findall(r"^  (\w): \(\) => (.*)", server.SCRIPT.read_text(encoding="utf-8"), re.M))
    shown = re.findall(r'way\("(\w+)", .*"(\w)"\)', page)
    assert [id for id, key in shown if ("/" if id == "overview" else id) not in re.findall(r'"(.*?)"', does[key])] == []
    assert len(shown) >= 5
