"""Markdown as text: what is code in it and what is not, and how raw HTML is put into it."""

import re

CODE = r"(?P<code>^(?P<fence>`{3,}|~{3,}).*?^(?P=fence)[ \t]*$|(?<!`)`[^`\n]+`(?!`))"


def outside_code(pattern, change, markdown):
    """The Markdown with change(match) in place of each match of the pattern that does not begin in code."""
    either = re.compile(f"{CODE}|{pattern}", re.MULTILINE | re.DOTALL)
    return either.sub(lambda found: found[0] if found["code"] else change(found), markdown)


def fenced(text, kind, options=()):
    """A block with this text, its fence longer than any in it.  kind: such as {raw} html."""
    fence = "`" * max(3, 1 + max(map(len, re.findall(r"`+", text)), default=0))
    return "\n".join([fence + kind, *options, text.rstrip("\n"), fence])


def raw(html):
    """HTML that stands on the page as it is."""
    return fenced(html, "{raw} html")


def folded(title, inside, kind, anchor=""):
    """What is shown when its title is clicked.  inside: Markdown.  kind: a class, for its looks."""
    id = f' id="{anchor}"' if anchor else ""
    return f"{raw(f'<details class={kind!r}{id}><summary>{title}</summary>')}\n\n{inside}\n\n{raw('</details>')}"
