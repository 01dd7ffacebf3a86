"""Wrong ideas about notebook 03, each as a patch for a private copy of the reference."""

from grader.course.exercise import wrong

from .exercises import calls, hand_on, hunt, order, walk


def pairs(node):
    """(input, slope to it), for each input."""
    return zip(node._prev, node._slopes)


# 3.1: how a node passes its gradient back.


@wrong(
    hand_on,
    "assigns instead of adding",
    "With = the share that arrives last wins, and what was there before is lost. For a + a that gives 1, "
    "and 2 is right. Gradients accumulate: what must happen to a share that is there already? (=+ is an = and a "
    "plus sign.)",
    stuck="Right for a + b, wrong for a + a",
)
def _(bg):
    def _backward(self):
        for child, slope in pairs(self):
            child.grad = slope * self.grad

    bg.Value._backward = _backward


@wrong(
    hand_on,
    "set to 0 before it adds",
    "What another node had passed back to an input is lost: its gradient is set to 0 first. Gradients accumulate. When "
    "they start afresh is decided in backward (3.4), and not in a single step.",
    same_as={"assigns instead of adding": "where an input is used once, both leave the last share alone"},
)
def _(bg):
    def _backward(self):
        for child in self._prev:
            child.grad = 0.0
        for child, slope in pairs(self):
            child.grad += slope * self.grad

    bg.Value._backward = _backward


@wrong(
    hand_on,
    "own gradient forgotten",
    "The local slope says how much this node changes. How much the root changes then is in the node's own grad, and "
    "that factor of the chain rule is missing here. This goes unnoticed only as long as that grad is 1.",
)
def _(bg):
    def _backward(self):
        for child, slope in pairs(self):
            child.grad += slope

    bg.Value._backward = _backward


@wrong(
    hand_on,
    "local slope forgotten",
    "Every input gets the same amount here, as if one more in an input were always one more in the result. That is "
    "so for a + b. In a * b, how much does the product change for each unit of a? The node keeps that number in "
    "_slopes.",
)
def _(bg):
    def _backward(self):
        for child in self._prev:
            child.grad += self.grad

    bg.Value._backward = _backward


@wrong(
    hand_on,
    "slope of the other input",
    "Each input gets the slope of its neighbour here. _slopes has the same order as _prev: the first "
    "slope belongs to the first input.",
)
def _(bg):
    def _backward(self):
        for child, slope in zip(self._prev, reversed(self._slopes)):
            child.grad += slope * self.grad

    bg.Value._backward = _backward


@wrong(
    hand_on,
    "each different input once",
    "a * a has the same input twice, and each use contributes on its own. Here a gets only one of the two. "
    "A set or a dict keeps equal things once: go through _prev itself.",
    stuck="Right for a + b, wrong for a + a",
)
def _(bg):
    def _backward(self):
        for child, slope in dict(pairs(self)).items():
            child.grad += slope * self.grad

    bg.Value._backward = _backward


@wrong(
    hand_on,
    "passes back its number",
    "Here the slope is multiplied by the node's number (data). The forward pass is about numbers, the backward pass "
    "about gradients. Which of the node's two numbers says how much the root changes?",
)
def _(bg):
    def _backward(self):
        for child, slope in pairs(self):
            child.grad += slope * self.data

    bg.Value._backward = _backward


@wrong(
    hand_on,
    "the input's number taken for the slope",
    "Here the input's own number is taken for its local slope. For a * b the slope of a is b's number, and for a + "
    "b it is 1. You need not work that out again: where did the operation leave it?",
)
def _(bg):
    def _backward(self):
        for child in self._prev:
            child.grad += child.data * self.grad

    bg.Value._backward = _backward


@wrong(
    hand_on,
    "from the inputs to the node",
    "Here the node collects from its inputs. The backward pass goes the other way: the node knows its gradient "
    "already, and its inputs are waiting for theirs. So whose grad must change, and whose must stay?",
)
def _(bg):
    def _backward(self):
        for child, slope in pairs(self):
            self.grad += slope * child.grad

    bg.Value._backward = _backward


@wrong(
    hand_on,
    "shares that never arrive",
    "Nothing arrives at the inputs. Computing the shares, or returning them, is not enough: each must be "
    "added to the grad of its input. (Or does the constructor give every node a _backward of its own? Then that one is "
    "called, and not the method.)",
    stuck="All gradients are 0",
)
def _(bg):
    bg.Value._backward = lambda self: [slope * self.grad for slope in self._slopes]


@wrong(
    hand_on,
    "goes on to the inputs' inputs",
    "Here each input passes its gradient back at once, before everyone who used it has done so. One call of _backward "
    "is one step, from this node to its own inputs. When the others have their turn is the question of 3.2 to 3.4.",
)
def _(bg):
    def _backward(self):
        for child, slope in pairs(self):
            child.grad += slope * self.grad
            child._backward()

    bg.Value._backward = _backward


@wrong(
    hand_on,
    "gives its gradient away",
    "The inputs get the right amounts, but then the node's own grad is set to 0. Passing it back takes nothing away: "
    "the root still changes that much for each unit of this node, and drawings show it.",
)
def _(bg):
    def _backward(self):
        for child, slope in pairs(self):
            child.grad += slope * self.grad
        self.grad = 0.0

    bg.Value._backward = _backward


@wrong(
    hand_on,
    "own gradient overwritten with 1",
    "The node's own grad was overwritten with 1.0. Only the root starts with 1, and backward (3.4) takes care of "
    "that. Here the node's grad is there already: use it as it is.",
)
def _(bg):
    def _backward(self):
        self.grad = 1.0
        for child, slope in pairs(self):
            child.grad += slope * self.grad

    bg.Value._backward = _backward


@wrong(
    hand_on,
    "multiplies by the input's own gradient",
    "Here the slope is multiplied by the input's own gradient, and that is what you want to find out: at the start "
    "it is 0. Whose gradient is known already?",
    stuck="All gradients are 0",
)
def _(bg):
    def _backward(self):
        for child, slope in pairs(self):
            child.grad += slope * child.grad

    bg.Value._backward = _backward


@wrong(
    hand_on,
    "slope and gradient added",
    "Here the slope and the node's gradient are added. Think of the chain rule: if the node changes 3 times as fast "
    "as its input, and the root twice as fast as the node, how fast does the root change?",
)
def _(bg):
    def _backward(self):
        for child, slope in pairs(self):
            child.grad += slope + self.grad

    bg.Value._backward = _backward


@wrong(
    hand_on,
    "the sign of the gradient lost",
    "The size is right, but the sign of the node's gradient is lost: a gradient may be negative. Multiply by self.grad "
    "as it is.",
    stuck="The sign is wrong",
)
def _(bg):
    def _backward(self):
        for child, slope in pairs(self):
            child.grad += slope * abs(self.grad)

    bg.Value._backward = _backward


@wrong(
    hand_on,
    "positive gradients only",
    "Here nothing is passed back when the node's gradient is negative. A gradient may have any sign: pass it back as "
    "it is.",
)
def _(bg):
    def _backward(self):
        if self.grad > 0:
            for child, slope in pairs(self):
                child.grad += slope * self.grad

    bg.Value._backward = _backward


@wrong(
    hand_on,
    "return inside the loop",
    "Only the first input got something. (A return inside a loop ends the function in the first round.)",
)
def _(bg):
    def _backward(self):
        for child, slope in pairs(self):
            child.grad += slope * self.grad
            return

    bg.Value._backward = _backward


@wrong(
    hand_on,
    "the pairs the wrong way round",
    "Are two names the wrong way round? What is taken for the child is a slope, a plain number. The first name stands "
    "for what comes from the first sequence given to zip.",
)
def _(bg):
    def _backward(self):
        for child, slope in zip(self._slopes, self._prev):
            child.grad += slope * self.grad

    bg.Value._backward = _backward


@wrong(
    hand_on,
    "the inputs taken for one",
    "self._prev is a tuple of inputs, and a tuple has no grad. Each input in it has one.",
)
def _(bg):
    def _backward(self):
        self._prev.grad += self._slopes * self.grad

    bg.Value._backward = _backward


@wrong(
    hand_on,
    "the slopes taken for one",
    "self._slopes is a tuple: one slope for each input, in the order of _prev. How do you go through both side by "
    "side?",
)
def _(bg):
    def _backward(self):
        for child in self._prev:
            child.grad += self._slopes * self.grad

    bg.Value._backward = _backward


@wrong(
    hand_on,
    "every slope for every input",
    "Here each input gets all slopes, as when a loop inside a loop meets every combination. The first slope belongs "
    "to the first input, the second to the second: one loop is enough, over both side by side.",
)
def _(bg):
    def _backward(self):
        for child in self._prev:
            for slope in self._slopes:
                child.grad += slope * self.grad

    bg.Value._backward = _backward


@wrong(
    hand_on,
    "what was there is added again",
    "What the input's grad held before counts twice here: += adds to it already. To the right of += belongs the new "
    "share alone.",
)
def _(bg):
    def _backward(self):
        for child, slope in pairs(self):
            child.grad += child.grad + slope * self.grad

    bg.Value._backward = _backward


@wrong(
    hand_on,
    "two inputs by their places",
    "A leaf has no inputs, and the result of exp has one: then there is no [1], or not even a [0]. What deals with "
    "two, one and none alike?",
)
def _(bg):
    def _backward(self):
        for place in range(2):
            self._prev[place].grad += self._slopes[place] * self.grad

    bg.Value._backward = _backward


@wrong(
    hand_on,
    "two inputs taken for granted",
    "A leaf has no inputs, and the result of exp has one: then there are not two to unpack. What deals with two, "
    "one and none alike?",
)
def _(bg):
    def _backward(self):
        first, second = self._prev
        first.grad += self._slopes[0] * self.grad
        second.grad += self._slopes[1] * self.grad

    bg.Value._backward = _backward


@wrong(
    hand_on,
    "nodes with two inputs only",
    "Nothing is passed back to the input of a node that has only one, and the results of sin, tanh and relu are such "
    "nodes. A node has as many inputs as stand in _prev: what deals with one, two and three alike?",
)
def _(bg):
    def _backward(self):
        if len(self._prev) == 2:
            for child, slope in pairs(self):
                child.grad += slope * self.grad

    bg.Value._backward = _backward


@wrong(
    hand_on,
    "one input or two",
    "A node with three inputs passes nothing back here. You need not know how many there are: what goes through all "
    "inputs of a node, however many?",
)
def _(bg):
    def _backward(self):
        if len(self._prev) < 3:
            for child, slope in pairs(self):
                child.grad += slope * self.grad

    bg.Value._backward = _backward


@wrong(
    hand_on,
    "a single input is assigned to",
    "Where there are two inputs you add, and where there is one its gradient is overwritten. Another node may use that "
    "input too: add there as well.",
)
def _(bg):
    def _backward(self):
        for child, slope in pairs(self):
            child.grad = slope * self.grad + (child.grad if len(self._prev) > 1 else 0.0)

    bg.Value._backward = _backward


@wrong(
    hand_on,
    "the first slope of an input, each time",
    "a stands in _prev twice, each time with a slope of its own, and here the first of the two slopes counted both "
    "times. An input and its slope stand at the same place of their tuples: go through both side by side.",
)
def _(bg):
    def _backward(self):
        for child in self._prev:
            child.grad += self._slopes[self._prev.index(child)] * self.grad

    bg.Value._backward = _backward


@wrong(
    hand_on,
    "a rounded gradient",
    "The gradient is rounded. Pass it back with all its digits: what is lost in one step is lost for all that follow.",
)
def _(bg):
    def _backward(self):
        for child, slope in pairs(self):
            child.grad = round(child.grad + slope * self.grad, 6)

    bg.Value._backward = _backward


# 3.2 and 3.3: the order of the nodes, by calls and with a stack.


def wrong_order(ex, name, words, stuck=""):
    """Register the decorated function(root), which gives nodes in some order, as a misconception of 3.2 or 3.3."""

    def register(function):
        wrong(ex, name, words, stuck)(lambda bg: setattr(bg.value, ex.title, function))
        return function

    return register


def wrong_orders(name, words, stuck=""):
    """The same as a misconception of both."""

    def register(function):
        for ex in (calls, order):
            wrong_order(ex, name, words, stuck)(function)
        return function

    return register


def finish(root, may_enter, leave):
    """Depth first, as most people write it: leave(node, order) is called when a node's inputs are done."""
    nodes, seen = [], set()

    def visit(node):
        if may_enter(node, seen):
            for child in node._prev:
                visit(child)
            leave(node, nodes)

    visit(root)
    return nodes


def once(mark_of):
    """may_enter for nodes with a mark that was not seen before."""

    def may_enter(node, seen):
        known = mark_of(node) in seen
        seen.add(mark_of(node))
        return not known

    return may_enter


def on_the_list(node, nodes):
    nodes.append(node)


def inputs_first(root):
    """A right order, by calls."""
    return finish(root, once(lambda node: node), on_the_list)


def on_a_stack(root, put_down, take_up):
    """put_down says whether an input is put on the stack, take_up whether it counts when it is taken off."""
    nodes, seen, stack = [], {root}, [(root, False)]
    while stack:
        node, inputs_are_done = stack.pop()
        if inputs_are_done:
            nodes.append(node)
        elif take_up(node, seen):
            stack.append((node, True))
            stack.extend((child, False) for child in node._prev if put_down(child, seen))
    return nodes


def noted(root, note_of_inputs=False, take=list.pop):
    """With notes on a stack; what the inputs' notes say, and from where the next is taken, may be wrong."""
    nodes, seen, stack = [], set(), [(root, False)]
    while stack:
        node, inputs_are_done = take(stack)
        if inputs_are_done:
            nodes.append(node)
        elif node not in seen:
            seen.add(node)
            stack.append((node, True))
            stack.extend((child, note_of_inputs) for child in node._prev)
    return nodes


@wrong_order(
    calls,
    "on the list when first met",
    "Here a node goes on the list before its inputs do, as in Ada's walk. It must be the other way round: first all "
    "inputs, then the node. One line of visit is in the wrong place.",
)
@wrong_order(
    order,
    "on the list when first met",
    "Here a node goes on the list before its inputs do. A node must come off the stack twice: the first time it "
    "goes back, with a note and below its inputs, and only the second time does it go on the list. (It has a note? "
    "What is put on the stack last comes off first: then look at what you put on it first.)",
)
def in_order_of_meeting(root):
    """Each node once, when it is first met: the root, its first input, the first input of that, ..."""
    nodes, seen, stack = [], set(), [root]
    while stack:
        node = stack.pop()
        if node not in seen:
            seen.add(node)
            nodes.append(node)
            stack.extend(reversed(node._prev))
    return nodes


@wrong_orders(
    "on the list when first met, turned round",
    "Reversing the list puts the root last, but it does not help a node that is used twice: it was listed when you "
    "first met it, although another node that uses it had not been met yet. List a node when its inputs are done.",
)
def _(root):
    return in_order_of_meeting(root)[::-1]


@wrong_orders(
    "level by level",
    "This goes by the distance from the root. A node that is used by L and by z is near the root, and must still "
    "wait for z: what counts is its farthest use, not its nearest. Deal with all inputs of a node before you list "
    "it.",
)
def _(root):
    nodes, seen = [root], {root}
    for node in nodes:
        for child in node._prev:
            if child not in seen:
                seen.add(child)
                nodes.append(child)
    return nodes[::-1]


@wrong_order(
    calls,
    "no marks",
    "No call remembers what the others visited, so a node is listed once for each path that leads to it. In y * y "
    "that is twice already, and 30 doublings make a billion paths. Keep one set of visited nodes for all calls, and "
    "skip those. (There is a set? If each call makes a new one, it knows nothing of the others: let a function "
    "inside post_order call itself, with the set outside it.)",
    stuck="It is right but takes forever",
)
@wrong_order(
    order,
    "no marks",
    "Nothing remembers which nodes are finished, so a node is listed once for each path that leads to it. In y * y "
    "that is twice already, and 30 doublings make a billion paths. Keep a set of finished nodes, and skip those.",
    stuck="It is right but takes forever",
)
def _(root):
    return on_a_stack(root, lambda *_: True, lambda *_: True)


@wrong_order(
    calls,
    "a set of its own for each call",
    "Each call makes a set of its own and knows nothing of what the others visited: two inputs made from the same "
    "node list it twice. Where must list and set be made, so that all calls share them?",
)
def _(root):
    def with_its_own(node):
        nodes, seen = [], set()
        for child in node._prev:
            if child not in seen:
                seen.add(child)
                nodes.extend(with_its_own(child))
        return [*nodes, node]

    return with_its_own(root)


@wrong_order(
    calls,
    "walks every path, lists each node once",
    "The order is right, but the walk goes into a node again each time it meets it, and only notices afterwards "
    "that the node is listed already: 30 doublings make a billion paths. Ask before going into its inputs, not "
    "after. (You ask before? Then is there one set for all calls, or does each call make its own?)",
    stuck="It is right but takes forever",
)
@wrong_order(
    order,
    "walks every path, lists each node once",
    "The order is right, but the walk goes into a node again each time it meets it, listed already or not: 30 "
    "doublings make a billion paths. Go into its inputs the first time only. (Is your order wrong then? List a node "
    "when its inputs are done, and no later visit is needed.)",
    stuck="It is right but takes forever",
)
def _(root):
    return finish(root, lambda node, seen: True, lambda node, nodes: node in nodes or nodes.append(node))


@wrong_orders(
    "sorted by number",
    "Here the nodes are sorted by their numbers. A result can be smaller than what it was made from: 2 * -3 is. "
    "What counts is which node was made from which, and data does not tell you that.",
)
def _(root):
    return sorted(inputs_first(root), key=lambda node: node.data)


@wrong_orders(
    "ticks off numbers",
    "Two nodes may hold the same number and are still two nodes: here the second one is skipped. Put the "
    "node itself into the set, not its data.",
)
def _(root):
    return finish(root, once(lambda node: node.data), on_the_list)


@wrong_orders(
    "root missing",
    "All nodes below are listed, but root itself is not. It goes on the list like every other node, after "
    "its inputs: last.",
)
def _(root):
    return inputs_first(root)[:-1]


@wrong_orders(
    "leaves missing",
    "Numbers made by hand are nodes too. They have nothing to pass back, but what is passed back to them counts, "
    "and the list is of all nodes.",
)
def _(root):
    return [node for node in inputs_first(root) if node._prev]


@wrong_orders(
    "root first",
    "This is the order of the backward pass, root first. The list is wanted the other way round, in the order of "
    "computing: inputs before results, root last. backward will reverse it.",
)
def _(root):
    return inputs_first(root)[::-1]


@wrong_order(
    calls,
    "only the root listed",
    "Only the root is listed: its inputs are never visited, or what their visits find is lost. Is it the child that "
    "is visited, and not the node again? And do all visits add to one list, made once, in post_order? A list that a "
    "visit makes and returns is thrown away unless somebody keeps it.",
)
@wrong_order(
    order,
    "only the root listed",
    "Only the root is listed. Were the inputs marked when they were put on the stack? Then they are skipped when "
    "they are taken off. Mark a node when you take it off the stack. (Or does the function call itself, and does "
    "nobody keep the lists that the calls return?)",
)
def _(root):
    return [root]


# Slips with calls.


@wrong_order(
    calls,
    "on the list once for each input",
    "Is the line that puts a node on the list inside a loop over its inputs? So it runs once for each input: twice "
    "for a product, and never for a leaf. Where should it be, to run exactly once?",
)
def _(root):
    nodes, seen = [], set()

    def visit(node):
        if node not in seen:
            seen.add(node)
            for child in node._prev:
                visit(child)
                nodes.append(node)

    visit(root)
    return nodes


@wrong_order(
    calls,
    "nobody is visited",
    "The list stays empty. The function inside was written, but is it ever called? def only gives it a name. (It is "
    "called? Then do the visits put the nodes on this list, or on one that each of them makes?)",
)
def _(root):
    return []


@wrong_order(
    calls,
    "return inside the loop",
    "A return ends the function at once: in a loop only the first input is visited, and the node itself is never "
    "listed. A function that only visits returns nothing.",
)
def _(root):
    nodes, seen = [], set()

    def visit(node):
        if node not in seen:
            seen.add(node)
            for child in node._prev:
                return visit(child)
            nodes.append(node)

    visit(root)
    return nodes


@wrong_order(
    calls,
    "all inputs visited at once",
    "node._prev is the tuple of all inputs, and visit takes one node. Visit them one by one.",
)
def _(root):
    return [*finish(root._prev, lambda node, seen: True, on_the_list), root]


@wrong_orders(
    "numbers on the list",
    "What stands on the list is not the nodes themselves. Put the node on it, not its data or its label.",
)
def _(root):
    return [node.data for node in inputs_first(root)]


def remembering():
    kept = []

    def post_order(root):
        kept.extend(inputs_first(root))
        return list(kept)

    return post_order


@wrong(
    calls,
    "a list that outlives the call",
    "From the second call on, the list still holds the nodes of the first. Python makes a default value (what "
    "follows = in the def line) once, for all calls; a list outside the function lives on too. Make the list and "
    "the set inside.",
)
def _(bg):
    bg.value.post_order = remembering()


@wrong_orders(
    "inputs of nodes with two inputs only",
    "A node with one input, or with three, is listed without what it was made from. _prev may hold any number of "
    "nodes: go through all of them.",
)
def _(root):
    nodes, seen = [], set()

    def visit(node):
        if node not in seen:
            seen.add(node)
            for child in node._prev if len(node._prev) == 2 else ():
                visit(child)
            nodes.append(node)

    visit(root)
    return nodes


@wrong_orders(
    "marks that stay on the nodes",
    "The first time the list is right. What marks a node as seen is still there the second time: is it kept in the "
    "node itself, or in something made outside the function? Make a set in the function, for each call a new one.",
)
def _(root):
    def first_time(node, seen):
        known = hasattr(node, "_seen")
        node._seen = True
        return not known

    return finish(root, first_time, on_the_list)


# Slips with a stack.


@wrong_order(
    order,
    "marked as seen while still waiting",
    "This looks like marking a node as seen when it is put on the stack. It waits there, and a node that needs it "
    "earlier skips it because of the mark. What if you marked it later?",
)
def _(root):
    def unseen(child, seen):
        known = child in seen
        seen.add(child)
        return not known

    return on_a_stack(root, unseen, lambda node, seen: True)


@wrong_order(
    order,
    "not asked again when taken off",
    "A node can be on the stack twice: it was not finished yet when the second node that uses it put it there. What "
    "must you ask again when you take it off?",
)
def _(root):
    nodes, finished, stack = [], set(), [(root, False)]
    while stack:
        node, inputs_are_done = stack.pop()
        if inputs_are_done:
            finished.add(node)
            nodes.append(node)
        else:
            stack.append((node, True))
            stack.extend((child, False) for child in node._prev if child not in finished)
    return nodes


@wrong_order(
    order,
    "listed again when it comes up again",
    "The order is right, but a node is listed again: two nodes that use it had put it on the stack. What must you "
    "ask when it comes up the second time?",
)
def _(root):
    nodes, finished, stack = [], set(), [root]
    while stack:
        node = stack[-1]
        if all(child in finished for child in node._prev):
            finished.add(stack.pop())
            nodes.append(node)
        else:
            stack.extend(node._prev)
    return nodes


@wrong_order(
    order,
    "searches a list",
    "Your order is right: only the last question is left. Which list do you ask whether a node is in it?",
    stuck="It is right but takes forever",
)
def _(root):
    nodes, seen, stack = [], [], [(root, False)]
    while stack:
        node, inputs_are_done = stack.pop()
        if inputs_are_done:
            nodes.append(node)
        elif node not in seen:
            seen.append(node)
            stack.append((node, True))
            stack.extend((child, False) for child in node._prev)
    return nodes


@wrong_order(
    order,
    "skipped when it comes up again",
    "The list stays empty: each node is marked when it is first taken off the stack, and when its note comes up, "
    "the mark keeps it off the list. For which of the two flags should you look at the mark?",
)
def _(root):
    return []


@wrong_order(
    order,
    "taken from the front",
    "pop(0) takes from the front, so that a node's note comes up before its inputs do. From a stack you take what "
    "was put on last: here the inputs. Which pop does that?",
)
def _(root):
    return noted(root, take=lambda stack: stack.pop(0))


@wrong_order(
    order,
    "the inputs put down as done",
    "The inputs were put on the stack as if they were done: (child, True). So nobody looked at what they were made "
    "from. Which flag should an input have that nobody has dealt with?",
)
def _(root):
    return noted(root, note_of_inputs=True)


@wrong_order(
    order,
    "an input without its note",
    "What is taken off the stack is a pair, so what you put on it must be a pair too: the child and its flag.",
)
def _(root):
    stack = [(root, False)]
    while stack:
        node, _ = stack.pop()
        stack.extend(node._prev)


@wrong_order(
    order,
    "two things put down at once",
    "append takes one thing. Two things become one, a pair, in round brackets of their own.",
)
def _(root):
    stack = [(root, False)]
    for child in root._prev:
        stack.append(child, False)


wrong_order(
    order,
    "a function that calls itself",
    "Your order is right: only the last question is left. A function that calls itself goes as deep as the graph. "
    "Keep the nodes that wait in a list of your own, and take one off in each round of a while loop.",
    stuck="Python gives up: maximum recursion depth",
)(inputs_first)


# 3.4: the whole walk.


def patch_walk(bg, before, after=lambda self, nodes: None, turned=True):
    """backward with another preparation: before(self, nodes); and something done after it."""

    def backward(self):
        nodes = bg.value.topological_order(self)
        before(self, nodes)
        for node in reversed(nodes) if turned else nodes:
            node._backward()
        after(self, nodes)

    bg.Value.backward = backward


def wipe_results(nodes):
    for node in nodes:
        if node._prev:
            node.grad = 0.0


def prepare(self, nodes):
    """What is right before the walk."""
    wipe_results(nodes)
    self.grad += 1.0


@wrong(
    walk,
    "from the leaves to the root",
    "Only the root's own inputs got something. So only the root has passed its gradient back, or the others did "
    "so too early: from the leaves to the root, when they had none yet. The list has the order of the forward pass; "
    "from which end does the backward pass take it?",
    stuck="All gradients are 0",
)
def _(bg):
    patch_walk(bg, prepare, turned=False)


@wrong(
    walk,
    "root's gradient not set",
    "Nothing starts the backward pass. A node multiplies by its own gradient, and the root's is still 0, so all the "
    "others stay 0. How much does L change for each unit that L changes?",
    stuck="All gradients are 0",
)
def _(bg):
    patch_walk(bg, lambda self, nodes: wipe_results(nodes))


@wrong(
    walk,
    "root's gradient set too early",
    "The root was made from others too, so setting gradients to 0.0 wipes out the 1.0 that you had put there. Which "
    "of the two must come first?",
    stuck="All gradients are 0",
    same_as={"root's gradient not set": "of a root that was made from others both leave 0.0, and so all is 0.0"},
)
def _(bg):
    def before(self, nodes):
        self.grad += 1.0
        wipe_results(nodes)

    patch_walk(bg, before)


@wrong(
    walk,
    "root's gradient set to 1.0, also for a leaf",
    "Only one case is left: a leaf as the root. Leaves accumulate what all walks find, so its gradient must grow by "
    "1.0. For any other root that makes no difference, because it was set to 0.0 just before.",
)
def _(bg):
    def before(self, nodes):
        wipe_results(nodes)
        self.grad = 1.0

    patch_walk(bg, before)


@wrong(
    walk,
    "root's gradient is its number",
    "Here the walk starts with the root's number (data). ∂L/∂L is asked for: how much does the root change for each "
    "unit that the root changes?",
)
def _(bg):
    def before(self, nodes):
        wipe_results(nodes)
        self.grad = self.data

    patch_walk(bg, before)


@wrong(
    walk,
    "inner nodes not wiped",
    "The first walk is right. In the second one the inner nodes still hold what the first left there, and pass it "
    "back again: 9 instead of 6. Which gradients must be 0.0 when a walk begins?",
    stuck="Gradients grow with each step",
)
def _(bg):
    def before(self, nodes):
        self.grad = 1.0

    patch_walk(bg, before)


@wrong(
    walk,
    "inner nodes not wiped, root counted up",
    "The first walk is right. In the second one all inner nodes, the root among them, still hold what the first "
    "left there, and pass it back again: 12 instead of 6. Which gradients must be 0.0 when a walk begins?",
    stuck="Gradients grow with each step",
)
def _(bg):
    def before(self, nodes):
        self.grad += 1.0

    patch_walk(bg, before)


@wrong(
    walk,
    "the wrong nodes wiped",
    "The leaves were reset and the inner nodes were not. `not node._prev` is true for the nodes that have no "
    "inputs: those are the leaves. Reverse the condition.",
    stuck="Gradients grow with each step",
)
def _(bg):
    def before(self, nodes):
        for node in nodes:
            if not node._prev:
                node.grad = 0.0
        self.grad += 1.0

    patch_walk(bg, before)


@wrong(
    walk,
    "the wrong nodes wiped, root set to 1.0",
    "The leaves were reset and the inner nodes were not. `not node._prev` is true for the nodes that have no "
    "inputs: those are the leaves. Reverse the condition.",
    stuck="Gradients grow with each step",
)
def _(bg):
    def before(self, nodes):
        for node in nodes:
            if not node._prev:
                node.grad = 0.0
        self.grad = 1.0

    patch_walk(bg, before)


@wrong(
    walk,
    "root not wiped",
    "The inner nodes start afresh, but the root kept the 1.0 of the first walk and got another. The root was made "
    "from others too (unless it is a leaf), so reset it like them, and then add 1.0.",
    stuck="Gradients grow with each step",
)
def _(bg):
    def before(self, nodes):
        wipe_results(nodes[:-1])
        self.grad += 1.0

    patch_walk(bg, before)


@wrong(
    walk,
    "leaves wiped too",
    "Each walk wipes out what an earlier one has put into the leaves. Leaves accumulate, until you call "
    "zero_grad(). Reset only nodes that were made from others: how can you tell from their _prev?",
)
def _(bg):
    def before(self, nodes):
        for node in nodes:
            node.grad = 0.0
        self.grad = 1.0

    patch_walk(bg, before)


@wrong(
    walk,
    "inner nodes wiped after the walk",
    "The leaves are right, but the inner nodes have lost their gradients again. Reset them before the walk, not "
    "after it, so that you can look at them.",
)
def _(bg):
    patch_walk(bg, prepare, after=lambda self, nodes: wipe_results(nodes))


@wrong(
    walk,
    "first visit",
    "Here a node passes its gradient back when it is first reached. If it is used twice, the second share "
    "arrives too late for that. topological_order knows whose turn it is.",
)
def _(bg):
    def backward(self):
        nodes = in_order_of_meeting(self)
        prepare(self, nodes)
        for node in nodes:
            node._backward()

    bg.Value.backward = backward


@wrong(
    walk,
    "every visit",
    "Here a node passes back all that it holds each time it is reached: what it had passed back before is "
    "counted again. Each node passes its gradient back once, after all that used it: topological_order gives the "
    "order.",
)
def _(bg):
    def backward(self):
        prepare(self, bg.value.topological_order(self))
        stack = [self]
        while stack:
            node = stack.pop()
            node._backward()
            stack.extend(reversed(node._prev))

    bg.Value.backward = backward


@wrong(
    walk,
    "backward of the inputs",
    "backward starts a walk of its own: it sets the gradient of the node that it is called on. So an input on which "
    "you call it loses what was passed back to it. Which method does a single step?",
)
def _(bg):
    def backward(self):
        self.grad = 1.0
        self._backward()
        for child in self._prev:
            child.backward()

    bg.Value.backward = backward


@wrong(
    walk,
    "the root has every turn",
    "Each time it is the root that passes on its gradient: self is the root, whichever node's turn it is. What is the "
    "node called whose turn it is?",
)
def _(bg):
    def backward(self):
        nodes = bg.value.topological_order(self)
        prepare(self, nodes)
        for _ in nodes:
            self._backward()

    bg.Value.backward = backward


@wrong(
    walk,
    "topological_order called as a method",
    "topological_order is a function beside the class, not a method: nothing stands before its name. How does it "
    "learn which node is the root?",
)
def _(bg):
    bg.Value.backward = lambda self: self.topological_order()


@wrong(
    walk,
    "passes its gradient as an argument",
    "_backward takes no argument: a node knows its own gradient.",
)
def _(bg):
    def backward(self):
        nodes = bg.value.topological_order(self)
        prepare(self, nodes)
        for node in reversed(nodes):
            node._backward(node.grad)

    bg.Value.backward = backward


@wrong(
    walk,
    "something is returned",
    "The gradients are right, but backward returns something. What it finds is in the grads, so there is nothing to "
    "return.",
)
def _(bg):
    right = bg.Value.backward

    def backward(self):
        right(self)
        return self

    bg.Value.backward = backward


@wrong(
    walk,
    "_backward named but not called",
    "The root has its 1.0, but passes nothing back. Is it left out of the loop? It must come first. Or does your code "
    "say node._backward without brackets? That names the method, but does not call it. (Or does the root get its "
    "1.0 after the loop?)",
    stuck="All gradients are 0",
)
def _(bg):
    bg.Value.backward = lambda self: prepare(self, bg.value.topological_order(self))


@wrong(
    walk,
    "reverse() gives nothing back",
    "a_list.reverse() reverses the list in place and returns None, and None cannot be gone through. reversed(a_list) "
    "is what a for loop can go through.",
)
def _(bg):
    def backward(self):
        for _ in bg.value.topological_order(self).reverse():
            pass

    bg.Value.backward = backward


@wrong(
    walk,
    "does the multiplying itself",
    "The numbers are right, but backward multiplies slopes itself instead of calling node._backward(). A node may "
    "have a _backward of its own, as in other courses' engines, and then that is the one to call.",
)
def _(bg):
    def backward(self):
        nodes = bg.value.topological_order(self)
        prepare(self, nodes)
        for node in reversed(nodes):
            for child, slope in pairs(node):
                child.grad += slope * node.grad

    bg.Value.backward = backward


@wrong(
    walk,
    "nodes with one input are left out",
    "Nodes with two inputs have passed their gradients back, and others have not. Call _backward() on every node: it "
    "finds out itself how many inputs there are.",
)
def _(bg):
    def backward(self):
        nodes = bg.value.topological_order(self)
        prepare(self, nodes)
        for node in reversed(nodes):
            if len(node._prev) == 2 or "_backward" in vars(node):
                node._backward()

    bg.Value.backward = backward


# The hunts.


@wrong(
    hunt,
    "only the example",
    "a + a is the example: it gives A away, because two shares arrive at a. B and C get it right. For B you "
    "need a result that is used twice, for C two nodes that have something in common.",
)
def _(bg):
    bg.hunts.tell_them_apart = lambda a, b: a + a


@wrong(
    hunt,
    "a result written twice instead of used twice",
    "a ** 2 is written twice, and each time Python makes a new node. So no result is used twice, and B has nothing "
    "to stumble over. How do you use one result twice?",
)
def _(bg):
    bg.hunts.tell_them_apart = lambda a, b: a**2 * (3 * a**2)


@wrong(
    hunt,
    "the three steps of the notebook",
    "These are the three steps of the notebook. A and B get them wrong, and C does not: all nodes hold different "
    "numbers. Which two nodes could C take for one and the same?",
)
def _(bg):
    def tell_them_apart(a, b):
        y = a * a
        return y * (y * 3)

    bg.hunts.tell_them_apart = tell_them_apart
