#!/usr/bin/env bash
# Runs once, as root, when the image is built: Python, NumPy, and what shuts the submissions in.
set -euo pipefail
export DEBIAN_FRONTEND=noninteractive
source=${AUTOGRADER_ROOT:-/autograder}/source
venv=${AUTOGRADER_VENV:-/opt/babygrad}  # readable by everybody, which the folder source is not

apt-get update
apt-get install -y bubblewrap libseccomp2 python3 python3-venv
python=python3
if ! python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))'; then  # Ubuntu 22.04 has 3.11 beside its 3.10
    apt-get install -y python3.11 python3.11-venv
    python=python3.11
fi
"$python" -m venv "$venv"
"$venv/bin/python" -m pip install -r "$source/requirements.txt"
