"""Wrong ideas about notebook 03, each as a patch for a private copy of the reference."""

from grader.course.exercise import wrong

from .exercises import calls, hand_on, hunt, order, slow, walk


def pairs(node):
    """(input, slope to it), for each input."""
    return zip(node._prev, node._slopes)


# 3.1: how a node hands its gradient on.


@wrong(
    hand_on,
    "assigns instead of adding",
    "With = the share that arrives last wins, and what was there before is lost. For a + a that gives 1, "
    "and 2 is right. Each share has to be added to what the input's grad holds.",
    stuck="Right for a + b, wrong for a + a",
)
def _(bg):
    def _backward(self):
        for child, slope in pairs(self):
            child.grad = slope * self.grad

    bg.Value._backward = _backward


@wrong(
    hand_on,
    "own gradient forgotten",
    "The local slope says how much this node changes. How much the root changes then is what the node's "
    "own grad knows, and it is missing here. It only goes unnoticed while that grad is 1.",
)
def _(bg):
    def _backward(self):
        for child, slope in pairs(self):
            child.grad += slope

    bg.Value._backward = _backward


@wrong(
    hand_on,
    "local slope forgotten",
    "Every input gets the same here, as if each unit of an input were a unit of the result. That is so "
    "for a + b. In a * b, how much does the product change for each unit of a? The node keeps that number "
    "in _slopes.",
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
    "a * a has the same input twice, and each use sends its own share. Here a gets only one of the two. A "
    "set or a dict keeps equal things once: go through _prev itself.",
    stuck="Right for a + b, wrong for a + a",
)
def _(bg):
    def _backward(self):
        for child, slope in dict(pairs(self)).items():
            child.grad += slope * self.grad

    bg.Value._backward = _backward


@wrong(
    hand_on,
    "hands on its number",
    "Here the slope is multiplied by the node's number (data). Going forward numbers are handed on; going "
    "back it is the gradient. Which of the node's two numbers says how much the root changes?",
)
def _(bg):
    def _backward(self):
        for child, slope in pairs(self):
            child.grad += slope * self.data

    bg.Value._backward = _backward


@wrong(
    hand_on,
    "the input's number taken for the slope",
    "Here the input's own number stands where the slope to it should stand. For a * b the slope to a is "
    "b's number, and for a + b it is 1. You need not work that out again: the operation has left it in "
    "_slopes.",
)
def _(bg):
    def _backward(self):
        for child in self._prev:
            child.grad += child.data * self.grad

    bg.Value._backward = _backward


@wrong(
    hand_on,
    "from the inputs to the node",
    "Here the node collects from its inputs. The walk goes the other way: the node knows its gradient "
    "already, and its inputs are waiting for theirs. So child.grad is what changes, and self.grad stays.",
)
def _(bg):
    def _backward(self):
        for child, slope in pairs(self):
            self.grad += slope * child.grad

    bg.Value._backward = _backward


@wrong(
    hand_on,
    "shares that never arrive",
    "Nothing arrives at the inputs. To compute the shares, or to return them, is not enough: each one must be added to "
    "the grad of its input. (Or does the constructor give every node a _backward of its own? Then that one is called, "
    "and the method is not.)",
    stuck="All gradients are 0",
)
def _(bg):
    bg.Value._backward = lambda self: [slope * self.grad for slope in self._slopes]


@wrong(
    hand_on,
    "goes on to the inputs' inputs",
    "Here each input hands on at once, before it has heard from everyone who used it. One call of "
    "_backward is one step: this node to its own inputs. Who calls it on the others, and when, is the "
    "question of 3.2 to 3.4.",
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
    "The inputs get the right shares, but then the node's own grad is set to 0. Handing on takes nothing "
    "away: the root still changes as much for each unit of this node, and drawings show it.",
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
    "The node's own grad was overwritten with 1.0. Only the root starts with 1, and backward (3.4) sees to "
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
    "The slope is multiplied by the input's own gradient here, and that is what you want to find out: at the "
    "start it is 0. It is the node's gradient that counts, self.grad.",
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
    "The slope and the node's gradient are added here. Along a path they are multiplied: if the node changes 3 times "
    "as fast as its input, and the root twice as fast as the node, the root changes 6 times as fast as the input.",
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
    "Nothing is handed on here when the node's gradient is negative. A gradient may have any sign: hand it on as it "
    "is.",
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
    "Only the first input got its share. A return ends the function at once: does it stand inside the loop, or below "
    "it?",
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
    "The loop gives its names the wrong way round: what is called the child is a slope, a plain number. The first name "
    "gets what comes from the first list that zip was given.",
)
def _(bg):
    def _backward(self):
        for child, slope in zip(self._slopes, self._prev):
            child.grad += slope * self.grad

    bg.Value._backward = _backward


@wrong(
    hand_on,
    "the inputs taken for one",
    "self._prev is a tuple of inputs, and a tuple has no grad. Go through it: each input has one.",
)
def _(bg):
    def _backward(self):
        self._prev.grad += self._slopes * self.grad

    bg.Value._backward = _backward


@wrong(
    hand_on,
    "the slopes taken for one",
    "self._slopes is a tuple: one slope for each input. Each input is multiplied by its own: go through both side by "
    "side.",
)
def _(bg):
    def _backward(self):
        for child in self._prev:
            child.grad += self._slopes * self.grad

    bg.Value._backward = _backward


@wrong(
    hand_on,
    "every slope for every input",
    "Each input gets all slopes here: a loop inside a loop meets every pair. The first slope belongs to the first "
    "input, the second to the second: one loop, over both side by side.",
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
    "What the input's grad held before counts twice here: += adds it by itself. To the right of += stands the new "
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
    "A leaf has no inputs, and the result of exp has one: then there is no [1], or not even a [0]. A loop over the "
    "pairs deals with two, one and none.",
)
def _(bg):
    def _backward(self):
        for place in range(2):
            self._prev[place].grad += self._slopes[place] * self.grad

    bg.Value._backward = _backward


@wrong(
    hand_on,
    "two inputs taken for granted",
    "A leaf has no inputs, and the result of exp has one: then there are no two to unpack. A loop over the "
    "pairs deals with two, one and none.",
)
def _(bg):
    def _backward(self):
        first, second = self._prev
        first.grad += self._slopes[0] * self.grad
        second.grad += self._slopes[1] * self.grad

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
    "inputs, then the node. One line of visit stands in the wrong place.",
)
@wrong_order(
    order,
    "on the list when first met",
    "Here a node goes on the list before its inputs do. It must come by twice: the first time it goes back on the "
    "stack, with a note and below its inputs, and only the second time on the list. (It has a note? What is put down "
    "last comes off first: so put the node down before its inputs, not after them.)",
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
    "Turning the list round puts the root last, but it does not help a node that is used twice: it was "
    "listed when you first met it, although somebody else who uses it had not been met yet. List a node "
    "when its inputs are done.",
)
def _(root):
    return in_order_of_meeting(root)[::-1]


@wrong_orders(
    "level by level",
    "This goes by the distance from the root. A node that is used by L and by z is near the root and must "
    "still wait for z: the nearest use does not count, the farthest does. Deal with all inputs of a node "
    "before you list it.",
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
    "No call remembers what the others visited, so a node is listed once for each way that leads to it. In y * y that "
    "is twice already, and 30 doublings are a billion ways. Keep one set of visited nodes for all calls, and leave "
    "those alone. (There is a set? If each call makes it anew, it has forgotten: let a function inside post_order call "
    "itself, with the set outside of it.)",
    stuck="It is right but takes for ever",
)
@wrong_order(
    order,
    "no marks",
    "Nothing remembers which nodes are finished, so a node is listed once for each way that leads to it. "
    "In y * y that is twice already, and 30 doublings are a billion ways. Keep a set of finished nodes, "
    "and skip those.",
    stuck="It is right but takes for ever",
)
def _(root):
    return on_a_stack(root, lambda *_: True, lambda *_: True)


@wrong_order(
    calls,
    "a set of its own for each call",
    "Each call makes a set of its own and knows nothing of what the others visited: two inputs that were made from the "
    "same node list it twice. Make list and set once, in post_order, and let a function inside it call itself: all its "
    "calls share them.",
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
    "The order is right, but the walk goes into a node again each time it meets it and only notices afterwards that "
    "the node is listed already: 30 doublings are a billion ways. Ask before going into its inputs, not after. (You "
    "ask before? Then is there one set for all calls, or does each call make its own?)",
    stuck="It is right but takes for ever",
)
@wrong_order(
    order,
    "walks every path, lists each node once",
    "The order is right, but the walk goes into a node again each time it meets it and only notices at "
    "the end that the node is listed already. Ask before going into its inputs, not after: 30 doublings "
    "are a billion ways.",
    stuck="It is right but takes for ever",
)
def _(root):
    return finish(root, lambda node, seen: True, lambda node, nodes: node in nodes or nodes.append(node))


@wrong_orders(
    "sorted by number",
    "Here the nodes stand in the order of their numbers. A result can be smaller than what it was made from: "
    "2 * -3 is. What counts is who was made from whom, and the data does not know that.",
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
    "Numbers made by hand are nodes too. They have nothing to hand on, but what is handed to them counts, "
    "and the list is of all nodes.",
)
def _(root):
    return [node for node in inputs_first(root) if node._prev]


@wrong_orders(
    "root first",
    "The order is good for the walk back, root first. This list is asked for the other way round, as one "
    "would compute: inputs before results, root last. backward will turn it round.",
)
def _(root):
    return inputs_first(root)[::-1]


@wrong_order(
    calls,
    "only the root listed",
    "Only the root is listed: its inputs are never visited, or what their visits find is lost. Does the loop visit the "
    "child, and not the node again? And do all visits put on one list, made once, in post_order? A list of their own "
    "that they return is thrown away.",
)
@wrong_order(
    order,
    "only the root listed",
    "Only the root is listed. Were the inputs marked when they were put on the stack? Then they are skipped when they "
    "are taken off. Mark a node when you take it off the stack. (Or does the function call itself, and nobody keeps "
    "the lists that the calls return?)",
)
def _(root):
    return [root]


# Slips with calls.


@wrong_order(
    calls,
    "on the list once for each input",
    "The line that puts a node on the list stands inside the loop over its inputs. So it runs once for each input: "
    "twice for a product, and never for a leaf. It belongs below the loop, not in it.",
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
    "The list stays empty. The function inside was written, but is it called? def only gives it a name: it begins with "
    "visit(root). (It is called? Then do the visits put the nodes on this list, or on one that each of them makes?)",
)
def _(root):
    return []


@wrong_order(
    calls,
    "return inside the loop",
    "A return ends the function at once: with it in the loop only the first input is visited, and the node itself is "
    "never listed. visit gives nothing back: leave the return out.",
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
    "all inputs handed over at once",
    "node._prev is the tuple of all inputs, and visit takes one node. Go through the tuple, and visit each.",
)
def _(root):
    return [*finish(root._prev, lambda node, seen: True, on_the_list), root]


@wrong_orders(
    "numbers on the list",
    "The list holds numbers, and nodes are asked for: put the node itself on it, not its data.",
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
    "From the second call on the list still holds the nodes of the first. Python makes what stands behind = in a def "
    "line once, for all calls; a list outside of the function lives on too. Make the list and the set inside.",
)
def _(bg):
    bg.value.post_order = remembering()


# Slips with a stack.


@wrong_order(
    order,
    "marked as seen while still waiting",
    "This looks like marking a node as seen when it is put on the stack. It waits there, and whoever "
    "needs it earlier skips it because of the mark. Mark a node when you take it off the stack.",
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
    "A node can wait on the stack twice: it was not finished yet when its second user put it there. When you take "
    "it off, ask again whether it is finished by now, and if so, leave it out.",
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
    "The order is right, but a node is listed again: two users had put it on the stack. When it comes up, ask whether "
    "it is finished by now, and if so, only take it off.",
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
    "Your order is right: only the last question is left. Keep the nodes that are known in a set, and ask that: a set "
    "finds a node at once, however many there are.",
    stuck="It is right but takes for ever",
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
    "The list stays empty: each node is marked when it is first taken off the stack, and when its note comes up, the "
    "mark keeps it off the list. Ask for the mark only where the flag is False; where it is True, the node goes on.",
)
def _(root):
    return []


@wrong_order(
    order,
    "taken from the front",
    "pop(0) takes from the front, so that a node's note comes up before its inputs do. A stack is taken from at its "
    "end: pop(). Then what was put on last, the inputs, comes first.",
)
def _(root):
    return noted(root, take=lambda stack: stack.pop(0))


@wrong_order(
    order,
    "the inputs put down as done",
    "The inputs were put on the stack as if they were done: (child, True). So theirs were never looked at. An input is "
    "new: (child, False). Only the node itself goes back with True.",
)
def _(root):
    return noted(root, note_of_inputs=True)


@wrong_order(
    order,
    "an input without its note",
    "What is taken off the stack is a pair, so what is put on must be one too: (child, False), not the child alone.",
)
def _(root):
    stack = [(root, False)]
    while stack:
        node, _ = stack.pop()
        stack.extend(node._prev)


@wrong_order(
    order,
    "two things put down at once",
    "append takes one thing. A pair has brackets of its own: stack.append((child, False)).",
)
def _(root):
    stack = [(root, False)]
    for child in root._prev:
        stack.append(child, False)


wrong_order(
    order,
    "a function that calls itself",
    "Your order is right: only the last question is left. A walk by calls goes as deep as the graph. Keep "
    "the nodes that wait in a list of your own, and take one off in each round of a while loop.",
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
    "Only the root's own inputs got something. So only the root has handed on, or the others spoke too "
    "early: from the leaves to the root, when they had nothing yet. The list has the order of computing; "
    "go through it from its end.",
    stuck="All gradients are 0",
)
def _(bg):
    patch_walk(bg, prepare, turned=False)


@wrong(
    walk,
    "root's gradient not set",
    "Nothing starts the walk. A node multiplies by its own gradient, and the root's is still 0, so all "
    "the others stay 0. How much does L change for each unit that L changes?",
    stuck="All gradients are 0",
)
def _(bg):
    patch_walk(bg, lambda self, nodes: wipe_results(nodes))


@wrong(
    walk,
    "root's gradient set too early",
    "The root was made from others too, so the loop that sets gradients to 0.0 wipes out the 1.0 that you "
    "had put there. First wipe, then set.",
    stuck="All gradients are 0",
    twins={"root's gradient not set": "of a root that was made from others both leave 0.0, and so all is 0.0"},
)
def _(bg):
    def before(self, nodes):
        self.grad += 1.0
        wipe_results(nodes)

    patch_walk(bg, before)


@wrong(
    walk,
    "root's gradient set to 1.0, also for a leaf",
    "Only one case is left: a leaf as the root. Leaves add up what all walks find, so its gradient must "
    "grow by 1.0. For any other root that is the same, because it was set to 0.0 just before.",
)
def _(bg):
    def before(self, nodes):
        wipe_results(nodes)
        self.grad = 1.0

    patch_walk(bg, before)


@wrong(
    walk,
    "root's gradient is its number",
    "The walk starts with the root's number (data) here. The root changes by 1 for each unit that the "
    "root changes, whatever its number is.",
)
def _(bg):
    def before(self, nodes):
        wipe_results(nodes)
        self.grad = self.data

    patch_walk(bg, before)


@wrong(
    walk,
    "inner nodes not wiped",
    "The first walk is right. In the second one the inner nodes still hold what the first left there, and "
    "hand it on again: 9 instead of 6. Before each walk, set the gradient of every node that was made "
    "from others to 0.0.",
    stuck="Gradients grow with each step",
)
def _(bg):
    def before(self, nodes):
        self.grad = 1.0

    patch_walk(bg, before)


@wrong(
    walk,
    "inner nodes not wiped, root counted up",
    "The first walk is right. In the second one all inner nodes, the root among them, still hold what the first left "
    "there, and hand it on again: 12 instead of 6. Before each walk, set the gradient of every node that was "
    "made from others to 0.0.",
    stuck="Gradients grow with each step",
)
def _(bg):
    def before(self, nodes):
        self.grad += 1.0

    patch_walk(bg, before)


@wrong(
    walk,
    "the wrong nodes wiped",
    "The leaves were wiped and the inner nodes kept. `not node._prev` is true for the nodes that have no inputs: "
    "those are the leaves. Turn the condition round.",
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
    "The leaves were wiped and the inner nodes kept. `not node._prev` is true for the nodes that have no inputs: "
    "those are the leaves. Turn the condition round.",
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
    "from others too (unless it is a leaf), so wipe it like them, and then add 1.0.",
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
    "Each walk wipes out what an earlier one has put into the leaves. Their gradients are meant to add "
    "up, until you call zero_grad(). Wipe only nodes that were made from others: what do their _prev have "
    "in common?",
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
    "The leaves are right, but the inner nodes have lost their gradients again. Wipe them before the "
    "walk, not after it, so that one can look at them.",
)
def _(bg):
    patch_walk(bg, prepare, after=lambda self, nodes: wipe_results(nodes))


@wrong(
    walk,
    "first visit",
    "Here a node speaks when it is first reached. If it is used twice, the second share arrives too late "
    "to be handed on. Let topological_order say who may speak: from the end of its list to the beginning.",
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
    "Here a node speaks each time it is reached, each time with all that it holds: what it had handed on "
    "before is counted again. A node speaks once, after all who used it. topological_order gives the "
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
    "backward starts a walk of its own: it sets the gradient of the node that it is called on. So an "
    "input that calls it loses what was handed to it. Only the root does; on all the others call "
    "_backward().",
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
    "the root speaks each time",
    "The loop goes through the nodes, but each time it is the root that speaks: self is the root all along. The node "
    "whose turn it is has the name that the loop gives it: node._backward().",
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
    "topological_order is a function beside the class, and no method. It takes the root between its brackets: "
    "topological_order(self).",
)
def _(bg):
    bg.Value.backward = lambda self: self.topological_order()


@wrong(
    walk,
    "hands its gradient over as an argument",
    "_backward takes nothing between its brackets: a node knows its own gradient. Call node._backward().",
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
    "The gradients are right, but backward gives something back. It has nothing to tell: what it finds stands in the "
    "grads. Leave the return out.",
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
    "The root has its 1.0, but hands nothing on. Is it left out of the loop? It is the first to speak. Or is it "
    "node._backward without brackets? That only names the method; node._backward() calls it. (Or does the root get "
    "its 1.0 after the loop?)",
    stuck="All gradients are 0",
)
def _(bg):
    bg.Value.backward = lambda self: prepare(self, bg.value.topological_order(self))


@wrong(
    walk,
    "reverse() gives nothing back",
    "a_list.reverse() turns the list round and gives nothing back, so None is what got the name. reversed(a_list) "
    "gives what a for loop can go through.",
)
def _(bg):
    def backward(self):
        for _ in bg.value.topological_order(self).reverse():
            pass

    bg.Value.backward = backward


@wrong(
    walk,
    "does the handing on itself",
    "The numbers are right, but backward multiplies slopes itself instead of calling node._backward(). A "
    "node may have a _backward of its own, as in other courses' engines, and then it must be asked.",
)
def _(bg):
    def backward(self):
        nodes = bg.value.topological_order(self)
        prepare(self, nodes)
        for node in reversed(nodes):
            for child, slope in pairs(node):
                child.grad += slope * node.grad

    bg.Value.backward = backward


# The hunts.


@wrong(
    hunt,
    "only the example",
    "a + a is the example: it tells A apart, because two shares arrive at a. B and C walk it well. B "
    "needs a result that is used twice, C two nodes that have something in common.",
)
def _(bg):
    bg.hunts.tell_them_apart = lambda a, b: a + a


@wrong(
    hunt,
    "a result written twice instead of used twice",
    "a ** 2 is written twice, and each time Python makes a new node. Then no result is used twice, and B "
    "has nothing to stumble over. Write y = a ** 2 first, and use y twice.",
)
def _(bg):
    bg.hunts.tell_them_apart = lambda a, b: a**2 * (3 * a**2)


@wrong(
    hunt,
    "the three steps of the notebook",
    "These are the three steps of the notebook. A and B fall for them, and C does not: all nodes hold "
    "different numbers. What could C take for one and the same?",
)
def _(bg):
    def tell_them_apart(a, b):
        y = a * a
        return y * (y * 3)

    bg.hunts.tell_them_apart = tell_them_apart


@wrong(
    slow,
    "takes one node twice",
    "These are Ben's doublings. The question is how to make many ways without them: two different nodes can both "
    "lead to the same earlier one.",
)
def _(bg):
    def many_visits(a):
        for _ in range(12):
            a = a + a
        return a

    bg.hunts.many_visits = many_visits


@wrong(
    slow,
    "a copy for each doubling",
    "A copy of y added to y doubles the ways, but it costs two operations, and the copy is used only once. Let every "
    "result be used twice.",
)
def _(bg):
    def many_visits(a):
        for _ in range(6):
            a = a + a * 1
        return a

    bg.hunts.many_visits = many_visits
