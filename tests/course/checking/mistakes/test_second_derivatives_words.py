"""What a check says of a gradient that cannot be differentiated again leaves it to the idea below to say why."""

import numpy as np

from grader.marking.second_derivatives import still_exact


def test_what_was_forgotten_is_said_once():
    name = "the gradient of a, differentiated by a"
    said = still_exact({name: np.array([1.0, 2.0])}, {name: np.zeros(2)})
    assert said.count("remember") == 2 and "cannot be differentiated again" not in said and ".data" not in said
