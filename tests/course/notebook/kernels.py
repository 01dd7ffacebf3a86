"""A kernel in which a test runs cells."""

from contextlib import contextmanager

from jupyter_client import BlockingKernelClient
from jupyter_client.manager import start_new_kernel

PATIENCE = 600  # seconds, on a busy machine


@contextmanager
def running(folder, environment):
    """A kernel that starts in folder."""
    options = {"kernel_name": "python3", "env": environment, "cwd": str(folder)}
    manager, client = start_new_kernel(startup_timeout=PATIENCE, **options)
    try:
        yield Kernel(client)
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=True)


@contextmanager
def connected(connection_file):
    """A kernel that somebody else has started."""
    client = BlockingKernelClient(connection_file=str(connection_file))
    client.load_connection_file()
    client.start_channels(hb=False)  # on a busy machine a heartbeat that is late would count as a death
    try:
        client.wait_for_ready(timeout=PATIENCE)
        yield Kernel(client)
    finally:
        client.stop_channels()


class Kernel:
    def __init__(self, client):
        self.client = client

    def run(self, code):
        """(all output as text, all output as HTML, status) of a cell."""
        plain, html, kinds = [], [], [""]

        def hear(message):
            content = message["content"]
            kinds.append(message["msg_type"])
            if kinds[-2:] == ["stream", "stream"]:  # a line may come in pieces
                plain[-1] += content["text"]
            elif message["msg_type"] == "stream":
                plain.append(content["text"])
            elif message["msg_type"] in ("display_data", "execute_result"):
                plain.append(content["data"].get("text/plain", ""))
                html.append(content["data"].get("text/html", ""))
            elif message["msg_type"] == "error":
                plain.append("\n".join(content["traceback"]))

        reply = self.client.execute_interactive(code, timeout=PATIENCE, output_hook=hear)
        return "\n".join(plain), "\n".join(html), reply["content"]["status"]
