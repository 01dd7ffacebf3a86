"""Single keys from a terminal, put into a queue while something else goes on."""

import contextlib
import sys
import threading


@contextlib.contextmanager
def pressed_keys(happenings, stop):
    """While the block runs, each key that is pressed comes into the queue, in small letters.

    stop: an Event that ends it.  Without a terminal no keys come. A terminal is left as it was.
    """
    if not sys.stdin.isatty():
        yield
        return
    with one_at_a_time():
        threading.Thread(target=listen, args=(happenings, stop), daemon=True).start()
        yield


@contextlib.contextmanager
def one_at_a_time():
    """The terminal hands over each key at once, and does not show it."""
    try:
        import termios
        import tty
    except ImportError:  # Windows: read_key needs no preparation there
        yield
        return
    before = termios.tcgetattr(sys.stdin)
    try:
        tty.setcbreak(sys.stdin)
        yield
    finally:
        termios.tcsetattr(sys.stdin, termios.TCSANOW, before)


def listen(happenings, stop):
    while not stop.is_set():
        key = read_key()
        if not key:
            return
        happenings.put(key.lower())


def read_key():
    """The next key; "" at the end."""
    try:
        import msvcrt
    except ImportError:
        return sys.stdin.read(1)
    return msvcrt.getwch()
