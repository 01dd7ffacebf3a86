"""Numbers that were recorded once, by training or by a clock: a JSON file each, read without NumPy.

versus_pytorch: what notebook 13 shows where PyTorch is missing, written by benchmarks/versus_pytorch.py.
mnist_filters: what notebook 17 shows where MNIST is missing, written by benchmarks/reading.py.
moons: {after so many steps: the 33 numbers of notebook 00's net, weights and biases of its layers in order}.
"""

import json
from pathlib import Path


def read(name):
    """What is in the file of this name."""
    return json.loads((Path(__file__).parent / f"{name}.json").read_text(encoding="utf-8"))
