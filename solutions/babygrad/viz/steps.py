"""A backward pass, step by step, as a player: step_through(root); several side by side: compare_walks(make, ...).

walks.py writes down what the learner's own methods do; here it is put into pictures and words.
"""

import html

from .dot import LEFT_TO_RIGHT, TOP_DOWN
from .graph import counted, nodes_to_show, read_graph
from .player import Frame, Player
from .svg import CANNOT_DRAW, COLUMN, LEAST_SCALE, as_svg, to_show, width
from .text import formula
from .walks import watch

MAX_NODES = 200  # of which a drawing can still be read
ROOM = COLUMN - 26  # pixels: a player has a frame around it
ONE_BY_ONE = 30  # nodes: a graph up to here is built up step by step, a larger one is there at once
PASSED_ON = "Passed its gradient on:"
CAPTION = "On each arrow: {}. In the box of an input: what it had → what it has now."

# What is wrong, in words. node: whose step it is.  other: the node whose gradient is meant, or that matters besides.
FAULTS = {
    "early": "{node} passes on {got}, but {expected} was expected: {other} uses {node} too, and has not passed its "
    "gradient on yet.",
    "gradient": "{node} passes on {got}, but its gradient should be {expected}.",
    "again": "{node} has passed its gradient on before. Each node does so once.",
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

    keys of the picture's parts as in svg.put_keys, each with the prefix before it.
    """

    def __init__(self, graph, walk, prefix="", directions=(LEFT_TO_RIGHT, TOP_DOWN)):
        self.graph, self.walk, self.prefix, self.directions = graph, walk, prefix, directions
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
        yield Frame(f"Forward. It begins with the leaves{self.missing}.", there | hidden)
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
        """What stands in boxes and on arrows before any gradient is passed on."""
        boxes = {f"g{place}": grad_row(grad) for place, grad in enumerate(self.walk.began)}
        return boxes | {f"t{p}.{i}": words for p, n in enumerate(self.graph.nodes) for i, words in enumerate(n.arrows)}

    def parts(self, place):
        """The keys of what an operation draws: its result, its sign, its arrows."""
        arrows = (f"e{place}.{i}" for i in range(len(self.graph.nodes[place].inputs)))
        return [f"n{place}", f"o{place}", f"r{place}", *arrows]

    def backward(self):
        """One frame for each node that passes its gradient on, and one for the end."""
        before = {}
        for line, number in enumerate(self.numbers):
            spoke = self.walk.spoken[number]
            texts = before | self.heard(spoke)
            before = self.after(spoke)
            sentence = " ".join([self.sentence(spoke), *self.goes_wrong(number)])
            yield Frame(sentence, texts, self.lit(spoke), (f"n{spoke.place}",), place=line)
        ends = {f"g{place}": grad_row(grad) for place, grad in enumerate(self.walk.left)}
        yield Frame(" ".join([self.end(), *self.goes_wrong(None)]), before | ends)

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
        """What stands where while a node passes on: its gradient, what is on its arrows, the change in its inputs."""
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
        """Such as: y passes its gradient on, 27. To x: 3 · 27 = 81 and 3 · 27 = 81; x had 0, and has 162 now."""
        parts = [f"{self.name(spoke.place)} passes its gradient on, {said(spoke.gradient)}."]
        for place, before, after in spoke.changes:
            shares = " and ".join(said(product(share, spoke)) for share in spoke.shares if share.place == place)
            name = self.name(place)
            parts.append(f"To {name}: {shares}; {name} had {said(before)}, and has {said(after)} now.")
        return " ".join(parts)

    def end(self):
        if self.walk.error:
            return f"Here the backward pass stopped. {self.walk.error}"
        if not self.walk.spoken:
            return "The backward pass is over, and no node has passed a gradient on."
        leaves = [(grad, n) for grad, n in zip(self.walk.left, self.graph.nodes) if not n.operation and not n.constant]
        grads = ", ".join(f"{n.name}{'.grad' * self.walk.kept} = {said(grad, 'None')}" for grad, n in leaves)
        return f"The backward pass is over{': ' if self.walk.kept else '. In the ledger: '}{grads}."

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
    return f"an array of shape {gradient}" if gradient[:1] == "(" else gradient or none


def product(share, spoke):
    """What is passed on, as on its arrow: "3 · 27 = 81"; of Tensors the numbers or the shape."""
    return f"{share.slope} · {spoke.gradient} = {share.amount}" if share.slope else share.amount


def caption(graph):
    """What to look at in a walk through a graph of Values, whose nodes remember slopes, or of Tensors."""
    values = any(any(node.slopes) for node in graph.nodes)
    return CAPTION.format("local derivative · gradient = share" if values else "what is passed on to that input")


def player_of(graph, walk):
    """The Player of a walk through a graph; it begins where the walk first goes wrong, if it does."""
    scene = Scene(graph, walk)
    title, beside = f"{graph.headline()}, step by step", PASSED_ON * bool(scene.lines)
    start = scene.faulty or 0
    return Player(title, scene.frames, scene.picture(), scene.lines, beside, caption=caption(graph), start=start)


# ------------------------------------------------------------------ for everybody


def step_through(root, order=None, *, max_nodes=MAX_NODES):
    """A player of root's graph: forward as it was made, then backward as your own code walks it.

    Each step lights the node that passes its gradient on, and its arrows, with the arithmetic: local derivative times
    gradient. An input's box shows what it had and what it has now. Where an exercise is missing, or an error stops the
    walk, the player ends and says so. The graph is left as it was: all gradients are put back.

    root: the Value or Tensor to start from.
    order: of Values, the nodes to call _backward() on, one after the other, instead of root.backward().
    max_nodes: of a larger graph only the part near root is shown.
    Returns a Player: a notebook shows it.  Raises TypeError if root has no graph.
    """
    graph = read_graph(root, max_nodes)
    return player_of(graph, watch(root, pass_back if order is None else in_order(order), max_nodes))


def pass_back(root):
    """root.backward(). Of Tensors the ledger alone, as long as backward is not written."""
    try:
        root.backward()
    except NotImplementedError:
        if hasattr(root, "_prev"):
            raise
        from .. import autograd

        autograd.gradients(root, root.initial_gradient())


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


def compare_walks(make=None, *, max_nodes=MAX_NODES, **walks):
    """A player of several walks through the same graph, side by side, and where they part.

    make: a function without inputs that makes the graph anew, and returns its root.
    walks: a name for each, and a function: it gets the root and calls _backward() on nodes. Or a root of its own, with
        no make: then its backward() is the walk.
    Returns a Player.  Raises ValueError for fewer than two walks.
    """
    if len(walks) < 2:
        raise ValueError(f"compare_walks needs two walks or more, but it got {len(walks)}")
    scenes = {}
    for name, walk in walks.items():
        root, walk = (walk, pass_back) if make is None else (make(), walk)
        graph = read_graph(root, max_nodes)
        scenes[name] = Scene(graph, watch(root, walk, max_nodes), prefix=f"{name}.", directions=[TOP_DOWN])
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
        f'<figure style="flex-basis: min({least}px, 100%)"><b>{html.escape(name)}</b>'
        f'<figcaption aria-live="polite" data-key="{name}.">{html.escape(scenes[name].end())}</figcaption>'
        f"{picture}</figure>"
        for name, picture in drawn.items()
    )
    return f'<div class="several">{"".join(figures)}</div>'


def side_by_side(scenes):
    """The frames of several Scenes of one graph, one beside the other, the last of each held until all have ended."""
    told = {name: list(scene.backward()) for name, scene in scenes.items()}
    start = {key: text for scene in scenes.values() for key, text in scene.keyed(scene.at_once()).items()}
    yield Frame("Before the walks.", start | {f"{name}.": "…" for name in scenes})
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
