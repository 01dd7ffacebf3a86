"""What a notebook is shown of a playground, or of a pad."""

import asyncio

import pytest


@pytest.fixture
def shown(monkeypatch):
    """show(thing, kernel): what is displayed, in a kernel or in a terminal."""
    import IPython
    import IPython.display

    def show(thing, kernel=True):
        displayed = []
        monkeypatch.setattr(IPython, "get_ipython", lambda: type("Shell", (), {"kernel": 1} if kernel else {})())
        monkeypatch.setattr(IPython.display, "display", lambda bundle, raw: displayed.append(bundle))

        async def in_a_loop():
            thing._ipython_display_()

        asyncio.run(in_a_loop())
        return displayed

    return show
