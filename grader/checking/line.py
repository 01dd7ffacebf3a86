"""A sentence of a message that knows what it is, for a page that shows some in another way."""


class Line(str):
    """kind: "called", "code", "idea", "needs", "printed", "hint", or "said" if it is nothing in particular."""

    kind = "said"

    def __new__(cls, text, kind="said"):
        line = super().__new__(cls, text)
        line.kind = kind
        return line

    def at_most(self, length):
        """The line, or its beginning."""
        return self if len(self) <= length else Line(self[:length] + " ...", self.kind)
