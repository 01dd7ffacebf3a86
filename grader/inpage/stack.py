"""In a page C code may call itself a few hundred times, then the page's own stack is full, and the interpreter dead.

`return self + other` in __add__ is such a call. So Python is told to stop earlier, where it still can, and says
RecursionError. What calls itself in Python alone needs no such room: there the limit is Python's own.
"""

import contextlib
import sys

# Bytes of Python's C stack, of which 16 thousand are its reserve: about 80 nested calls of an operator. With 112
# thousand they end the interpreter; with 36 thousand there is no room for what a check imports. What no limit stops:
# objects freed inside each other hardly use this stack (forgetting.py sees to those of the package).
ROOM = 48 << 10


@contextlib.contextmanager
def guarded():
    """While this is open, too deep a recursion is an exception, and not the end."""
    if sys.platform != "emscripten":
        yield
        return
    import ctypes

    from pyodide_js import _module as machine

    python, state = ctypes.pythonapi, ctypes.c_void_p(_this_thread(ctypes))
    protect = python.PyUnstable_ThreadState_SetStackProtection
    protect.argtypes = ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t
    protect(state, machine._emscripten_stack_get_current() - ROOM, ROOM)
    try:
        yield
    finally:
        python.PyUnstable_ThreadState_ResetStackProtection(state)


def _this_thread(ctypes):
    get = ctypes.pythonapi.PyThreadState_Get
    get.restype = ctypes.c_void_p
    return get()
