"""The exercises of notebook 09: the order of nodes, the ledger of gradients, no_grad, backward, grad, and a hunt."""

from grader.course.exercise import Exercise, Notebook

NOTEBOOK = Notebook(
    "09", "backward_engine", "The backward engine", minutes=75, files=("autograd.py", "tensor.py", "hunts.py")
)

order = Exercise(
    "9.1",
    "topological_order",
    file="autograd.py",
    points=3,
    minutes=6,
    difficulty=2,
    needs=("5.3", "5.4"),
    hints=[
        "You have written this walk in 3.2, for Values. What is the name of a Tensor's inputs? And which inputs need "
        "not be visited at all, because nobody wants their gradient?",
        "A stack of pairs (node, are its inputs dealt with?) did the waiting in 3.2. Only one thing is new: when you "
        "put a node's inputs on the stack, leave out those with requires_grad False.",
        "stack = [(root, False)]. Take a pair off. With True: the node goes on the list. Else, if it is not in the set "
        "yet: into the set, (node, True) back on the stack, then (x, False) for x in node._inputs if x.requires_grad.",
    ],
    stuck="Python gives up: maximum recursion depth",
)

ledger = Exercise(
    "9.2",
    "gradients",
    file="autograd.py",
    points=4,
    minutes=10,
    difficulty=3,
    needs=("5.3", "5.4", "5.5", "6.2", "7.6", "9.1"),
    hints=[
        "You have filled in such a table by hand. Who speaks first, and who next? What stood in it before anybody "
        "spoke? And what did you do with a share when the line had a number already?",
        "A dict with nodes as keys: ledger = {root: out_grad}. Go through topological_order(root) from its end. A leaf "
        "has no operation, so it says nothing; a node without a line got nothing, and says nothing either. For the "
        "others shares_of(node, ledger[node]) gives pairs (input, share).",
        "In the loop over the pairs: skip a share that is None, and an input with requires_grad False. Is x in the "
        "ledger already? Then ledger[x] = ledger[x] + share, a new Tensor; if not, ledger[x] = share. return ledger.",
    ],
    stuck="Right for a + b, wrong for a + a",
)

switch = Exercise(
    "9.3",
    "no_grad",
    file="autograd.py",
    points=2,
    minutes=4,
    difficulty=2,
    needs=("5.3",),
    hints=[
        "What must happen before the block, and what after it? Which line of the function stands for the block itself?",
        "What recording was before must be remembered, since it may have been off already. And what must happen in any "
        "case, even when the block stops with an exception? Python has a word for that: try ... finally.",
        "before = Recording.on, then Recording.on = False. Then try: with yield inside, and finally: where "
        "Recording.on becomes what it was before. Nothing is returned, and no exception is caught.",
    ],
)

walk = Exercise(
    "9.4",
    "Tensor.backward",
    file="tensor.py",
    points=4,
    minutes=8,
    difficulty=3,
    needs=("5.3", "5.4", "5.5", "6.2", "6.7", "7.3", "7.6", "8.1", "9.2", "9.3"),
    hints=[
        "The ledger knows everything: which nodes there are, and what each of them gets. What is left is to put it "
        "into .grad. Two questions decide the rest: is the node a leaf, and who else holds that array?",
        "First the ledger, from gradients, in a block in which nothing is recorded; then a loop over its items. A copy "
        "of the gradient's array, in the node's own dtype, is an array that nobody else has. A leaf (its _op is None) "
        "adds it to what it has. For an inner node the new one replaces the old.",
        "In the loop: make the array, with unshared or gradient.data.astype(node.dtype). Three kinds of nodes: an "
        "inner one keeps this array; so does a leaf whose .grad is None; any other leaf keeps the sum, in a new array, "
        "of its .grad and this one.",
    ],
    stuck="Gradients grow with each step",
)

again = Exercise(
    "9.5",
    "grad",
    file="autograd.py",
    points=3,
    minutes=7,
    difficulty=3,
    needs=("5.3", "5.4", "5.5", "6.2", "7.3", "7.8", "9.2", "9.3"),
    hints=[
        "All the work is in the ledger again. Who is asked for, and what if somebody is not in it? And when may the "
        "walk be recorded, when not?",
        "The walk begins with output.initial_gradient(grad_output). With create_graph call gradients as it is; "
        "without, call it in a `with no_grad():` block. Then pick out of the ledger what belongs to each of `wanted`, "
        "in their order.",
        "found = a tuple with, for each x in wanted, ledger[x] if x in ledger, else zeros_like(x). For a single Tensor "
        "(the name `single` says so) return found[0], else found.",
    ],
)

hunt = Exercise(
    "9.7",
    "one_test_each",
    file="hunts.py",
    points=4,
    minutes=6,
    difficulty=3,
    hints=[
        "Ask for each author: when does the idea make no difference? Then leave that ground. One operation is enough "
        "for three of the four; only A needs two.",
        "C: two shares go to one input from one operation. D: a plain number is a constant. B: the rule of + gives the "
        "same array to both sides; who keeps it? A: the array must be owned by two, and then one of them gets more.",
        "A: in (a + b) one array g belongs to a and to b. Who must get a further share for b to be harmed? Put one "
        "more operation after it. For B the same sum without the second operation.",
    ],
)
