"""Clean systems, made by debootstrap from the mirror that this machine's apt knows, each in a folder."""

import ast
import os
import shutil
import sys
import urllib.request

from . import trying

# The folder becomes the root, as in a container, with a /proc, a /dev and an almost empty environment. What is mounted
# is gone with the namespace.
ENTER = """\
set -e
mount --bind "$1" "$1" && cd "$1" && mkdir -p old proc dev
mount -t proc proc proc && mount --rbind /dev dev
pivot_root . old && umount -l old && cd "$2"
exec env -i HOME=/root LANG=C.UTF-8 PATH=/usr/sbin:/usr/bin:/sbin:/bin "${@:3}"
"""
OF_UBUNTU = ("jammy",)
OF_PIP = ("index-url", "trusted-host", "proxy", "default-timeout")
PROXIES = ("http_proxy", "https_proxy", "no_proxy")
CERTIFICATES = "/etc/certificates-of-the-host.pem"


class Root:
    """A system in a folder."""

    def __init__(self, folder):
        self.folder = folder

    def run(self, *command, inside="/", **more):
        """What a command prints in there."""
        settings = [f"{name}={value}" for name, value in settings_of_pip().items()]
        enter = ["unshare", "--mount", "--pid", "--fork", "bash", "-c", ENTER, "bash", self.folder, inside]
        return trying.run(*enter, *settings, *command, **more)


def new(scratch, suite, packages=()):
    """A new Root of a suite. One that was made in this run with the same packages is copied."""
    trying.needs("unshare", "pivot_root", "debootstrap", root=True, packages=("debootstrap",))
    made = scratch / "made" / "-".join([suite, *packages])
    if not made.exists():
        _make(made, suite, packages)
    folder = scratch / "root"
    trying.run("cp", "-a", made, folder)
    return Root(folder)


def _make(folder, suite, packages):
    mirror = _mirror(suite)
    folder.parent.mkdir(exist_ok=True)
    half = folder.with_name("half")
    shutil.rmtree(half, ignore_errors=True)
    chosen = [f"--include={','.join(packages)}"] if packages else []
    # In a namespace of its own: what it mounts is gone with it, also if it is broken off, before anything is removed.
    make = ("unshare", "--mount", "debootstrap", "--variant=minbase")
    trying.run(*make, *chosen, suite, half, mirror, said=f"debootstrap {suite}")
    if suite in OF_UBUNTU:  # Python 3.11 is in universe, and its newest in updates
        parts = (f"deb {mirror} {part} main universe\n" for part in (suite, f"{suite}-updates"))
        (half / "etc" / "apt" / "sources.list").write_text("".join(parts))
    shutil.copy("/etc/resolv.conf", half / "etc")
    if certificates := _told_to_pip().get("cert"):
        shutil.copy(certificates, f"{half}{CERTIFICATES}")
    half.rename(folder)


def _mirror(suite):
    """The address of this machine's mirror of Debian, or of the Ubuntu that may lie beside it."""
    wanted = "$(ORIGIN)|$(LABEL)|$(REPO_URI)"
    lines = trying.run("apt-get", "indextargets", "--format", wanted, "Created-By: Packages").splitlines()
    mirrors = [line.rpartition("|")[2].rstrip("/") for line in lines if line.startswith("Debian|Debian|")]
    if not mirrors:
        raise trying.LeftOut("apt knows no mirror of Debian here")
    mirror = f"{mirrors[0].rpartition('/')[0]}/ubuntu" if suite in OF_UBUNTU else mirrors[0]
    try:
        urllib.request.urlopen(f"{mirror}/dists/{suite}/Release", timeout=60).close()
    except OSError:
        raise trying.LeftOut(f"the mirror of this machine's apt has no {suite}") from None
    return mirror


def _told_to_pip():
    lines = trying.run(sys.executable, "-m", "pip", "config", "list").splitlines()
    pairs = (line.partition("=")[::2] for line in lines if "=" in line)
    return {name.rpartition(".")[2]: ast.literal_eval(value) for name, value in pairs}


def settings_of_pip():
    """Where packages come from on this machine, but for folders on it, as variables."""
    told = _told_to_pip()
    chosen = {f"PIP_{name.upper().replace('-', '_')}": told[name] for name in OF_PIP if name in told}
    proxies = {name: os.environ[name] for name in PROXIES if name in os.environ}
    others = [word for word in told.get("extra-index-url", "").split() if not word.startswith("file:")]
    chosen |= {"PIP_EXTRA_INDEX_URL": " ".join(others)} if others else {}
    return chosen | proxies | ({"PIP_CERT": CERTIFICATES} if "cert" in told else {})
