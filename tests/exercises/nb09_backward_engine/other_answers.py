"""A right answer of notebook 09 that no edit is: a class stands in place of the function."""


def variant_9_3_a_class(bg):
    """A context manager written as a class."""
    Recording = bg.autograd.Recording

    class no_grad:
        def __enter__(self):
            self.before = Recording.on
            Recording.on = False

        def __exit__(self, *exception):
            Recording.on = self.before
            return False

    bg.autograd.no_grad = bg.tensor.no_grad = no_grad
