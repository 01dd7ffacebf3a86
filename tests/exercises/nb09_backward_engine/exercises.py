"""The exercises of notebook 09: what the backward pass visits, ledger, no_grad, backward, grad, gradgradcheck, hunt."""

from grader.course.exercise import Exercise, Notebook

NOTEBOOK = Notebook(
    "09",
    "backward_engine",
    "The backward engine",
    files=("autograd.py", "tensor.py", "gradient_check.py", "hunts.py"),
)

visits = Exercise(
    "9.1",
    "inputs_to_visit",
    file="autograd.py",
    points=1,
    difficulty=1,
    needs=("5.3",),
    hints=[
        "FACTOR and x are both leaves: no operation made them. What made one of them a constant? A result has that "
        "attribute too: there it says whether anything behind it wants a gradient.",
        "Ask each input of the node, not the node itself: node._inputs holds them, and each has a requires_grad. One "
        "that says False does not keep its neighbour from being visited.",
        "A list, made in one line: [x for x in node._inputs if ...], with a question about x after the if. A leaf has "
        "no inputs, so its list comes out empty.",
    ],
)

ledger = Exercise(
    "9.2",
    "gradients",
    file="autograd.py",
    points=4,
    difficulty=3,
    needs=("5.3", "6.2", "7.6", "9.1"),
    hints=[
        "You have filled in such a table by hand. Whose rule is called first, and whose next? What was in it at "
        "first? And what did you do with a share when the node had a gradient already?",
        "A dict with nodes as keys. At the start it holds one entry, root's. Go through topological_order(root) from "
        "its end: every node that used a node comes after it there. A leaf has no operation (_op is None), so it "
        "passes nothing on; nor does a node that is not in the dict. For each of the others, shares_of gives pairs "
        "(input, share). To add a further share, make a new Tensor.",
        "ledger = {root: out_grad}, then a loop over reversed(topological_order(root)). For a node with an _op "
        "that is in the ledger, a loop over shares_of(node, ledger[node]): skip a share that is None, and an "
        "input with requires_grad False. Is x in the ledger already? Then the sum goes there, a new Tensor; if not, "
        "the share itself. At the end return the ledger.",
    ],
    stuck="Right for a + b, wrong for a + a",
)

switch = Exercise(
    "9.3",
    "no_grad",
    file="autograd.py",
    points=2,
    difficulty=2,
    needs=("5.3",),
    hints=[
        "What must happen before the block, and what after it? Which line of the function stands for the block itself?",
        "Remember whether recording was on before, since it may have been off already. And what must happen in any "
        "case, even when the block stops with an exception? Python has words for that: try ... finally.",
        "before = Recording.on, then Recording.on = False. Then try: with yield inside, and finally: where "
        "Recording.on becomes what it was before. Nothing is returned, and no exception is caught.",
    ],
)

walk = Exercise(
    "9.4",
    "Tensor.backward",
    file="tensor.py",
    points=4,
    difficulty=3,
    needs=("5.3", "6.2", "6.7", "7.3", "7.6", "8.1", "9.2", "9.3"),
    hints=[
        "The ledger knows everything: which nodes there are, and what each of them gets. All that is left is to put "
        "it into .grad. Two questions decide how: is the node a leaf, and who else holds that array?",
        "First the ledger, from gradients, in a block in which nothing is recorded; it begins with "
        "self.initial_gradient(grad). Then a loop over its items. A copy of the gradient's array, in the node's own "
        "dtype, is an array that nobody else has. A leaf (its _op is None) adds it to what it has. For an inner node "
        "the new one replaces the old.",
        "In the loop: array = gradient.data.astype(node.dtype), which is a copy. Three kinds of nodes: an inner one "
        "keeps this array; so does a leaf whose .grad is None; any other leaf keeps the sum, in a new array, of its "
        ".grad and this one: np.asarray(...) around it, since NumPy makes a plain number of a sum without axes.",
    ],
    stuck="Gradients grow with each step",
)

again = Exercise(
    "9.5",
    "grad",
    file="autograd.py",
    points=3,
    difficulty=3,
    track="stretch",
    needs=("5.3", "6.2", "7.3", "9.2", "9.3"),
    hints=[
        "Again the ledger has all the answers. Which of its entries are wanted, and what if there is no such entry? "
        "And when should the backward pass be recorded, and when not?",
        "The backward pass begins with output.initial_gradient(grad_output). With create_graph call gradients as it "
        "is; without, call it in a `with no_grad():` block. zeros_like, further down, makes zeros. Then pick the "
        "gradient of each of `wanted` out of the ledger, in their order.",
        "found = a tuple with, for each x in wanted, ledger[x] if x in ledger, else zeros_like(x). For a single Tensor "
        "(the name `single` says so) return found[0], else found.",
    ],
)

second = Exercise(
    "9.6",
    "gradgradcheck",
    file="gradient_check.py",
    points=4,
    difficulty=4,
    track="stretch",
    needs=("5.5", "6.5", "9.2", "9.3", "9.5"),
    hints=[
        "gradcheck compares the derivatives of any function of Tensors with nudging. Second derivatives are the "
        "derivatives of which function? Your grad computes it, from fn's inputs and from one thing more, which it "
        "multiplies by: write down everything this function depends on.",
        "For each input that requires grad, make a function of its own: it takes all of fn's inputs and, last, the "
        "gradient of fn's result; it calls fn, and returns what grad finds for that one input, recorded. Give it to "
        "gradcheck with the inputs and a random gradient. The latter is checked only if it is a Tensor that requires "
        "grad.",
        "out_grad = Tensor(random_gradient(fn(*inputs), seed).data). For each position: gradient = lambda *args: "
        "grad(fn(*args[:-1]), args[position], args[-1], create_graph=True), and then gradcheck(gradient, [*inputs, "
        "out_grad], ...) with eps, rtol, atol and seed. Leave out positions whose input requires no grad. Return True "
        "after the loop.",
    ],
)

hunt = Exercise(
    "9.7",
    "one_test_each",
    file="hunts.py",
    points=4,
    difficulty=3,
    track="stretch",
    hints=[
        "Ask about each author: when does the idea do no harm? Then choose something else. One operation is enough for "
        "three of the four; only A needs two.",
        "C: one operation sends two shares to one input. D: a plain number is a constant. B: the rule of + "
        "gives the same array to both sides; who keeps it? A: two nodes must refer to the same array, and then one of "
        "them must get more.",
        "A: in (a + b) a and b refer to the same array. Who must get a further share for b to come out wrong? "
        "Put one more operation after the sum. For B, take the same sum without the second operation.",
    ],
)
