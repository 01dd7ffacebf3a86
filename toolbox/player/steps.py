"""A backward pass, step by step, as a player: step_through(root); several side by side: compare_backward(make, ...).

walks.py writes down what the learner's own methods do; here it is put into pictures and words.
"""

import html
import re
from collections import Counter

from ..drawing.dot import LEFT_TO_RIGHT, TOP_DOWN
from ..drawing.svg import CANNOT_DRAW, COLUMN, LEAST_SCALE, as_svg, to_show, width
from ..drawing.text import formula
from ..graphs.backward_log import Watching, module_beside, watch
from ..graphs.faults import Judging
from ..graphs.graph import counted, nodes_to_show, read_graph
from .player import Frame, Player

MAX_NODES = 200  # of which a drawing can still be read
ROOM = COLUMN - 26  # pixels: a player has a frame around it
ONE_BY_ONE = 30  # nodes: a graph up to here is built up step by step, a larger one is there at once
PASSED_BACK = "Passed its gradient back:"
CAPTION = "On each arrow: {}. In the box of an input: what it had → what it has now."
NUMBER, ROUNDED = re.compile(r"-?\d[\d.e+-]*"), 2e-3  # as told: four digits, three in an array
WHY_ADDED = "A change of {0} reaches {1} along each of its arrows, so its shares add up."

# What is wrong, in words. node: whose step it is.  other: the node whose gradient is meant, or that matters besides.
FAULTS = {
    "early": "{node} passes back {got}, but {expected} was expected: {other} uses {node} too, and has not passed its "
    "gradient back yet.",
    "gradient": "{node} passes back {got}, but its gradient should be {expected}.",
    "again": "{node} has passed its gradient back before. Each node does so once.",
    "amount": "{other} should have {expected} now, not {got}.",
    "changed": "The gradient of {other} was {expected}, and is {got} now, though {other} is no input of {node}.",
    "own": "The gradient of {node} itself was {expected}, and is {got} now.",
    "inside": "It does so inside the step of {other}. One call of _backward() is one step.",
    "uncalled": "{other}, whose gradient should be {expected}, never had its turn: its _backward() was not called.",
    "unasked": "{other}, whose gradient should be {expected}, never had its turn: shares_of was not called for it.",
    "end": "The gradient of {other} should be {expected}, but it is {got}.",
    "stopped": "",
}
GOES_WRONG = "Here it first goes wrong."


# ------------------------------------------------------------------ telling


class Scene:
    """A graph and one walk through it, as frames.

    keys of the picture's parts as in svg.put_keys, each with the prefix before it.  compared: with other walks, so that
    it is said of a right one too that it is right.
    """

    def __init__(self, graph, walk, prefix="", directions=(LEFT_TO_RIGHT, TOP_DOWN), compared=False):
        self.graph, self.walk, self.prefix, self.directions = graph, walk, prefix, directions
        self.compared = compared
        plainly = (n._replace(name=n.number) if n.constant and not n.label else n for n in graph.nodes)
        self.named = graph._replace(nodes=tuple(plainly))
        self.numbers = [n for n, spoke in enumerate(walk.spoken) if spoke.shares and spoke.place is not None]
        self.lines = [self.name(walk.spoken[number].place) for number in self.numbers]
        self.frames = [*self.forward(), *self.backward()]

    @property
    def faulty(self):
        """The number of the frame at which the walk first goes wrong; None if it does not."""
        first = len(self.frames) - len(self.numbers) - 1
        if self.walk.fault is None:
            return None
        step = self.walk.fault.step
        return first + self.numbers.index(step) if step in self.numbers else len(self.frames) - 1

    def name(self, place):
        return "a node that is not shown" if place is None else self.named.nodes[place].name

    def forward(self):
        """As the graph was made: one operation after the other, or all at once."""
        there, nodes = self.at_once(), self.graph.nodes
        made = [place for place, node in enumerate(nodes) if node.operation]
        if len(nodes) > ONE_BY_ONE:
            yield Frame(f"The graph of {self.graph.root.name}: {len(nodes)} nodes{self.missing}.", there)
            return
        hidden = {key: "" for place in made for key in self.parts(place)}
        yield Frame(f"Forward pass: first the leaves{self.missing}.", there | hidden)
        for place in made:
            keys = self.parts(place)
            sentence = f"{formula(self.named, nodes[place])}: {nodes[place].number}."
            yield Frame(sentence, dict.fromkeys(keys, "shown"), lit=keys[:2])

    @property
    def missing(self):
        """What is said of nodes that are not shown."""
        left_out = counted(self.graph.left_out, "more node")
        return f", those nearest to {self.graph.root.name}; {left_out} behind them" if self.graph.left_out else ""

    def at_once(self):
        """What stands in boxes and on arrows before any gradient is passed back."""
        boxes = {f"g{place}": grad_row(grad) for place, grad in enumerate(self.walk.began)}
        return boxes | {f"t{p}.{i}": words for p, n in enumerate(self.graph.nodes) for i, words in enumerate(n.arrows)}

    def parts(self, place):
        """The keys of what an operation draws: its result, its sign, its arrows."""
        arrows = (f"e{place}.{i}" for i in range(len(self.graph.nodes[place].inputs)))
        return [f"n{place}", f"o{place}", f"r{place}", *arrows]

    def backward(self):
        """One frame for each node that passes its gradient back, and one for the end."""
        before, reached = {}, Counter()
        for line, number in enumerate(self.numbers):
            spoke = self.walk.spoken[number]
            texts = before | self.heard(spoke)
            before = self.after(spoke)
            wrong, why = list(self.goes_wrong(number)), list(self.why_added(spoke, reached))
            sentence = " ".join(filter(None, [self.start(spoke) * (not line), self.sentence(spoke), *(wrong or why)]))
            yield Frame(sentence, texts, self.lit(spoke), (f"n{spoke.place}",), place=line)
        ends = {f"g{place}": grad_row(grad) for place, grad in enumerate(self.walk.left)}
        yield Frame(" ".join([self.end(), *self.goes_wrong(None)]), before | ends)

    def start(self, spoke):
        """Where the first gradient comes from."""
        at_root = spoke.place == len(self.graph.nodes) - 1 and spoke.gradient == "1"
        return f"Backward pass: ∂{self.graph.root.name}/∂{self.graph.root.name} = 1." if at_root else ""

    def why_added(self, spoke, reached):
        """Said once: why a node's second share was added to its first.  reached: uses so far, by place; updated."""
        told = max(reached.values(), default=0) > 1
        reached.update(share.place for share in spoke.shares if share.place is not None)
        for change in () if told else spoke.changes:
            if reached[change.place] > 1 and self.addition(change, spoke):
                yield WHY_ADDED.format(self.name(change.place), self.graph.root.name)
                return

    def goes_wrong(self, number):
        """The sentences about the fault, if it is that of this Spoke; None: of the end."""
        fault = self.walk.fault
        if fault is None or (fault.step != number and (number is not None or fault.step in self.numbers)):
            return
        place = None if fault.step is None else self.walk.spoken[fault.step].place
        kind = "own" if fault.kind == "changed" and fault.place == place else fault.kind
        names = {"node": self.name(place), "other": self.name(fault.place)}
        numbers = {"got": fault.got or "nothing", "expected": fault.expected or "nothing"}
        yield f"{GOES_WRONG} {FAULTS[kind].format(**names, **numbers)}".strip()

    def heard(self, spoke):
        """What stands where meanwhile: the node's gradient, what is on its arrows, the change in its inputs."""
        texts = {f"g{spoke.place}": grad_row(spoke.gradient)}
        for share in spoke.shares:
            texts[f"t{spoke.place}.{share.position}"] = product(share, spoke)
        return texts | self.in_boxes(spoke, lambda each: f"grad {each.before or 'none'} → {each.after or 'none'}")

    def after(self, spoke):
        """What stands in the inputs from the next frame on."""
        return self.in_boxes(spoke, lambda each: grad_row(each.after))

    def in_boxes(self, spoke, words):
        return {f"g{each.place}": words(each) for each in spoke.changes if each.place is not None}

    def lit(self, spoke):
        arrows = [f"e{spoke.place}.{share.position}" for share in spoke.shares]
        return (f"n{spoke.place}", *arrows, *(f"n{each.place}" for each in spoke.changes if each.place is not None))

    def sentence(self, spoke):
        """Such as: y passes its gradient back, 27. To x: 3 · 27 = 81 and 3 · 27 = 81; x.grad: 0 + 81 + 81 = 162."""
        parts = [f"{self.name(spoke.place)} passes its gradient back, {said(spoke.gradient)}."]
        for change in spoke.changes:
            shares = " and ".join(said(product(share, spoke)) for share in self.shares_to(change, spoke))
            parts.append(f"To {self.name(change.place)}: {shares}{self.arrived(change, spoke)}.")
        return " ".join(parts)

    def shares_to(self, change, spoke):
        return [share for share in spoke.shares if share.place == change.place]

    def arrived(self, change, spoke):
        """What has become of an input's gradient; "" if that is the one share that was just told."""
        place, before, after = change
        shares = self.shares_to(change, spoke)
        if (not before or (before == "0" and self.constant(place))) and [after] == [share.amount for share in shares]:
            return ""
        name = self.name(place)
        if addition := self.addition(change, spoke):
            return f"; {name}.grad: {addition}" if spoke.shares[0].slope else f"; {name}: {addition}"
        if is_shape(after) and before == after:
            return f"; {name} had one already"
        return f"; {name} had {said(before)}, and has {said(after)} now"

    def constant(self, place):
        return place is not None and self.graph.nodes[place].constant

    def addition(self, change, spoke):
        """Such as 27 + 27 = 54; "" if that is not what happened, or cannot be seen."""
        terms = [change.before, *(share.amount for share in self.shares_to(change, spoke))]
        terms = [term for term in terms if term]
        told = " + ".join([*terms[:1], *map(in_brackets, terms[1:])])
        return f"{told} = {change.after}" if adds_up(terms, change.after) else ""

    def verdict(self):
        """Whether the gradients of the leaves are right; "" if nobody can say, or it has been said."""
        if not self.walk.right or (self.walk.fault and self.walk.fault.kind == "end"):
            return ""
        leaves = [place for place, node in enumerate(self.graph.nodes) if not node.operation and not node.constant]
        if any(is_shape(self.walk.left[place]) for place in leaves):
            return ""
        wrong = [place for place in leaves if self.walk.left[place] != self.walk.right[place]]
        if wrong:
            right = " and ".join(f"of {self.name(place)} is {said(self.walk.right[place])}" for place in wrong)
            return f"The right gradient {right}."
        return "That is right." if self.compared else ""

    def end(self):
        if self.walk.error:
            return f"Here the backward pass stopped. {self.walk.error}"
        if not self.walk.spoken:
            return "The backward pass is over, and no node has passed a gradient back."
        leaves = [(grad, n) for grad, n in zip(self.walk.left, self.graph.nodes) if not n.operation and not n.constant]
        kept = ".grad" * self.walk.kept
        grads = ", ".join(f"{n.name}{kept} {'has' if is_shape(x) else '='} {said(x, 'None')}" for x, n in leaves)
        found = f"The backward pass is over{': ' if self.walk.kept else '. In the ledger: '}{grads}."
        return " ".join(filter(None, [found, self.verdict()]))

    def keyed(self, texts):
        return {self.prefix + key: text for key, text in texts.items()}

    def picture(self, like=()):
        """The graph with room for the longest words of all frames, also of those of other Scenes of the same graph."""
        widest = {}
        for frame in (*self.frames, *(frame for other in like for frame in other.frames)):
            for key, text in frame.texts.items():
                widest[key] = max(widest.get(key, ""), text, key=len)
        nodes = tuple(self.roomy(place, node, widest) for place, node in enumerate(self.graph.nodes))
        roomy = self.graph._replace(nodes=nodes, has_gradient=True)
        svg = as_svg(roomy, keys=True, words=self.graph, directions=self.directions, room=ROOM)
        if svg is None:
            return f"<p>{CANNOT_DRAW}</p>"
        picture = svg.replace('data-key="', f'data-key="{html.escape(self.prefix)}')
        return to_show(svg, picture, ROOM)

    def roomy(self, place, node, widest):
        """The node as it is drawn: with the name by which the sentences call it, and the longest words."""
        arrows = tuple(widest.get(f"t{place}.{i}", words) for i, words in enumerate(node.arrows))
        grad, label = widest[f"g{place}"].removeprefix("grad ") + "  ", "" if node.constant else node.name
        return node._replace(grad=grad, arrows=arrows, label=node.label or label)


def grad_row(grad):
    """The row of a box that tells its gradient; "" if there is none."""
    return f"grad {grad}" if grad else ""


def said(gradient, none="none"):
    """A gradient in a sentence: its shape alone is not what it is."""
    return f"shape {gradient}" if is_shape(gradient) else gradient or none


def is_shape(gradient):
    return re.fullmatch(r"\([\d, ]*\)", gradient) is not None


def in_brackets(number):
    return f"({number})" if number[:1] == "-" else number


def adds_up(terms, total):
    """Are these numbers, or small arrays of one shape, as they are told, with that sum?"""
    if any(term[:1] not in "[-0123456789" for term in (*terms, total)):
        return False
    columns = [[float(number) for number in NUMBER.findall(term)] for term in (*terms, total)]
    if len({len(column) for column in columns}) > 1:
        return False
    return all(abs(sum(each) - got) <= ROUNDED * sum(map(abs, (*each, got))) for *each, got in zip(*columns))


def product(share, spoke):
    """What is passed back, as on its arrow: "3 · 27 = 81"; of Tensors the numbers or the shape."""
    if not share.slope:
        return share.amount
    return f"{in_brackets(share.slope)} · {in_brackets(spoke.gradient)} = {share.amount}"


def caption(graph):
    """What to look at in a walk through a graph of Values, whose nodes remember slopes, or of Tensors."""
    values = any(any(node.slopes) for node in graph.nodes)
    arrows = "slope (the local derivative) · gradient = that input's share"
    return CAPTION.format(arrows if values else "that input's share")


def player_of(graph, walk):
    """The Player of a walk through a graph; it begins where the walk first goes wrong, if it does."""
    scene = Scene(graph, walk)
    title, beside = f"{graph.headline()}, step by step", PASSED_BACK * bool(scene.lines)
    start = scene.faulty or 0
    return Player(title, scene.frames, scene.picture(), scene.lines, beside, caption=caption(graph), start=start)


# ------------------------------------------------------------------ for everybody


def step_through(root, order=None, *, max_nodes=MAX_NODES):
    """A player of root's graph: forward as it was made, then backward as your own code walks it.

    Each step lights the node that passes its gradient back, and its arrows, with the arithmetic: local derivative times
    gradient. An input's box shows what it had and what it has now. Where an exercise is missing, or an error stops the
    walk, the player ends and says so. The graph is left as it was: all gradients are put back.

    root: the Value or Tensor to start from.
    order: of Values, the nodes to call _backward() on, one after the other, instead of root.backward().
    max_nodes: of a larger graph only the part near root is shown.
    Returns a Player: a notebook shows it.  Raises TypeError if root has no graph.
    """
    graph = read_graph(root, max_nodes)
    walk = pass_back if order is None else in_order(order)
    return player_of(graph, watch(root, walk, max_nodes, Watching if order is None else Judging))


def pass_back(root):
    """root.backward(). Of Tensors the ledger alone, as long as backward is not written."""
    try:
        root.backward()
    except NotImplementedError:
        if hasattr(root, "_prev"):
            raise
        module_beside(root, "autograd").gradients(root, root.initial_gradient())


def in_order(order):
    """A walk that calls _backward() on the nodes of a list, from a fresh start: inner nodes 0, the root 1."""

    def walk(root):
        for node in nodes_to_show(root, max_nodes=10**9)[0]:
            if node._prev:
                node.grad = 0.0
        root.grad = 1.0
        for node in order:
            node._backward()

    return walk


def compare_backward(make=None, *, max_nodes=MAX_NODES, **walks):
    """A player of several walks through the same graph, side by side, and where they part.

    make: a function without inputs that makes the graph anew, and returns its root.
    walks: a name for each, and a function: it gets the root and calls _backward() on nodes. Or a root of its own, with
        no make: then its backward() is the walk.
    Returns a Player.  Raises ValueError for fewer than two walks.
    """
    if len(walks) < 2:
        raise ValueError(f"compare_backward needs two walks or more, but it got {len(walks)}")
    scenes = {}
    for name, walk in walks.items():
        root, walk = (walk, pass_back) if make is None else (make(), walk)
        graph = read_graph(root, max_nodes)
        watched = watch(root, walk, max_nodes, Judging)
        scenes[name] = Scene(graph, watched, prefix=f"{name}.", directions=[TOP_DOWN], compared=True)
    return beside_each_other(scenes)


def beside_each_other(scenes):
    """The Player of several Scenes of one graph.  scenes: {name: Scene}, each with its name and a dot as its prefix."""
    *names, last = scenes
    title = f"{', '.join(names)} and {last}, side by side"
    told = caption(scenes[last].graph)
    return Player(title, list(side_by_side(scenes)), pictures(scenes), caption=told)


def pictures(scenes):
    """The pictures of Scenes, as many side by side as can be read, with their names and what each says above."""
    drawn = {name: scene.picture(like=scenes.values()) for name, scene in scenes.items()}
    least = max([150, *(round(width(picture) * LEAST_SCALE) for picture in drawn.values() if "<svg" in picture)])
    figures = (
        f'<figure aria-label="{html.escape(name)}" style="flex-basis: min({least}px, 100%)"><b>{html.escape(name)}</b>'
        f'<figcaption aria-live="polite" data-key="{name}.">{html.escape(scenes[name].end())}</figcaption>'
        f"{picture}</figure>"
        for name, picture in drawn.items()
    )
    return f'<div class="several">{"".join(figures)}</div>'


def side_by_side(scenes):
    """The frames of several Scenes of one graph, one beside the other, the last of each held until all have ended."""
    told = {name: list(scene.backward()) for name, scene in scenes.items()}
    start = {key: text for scene in scenes.values() for key, text in scene.keyed(scene.at_once()).items()}
    yield Frame("Before the backward pass.", start | {f"{name}.": "…" for name in scenes})
    parted = first_difference(scenes.values())
    for number in range(max(map(len, told.values()))):
        texts, lit, main = {}, [], []
        for name, frames in told.items():
            frame = frames[min(number, len(frames) - 1)]
            texts |= scenes[name].keyed(frame.texts) | {f"{name}.": frame.sentence}
            lit += [f"{name}.{key}" for key in frame.lit]
            main += [f"{name}.{key}" for key in frame.main]
        here = ". Here they differ for the first time." if number == parted else "."
        yield Frame(f"Step {number + 1}{here}", texts, tuple(lit), tuple(main))


def first_difference(scenes):
    """The number of the first step at which walks do not do the same; None if they all do."""
    steps = [[scene.sentence(scene.walk.spoken[number]) for number in scene.numbers] for scene in scenes]
    for number in range(max(map(len, steps))):
        if len({tuple(one[number : number + 1]) for one in steps}) > 1:
            return number
    return None
