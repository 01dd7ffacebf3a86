"""A page in Firefox, driven by WebDriver BiDi: the few orders that the tries need."""

import json
import os
import subprocess
import time
from contextlib import contextmanager

import websocket

from . import trying

# It may reach this machine, and nothing else. It does not ask whether to leave a notebook that is not saved yet.
SETTINGS = {
    "dom.disable_beforeunload": True,
    "network.proxy.type": 1,
    "network.proxy.http": "127.0.0.1",
    "network.proxy.http_port": 9,
    "network.proxy.ssl": "127.0.0.1",
    "network.proxy.ssl_port": 9,
    "network.proxy.no_proxies_on": "127.0.0.1",
}
KEYS = {"ArrowRight": "\ue014", "Control": "\ue009", "End": "\ue010", "Home": "\ue011", "Tab": "\ue004"}
PATIENCE = 600  # seconds
# Where to click, once a page that is still being laid out has come to rest, and nothing lies over it; until then null.
MIDDLE = """(async selector => {
    const element = document.querySelector(selector);
    element.scrollIntoView({block: 'center'});
    const before = element.getBoundingClientRect();
    await new Promise(resolve => setTimeout(resolve, 300));
    const now = element.getBoundingClientRect();
    const [x, y] = [Math.round(now.x + now.width / 2), Math.round(now.y + now.height / 2)];
    const rests = before.x === now.x && before.y === now.y && element.contains(document.elementFromPoint(x, y));
    return rests ? [x, y] : null;
})"""


@contextmanager
def firefox(program, folder):
    """A Page in a headless Firefox that nobody has used."""
    port, profile = trying.free_port(), folder / "profile"
    profile.mkdir()
    lines = (f"user_pref({json.dumps(name)}, {json.dumps(value)});\n" for name, value in SETTINGS.items())
    (profile / "user.js").write_text("".join(lines))
    command = [program, "--headless", "--remote-debugging-port", str(port), "--profile", profile, "about:blank"]
    with (folder / "firefox.log").open("w") as log:
        process = subprocess.Popen(command, env={**os.environ, "HOME": str(folder)}, stdout=log, stderr=log)
    try:
        yield Page(_connected(port, process))
    finally:
        process.terminate()
        process.wait(60)


def _connected(port, process):
    for _ in range(PATIENCE):
        try:
            address = f"ws://127.0.0.1:{port}/session"
            return websocket.create_connection(address, timeout=PATIENCE, suppress_origin=True)
        except OSError:
            assert process.poll() is None, "Firefox has ended"
            time.sleep(1)
    raise TimeoutError("Firefox does not answer")


class Page:
    def __init__(self, connection):
        self.connection, self.number, self.complaints = connection, 0, []
        self.order("session.new", capabilities={})
        self.order("session.subscribe", events=["log.entryAdded"])
        self.context = self.order("browsingContext.getTree")["contexts"][0]["context"]
        self.order("browsingContext.setViewport", context=self.context, viewport={"width": 1280, "height": 900})

    def order(self, method, **words):
        self.number += 1
        self.connection.send(json.dumps({"id": self.number, "method": method, "params": words}))
        while True:
            answer = json.loads(self.connection.recv())
            if answer.get("method") == "log.entryAdded" and answer["params"]["level"] == "error":
                self.complaints.append(answer["params"]["text"])
            if answer.get("id") == self.number:
                assert answer["type"] == "success", answer
                return answer["result"]

    def goto(self, address):
        self.order("browsingContext.navigate", context=self.context, url=address, wait="complete")

    def ask(self, expression):
        """The value of an expression, which may be a promise."""
        told = self.order(
            "script.evaluate",
            expression=f"(async () => JSON.stringify(await ({expression})) ?? 'null')()",
            target={"context": self.context},
            awaitPromise=True,
        )
        assert told["type"] == "success", told["exceptionDetails"]["text"]
        return json.loads(told["result"]["value"])

    def until(self, expression):
        """The value of an expression, once it is true."""
        end = time.monotonic() + PATIENCE
        while not (value := self.ask(expression)):
            assert time.monotonic() < end, f"never: {expression}"
            time.sleep(0.2)
        return value

    def text(self, selector):
        return self.ask(f"document.querySelector({json.dumps(selector)}).innerText")

    def focus(self, selector):
        self.ask(f"document.querySelector({json.dumps(selector)}).focus()")

    def press(self, *keys):
        """One after the other; a name of KEYS, or a letter."""
        presses = [{"type": kind, "value": KEYS.get(key, key)} for key in keys for kind in ("keyDown", "keyUp")]
        self._perform({"type": "key", "id": "keys", "actions": presses})

    def click(self, selector):
        x, y = self.until(f"{MIDDLE}({json.dumps(selector)})")
        clicks = [{"type": kind, "button": 0} for kind in ("pointerDown", "pointerUp")]
        steps = [{"type": "pointerMove", "x": x, "y": y}, *clicks]
        self._perform({"type": "pointer", "id": "mouse", "actions": steps})

    def _perform(self, actions):
        self.order("input.performActions", context=self.context, actions=[actions])
