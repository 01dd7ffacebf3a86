"""The wrong idea about notebook 12 that is no edit of an answer: it is in a method that is given."""

from grader.course.exercise import wrong

from .exercises import adam


@wrong(
    adam,
    "t counted once for each step() of all",
    "t counts the steps of the whole optimizer: a parameter without a gradient in one step is then corrected as if it "
    'had had one. Each parameter counts its own updates: memory["t"].',
)
def _(bg):
    right_step, right_move = bg.optim.Adam.step, bg.optim.Adam.move

    def step(self):
        self.t = getattr(self, "t", 0) + 1
        right_step(self)

    def move(self, p, gradient, memory):
        self.t = max(self.t, memory.get("t", 0) + 1)
        memory["t"] = self.t - 1
        right_move(self, p, gradient, memory)

    bg.optim.Adam.step, bg.optim.Adam.move = step, move
