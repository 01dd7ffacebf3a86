"""The twin net in PyTorch: the same numbers to the last bits, clear words for what does not fit, or without PyTorch."""

import subprocess
import sys

import numpy as np
import pytest
import torch

import babygrad as bg
from grader.course.paths import REFERENCE, ROOT
from toolbox.torch_bridge import TorchMLP, compare_gradients, copy_weights_to_torch

ACTIVATIONS = ("relu", "tanh", "sigmoid")
LAST_BITS = 1e-14


def net(dims, activation="relu", seed=0):
    return bg.nn.MLP(dims, activation, rng=np.random.default_rng(seed))


def batch(dims, rows=64):
    rng = np.random.default_rng(7)
    return rng.normal(size=(rows, dims[0])), rng.integers(dims[-1], size=rows)


@pytest.mark.parametrize("activation", ACTIVATIONS)
@pytest.mark.parametrize("dims", [[2, 32, 32, 2], [5, 3], [7, 16, 16, 16, 4]], ids=str)
def test_every_gradient_is_that_of_pytorch(dims, activation):
    differences = compare_gradients(net(dims, activation), *batch(dims))
    assert max(differences.values()) <= LAST_BITS


def test_the_differences_have_the_names_of_the_parameters():
    model = net([2, 8, 3])
    assert list(compare_gradients(model, *batch([2, 8, 3]))) == [name for name, _ in model.named_parameters()]


def test_a_loss_for_numbers_can_be_compared_too():
    x, _ = batch([4, 6, 2])
    targets = np.random.default_rng(1).normal(size=(64, 2))
    assert max(compare_gradients(net([4, 6, 2], "tanh"), x, targets, loss="mse_loss").values()) <= LAST_BITS


def test_a_wrong_rule_shows_in_the_layers_before_it(monkeypatch):
    monkeypatch.setattr(bg.ops.Tanh, "backward", lambda self, out_grad, node: out_grad)
    differences = compare_gradients(net([2, 8, 2], "tanh"), *batch([2, 8, 2]))
    assert {name for name, each in differences.items() if each > LAST_BITS} == {"layers.0.weight", "layers.0.bias"}


def test_earlier_gradients_do_not_count():
    model = net([2, 8, 2])
    x, y = batch([2, 8, 2])
    first = compare_gradients(model, x, y)
    assert compare_gradients(model, x, y) == first


@pytest.mark.parametrize("activation", ACTIVATIONS)
def test_the_twin_gives_the_same_answers(activation):
    model = net([3, 5, 4], activation)
    twin = copy_weights_to_torch(model, TorchMLP([3, 5, 4], activation))
    x, _ = batch([3, 5, 4])
    np.testing.assert_allclose(twin(torch.from_numpy(x)).detach().numpy(), model(bg.Tensor(x)).data, rtol=1e-12)


def test_the_twin_has_weights_of_its_own():
    model = net([3, 5, 4])
    twin = copy_weights_to_torch(model, TorchMLP([3, 5, 4]))
    with torch.no_grad():
        twin.layers[0].weight.zero_()
    assert model.layers[0].weight.data.any()


@pytest.mark.parametrize(
    ("dims", "words"),
    [
        ([2, 9, 3], "layer 0 goes from 2 to 8 here, but from 2 to 9"),
        ([2, 8, 5], "layer 1 goes from 8 to 3 here, but from 8 to 5"),
        ([2, 8], "2 linear layers, the TorchMLP 1"),
        ([2, 8, 3, 3], "2 linear layers, the TorchMLP 3"),
    ],
)
def test_sizes_that_differ_are_named_and_nothing_is_copied(dims, words):
    twin = TorchMLP(dims)
    before = twin.layers[0].weight.detach().clone()
    with pytest.raises(ValueError, match=words):
        copy_weights_to_torch(net([2, 8, 3]), twin)
    assert torch.equal(twin.layers[0].weight, before)


@pytest.mark.parametrize("dims", [[2], [], [2, 0, 2]], ids=str)
def test_bad_dims_are_named(dims):
    with pytest.raises(ValueError, match="at least two sizes"):
        TorchMLP(dims)


def test_an_unknown_activation_or_loss_is_named():
    with pytest.raises(ValueError, match="'gelu', but must be one of relu, tanh, sigmoid"):
        TorchMLP([2, 2], "gelu")
    with pytest.raises(ValueError, match="'l1', but must be one of cross_entropy, mse_loss"):
        compare_gradients(net([2, 2]), *batch([2, 2]), loss="l1")


def test_without_pytorch_the_import_says_how_to_go_on():
    code = (
        "import sys; sys.modules['torch'] = None\n"
        f"sys.path[:0] = [{str(REFERENCE)!r}, {str(ROOT)!r}]\n"
        "import babygrad, babygrad.nn\n"
        "try: from toolbox.torch_bridge import TorchMLP\n"
        "except ImportError as error: print(error)\n"
    )
    done = subprocess.run([sys.executable, "-P", "-c", code], capture_output=True, text=True, check=True)
    assert "PyTorch is not installed here" in done.stdout
    assert "pip install torch" in done.stdout and "goes on without it" in done.stdout


def test_nothing_else_of_the_package_imports_torch():
    files = [*(REFERENCE / "babygrad").rglob("*.py"), *(ROOT / "toolbox").rglob("*.py")]
    assert [path.name for path in files if "import torch" in path.read_text()] == ["torch_bridge.py"]
