"""What the pages share: the frame, the style sheet, and the way a text that a student wrote gets onto a page.

Every text is hostile until it went through `visible` (for plain text) or `text` (for HTML). The pages hold no script,
and their Content-Security-Policy allows nothing but their own style sheet, so that a mistake here would still run
nothing and ask for nothing.
"""

import base64
import hashlib
import re
import unicodedata
from html import escape

LONGEST_LINE = 1000  # characters of one line of a message
MOST_LINES = 40  # lines of one message
LONGEST_NAME = 80  # characters of a student's name
MARKS = 4  # accents on one letter: more of them reach over the lines above and below
JOINERS = "\u200c\u200d"  # invisible, but names in Persian and in Indian scripts are spelt with them

CSS = """
:root { color-scheme: light dark; --paper: #fff; --ink: #1f2328; --quiet: #57606a; --box: #f6f8fa; --line: #d0d7de;
  --link: #0550ae; --passed: #1a7f37; --failed: #b35900; --stopped: #a40e26; --waiting: #8c959f; --given: #6f7fd6;
  --count: #0969da; }
@media screen and (prefers-color-scheme: dark) { :root { --paper: #0d1117; --ink: #e6edf3; --quiet: #9da7b3;
  --box: #161b22; --line: #3d444d; --link: #79b8ff; --passed: #3fb950; --failed: #f0883e; --stopped: #ff7b72;
  --waiting: #6e7681; --given: #8b98f0; --count: #4493f8; } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1rem; max-width: 62rem; background: var(--paper); color: var(--ink);
  font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
h1, h2, h3 { line-height: 1.25; margin: 1.6em 0 .5em; }
h1 { font-size: 1.6rem; margin-top: 0; } h2 { font-size: 1.25rem; } h3 { font-size: 1rem; }
p, ul, ol, dl, table, details { margin: .5em 0; }
ul, ol { padding-left: 1.4em; }
a { color: var(--link); }
code { font: .9em/1.45 ui-monospace, monospace; background: var(--box); border: 1px solid var(--line);
  border-radius: 3px; padding: 0 .25em; }
p.code { margin: .25em 0; } p.code code { display: block; white-space: pre-wrap; padding: .3em .5em; }
.box { background: var(--box); border: 1px solid var(--line); border-left: 5px solid var(--waiting);
  border-radius: 4px; padding: .6rem .9rem; margin: .8em 0; }
.box > :first-child { margin-top: 0; } .box > :last-child { margin-bottom: 0; } .box p { margin: .3em 0; }
.box code { background: var(--paper); }
.failed { border-left-color: var(--failed); } .stopped { border-left-color: var(--stopped); }
.passed { border-left-color: var(--passed); }
.quiet { color: var(--quiet); }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: .3em .6em .3em 0; border-bottom: 1px solid var(--line); }
caption { text-align: left; color: var(--quiet); padding-bottom: .3em; }
tbody th { font-weight: normal; } tr.group > * { padding-top: 1em; } tr.group th { font-weight: bold; }
.number { text-align: right; white-space: nowrap; padding-right: 0; }
.facts { display: grid; grid-template-columns: repeat(auto-fill, minmax(9.5rem, 1fr)); gap: .6rem; }
.facts div { background: var(--box); border: 1px solid var(--line); border-radius: 4px; padding: .4rem .7rem; }
.facts dt { color: var(--quiet); } .facts dd { margin: 0; font-size: 1.25rem; font-weight: bold; }
.facts dd small { font-weight: normal; font-size: .9rem; display: block; }
.bar { display: block; width: 100%; height: .8rem; margin: .25em 0; border-radius: 3px; background: var(--line); }
.fill-passed { fill: var(--passed); } .fill-failed { fill: var(--failed); } .fill-stopped { fill: var(--stopped); }
.fill-waiting { fill: var(--waiting); } .fill-given { fill: var(--given); }
.fill-count { fill: var(--count); }
.points { width: 9rem; } .exercise { width: 45%; } .result { width: 35%; }
.beside { display: flex; align-items: center; gap: .7rem; } .beside .bar { flex: 1; margin: 0; }
.beside span { min-width: 3.4rem; } .short .bar { max-width: 16rem; } .short span { font-weight: bold; }
nav ul { list-style: none; padding: 0; display: flex; flex-wrap: wrap; gap: .2rem 1.2rem; }
.names { padding: 0; list-style: none; display: flex; flex-wrap: wrap; gap: .1rem 1rem; }
@media (max-width: 34rem) { .points { width: 6rem; } th, td { padding-right: .4em; }
  .exercises, .students { table-layout: fixed; } .students .exercise { width: 32%; }
  .exercises .number, .students .number { width: 4.5rem; } .students .number { white-space: normal; }
  .exercises .exercise { width: 50%; }
  .exercises .result { width: auto; } }
@media print { body { max-width: none; padding: 0; font-size: 10pt; } nav { display: none; }
  a { color: inherit; text-decoration: none; } .box, tr { break-inside: avoid; } h2, h3 { break-after: avoid; }
  .bar, .bar rect { print-color-adjust: exact; } details::details-content { content-visibility: visible; } }
"""


def page(title, body):
    """A whole HTML page.  title: plain text.  body: HTML."""
    policy = f"default-src 'none'; style-src 'sha256-{_digest(CSS)}'; base-uri 'none'; form-action 'none'"
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="referrer" content="no-referrer">\n<meta name="color-scheme" content="light dark">\n'
        f"<title>{text(title)}</title>\n<style>{CSS}</style>\n</head>\n<body>\n{body}\n</body>\n</html>\n"
    )


def visible(words):
    """The same text with nothing hidden in it, on one line.

    A control character, a direction override or half a character becomes its code, such as \\u202e.
    """
    return "".join(_shown(words)) if not (words.isascii() and words.isprintable()) else words


def text(words):
    """Plain text as HTML."""
    return escape(visible(words))


def title(words):
    """The title of an exercise as HTML. A long name in it may be broken behind an underscore between words."""
    return re.sub(r"(?<=[a-z0-9]_)(?=[a-z])", "<wbr>", text(words))


def name(words):
    """A student's name as HTML. What it is written in, left to right or right to left, stays inside of it."""
    return f"<bdi>{text(cut(words, LONGEST_NAME))}</bdi>"


def cut(words, length):
    """At most so many characters of it."""
    return words if len(words) <= length else words[: length - 4] + " ..."


def message_lines(message):
    """The lines of a message, safe to show: nothing hidden, and no more than anybody would read."""
    lines = [cut(visible(line), LONGEST_LINE) for line in message.split("\n")] if message else []
    rest = len(lines) - MOST_LINES
    return lines if rest <= 0 else [*lines[:MOST_LINES], f"({rest} more lines)"]


def paragraph(line):
    """A line of a message as HTML: code where it is indented or between backticks."""
    if line.startswith("    "):
        return f'<p class="code"><code dir="ltr">{escape(line.strip())}</code></p>'
    return f'<p dir="auto">{inline(line)}</p>'


def inline(line):
    """A line as HTML: code between backticks."""
    parts = line.split("`")
    return "".join(map(_code_or_words, range(len(parts)), parts)) if len(parts) % 2 else escape(line)


def paragraphs(lines):
    """Lines of a message as HTML."""
    return "\n".join(map(paragraph, lines))


def bar(shares, label=""):
    """A bar of coloured parts.  shares: [(kind, percent)].  label: what it shows; "" if the words beside it do."""
    said = f'role="img" aria-label="{text(label)}"' if label else 'aria-hidden="true"'
    rects, x = [], 0
    for kind, share in shares:
        rects.append(f'<rect class="fill-{kind}" x="{x:.6g}" width="{share:.6g}" height="4"/>')
        x += share
    return f'<svg class="bar" viewBox="0 0 100 4" preserveAspectRatio="none" {said}>{"".join(rects)}</svg>'


def percent(part, whole):
    """How many of a hundred; 0 of nothing is 0."""
    return 100 * part / whole if whole else 0


def section(id, title, body):
    """A part of a page with its heading.  title: plain text.  body: HTML."""
    return f'<section id="{text(id)}">\n<h2>{text(title)}</h2>\n{body}\n</section>'


def _shown(words):
    marks = 0
    for character in words:
        marks = marks + 1 if unicodedata.category(character)[0] == "M" else 0
        if marks <= MARKS:
            yield _as_shown(character)


def _as_shown(character):
    if character.isprintable() or character in JOINERS:
        return character
    if character == "\t":
        return "    "
    if character.isspace() and character not in "\x1c\x1d\x1e\x1f\x85":
        return " "
    return character.encode("unicode_escape").decode()


def _code_or_words(position, part):
    return f'<code dir="ltr">{escape(part)}</code>' if position % 2 else escape(part)


def _digest(style):
    return base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
