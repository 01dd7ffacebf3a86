"""The exercises of notebook 03: passing gradients back, the order of the nodes, the whole walk, and two hunts."""

from grader.course.exercise import Exercise, Notebook
from grader.course.tracks import EVENING, STRETCH

NOTEBOOK = Notebook("03", "walking_backwards", "Walking backwards", files=("value.py", "hunts.py"))

hand_on = Exercise(
    "3.1",
    "Value._backward",
    file="value.py",
    points=2,
    difficulty=1,
    track=EVENING,
    needs=("2.1",),
    hints=[
        "Take one input of the node. If that input grows by 1, how much does the node change? And if the node "
        "changes by that much, how much does the root change? The second answer is already there: it is the node's "
        "own grad.",
        "Go through the inputs and the local slopes side by side: zip(self._prev, self._slopes) gives them in "
        "pairs. Each input's grad grows by a product of two numbers that you have: that product is the chain rule.",
        "for child, slope in zip(self._prev, self._slopes): and in the loop one line that adds slope "
        "times the node's own grad to what child.grad holds. Which of = and += adds?",
    ],
)

calls = Exercise(
    "3.2",
    "post_order",
    file="value.py",
    points=3,
    difficulty=2,
    track=EVENING,
    needs=("2.1",),
    hints=[
        "Which node of the picture can be put on the list first, without breaking the rule? And then? Compare with "
        "the moment at which Ada's visit passes a gradient back.",
        "When visit has come back from all inputs of a node, they and everything below them are on the list. That "
        "is the moment to list the node itself. Make the list and the set once, in post_order; the function visit "
        "inside it uses both.",
        "In post_order make an empty list and an empty set, and below them def visit(node): if the node is not in "
        "the set, add it, call visit for each child in node._prev, and after that loop put the node on the list. "
        "Then call visit(root), and return the list.",
    ],
    stuck="Right for a + b, wrong for a + a",
)

order = Exercise(
    "3.3",
    "topological_order",
    file="value.py",
    points=3,
    difficulty=3,
    needs=("2.1",),
    hints=[
        "With calls, Python keeps track of the nodes that wait for their inputs. Without calls, you do. What must "
        "you know about a node that comes off the stack before you can decide what to do with it?",
        "Each node comes off the stack twice. The first time it goes back, with its inputs on top of it; the second "
        "time they are done. A pair (node, have I dealt with its inputs?) on the stack tells the two apart.",
        "Start with stack = [(root, False)], an empty list and an empty set, and a loop that runs while something is "
        "on the stack. A pair with True means that the inputs are done. A pair with False puts several pairs on the "
        "stack, unless the node is known: which ones, and in which order?",
    ],
    stuck="Python gives up: maximum recursion depth",
)

walk = Exercise(
    "3.4",
    "Value.backward",
    file="value.py",
    points=3,
    difficulty=2,
    track=EVENING,
    needs=("3.1", "3.3"),
    hints=[
        "You have done it by hand: L.grad = 1.0, then L, z and y passed their gradients back, in this order. What "
        "decides the order, and what must be set back to 0 first, so that a second backward pass finds the same?",
        "topological_order(self) lists each node after its inputs, self last: a good order for computing. The "
        "backward pass goes the other way, and reversed(a_list) does that. A node that was made from others has a "
        "_prev that is not empty.",
        "order = topological_order(self). A first loop over order: if node._prev, its grad is 0.0. Then "
        "self.grad grows by 1.0. A second loop, over reversed(order): node._backward().",
    ],
)

hunt = Exercise(
    "3.5",
    "tell_them_apart",
    file="hunts.py",
    points=4,
    difficulty=3,
    track=STRETCH,
    hints=[
        "Take the engines one at a time, with pencil and paper. a + a tells A from the right one. For B "
        "you need a result that is used twice, as in the three steps of Ada and Cleo. C is a good walker "
        "with a bad memory: what might it mix up?",
        "To catch B, use a result such as y = a * b near the root and once more further away from it. C ticks off "
        "numbers, not nodes, so give it two results that hold the same number. Adding 0 changes no number, and yet "
        "it makes a new node.",
        "Give a product of two leaves the name y. Make z from y, another node with the same number. Return the "
        "product of y and z, with the one that must wait on the left. That is 3 operations. If A still gets it "
        "right, ask whether any node gets two shares.",
    ],
)
