"""A class of two hundred who wrote for themselves, and among them pairs who did not: the truth is known.

Everybody's answer to an exercise begins as one of those that the course knows (the reference's, right ones in other
styles, wrong ones), the way most begin, and is then written as that person writes: habits, drawn once for each, say how
often a sum is turned around, a part named first, a loop written out, an argument looked at. Many write the same.
"""

import ast
import hashlib
import random

from grader.classroom.similar.compare import reference_answers
from grader.classroom.similar.tokens import dedented
from grader.course import catalogue
from grader.course.paths import REFERENCE, package_folder
from grader.course.regions import stub_regions

KINDS = ("identical", "renamed", "rewritten")
FAR = 0.55  # of a class write an answer as the reference has it, before their habits
REWRITTEN = 0.5  # how often a copyist changes what can be changed


def imagined(students=200, planted=20, seed=1, notebooks=range(2, 9)):
    """({student: {exercise id: text}}, {(student, student): kind})."""
    chance, bases = random.Random(seed), bases_of(notebooks)
    names = [f"s{number:03}" for number in range(students)]
    chance.shuffle(names)
    honest = names[planted:]
    answers = {name: _honest(bases, f"{seed} {name}") for name in honest}
    pairs = {}
    for number, name in enumerate(names[:planted]):
        source, kind = honest[number], KINDS[number % len(KINDS)]
        answers[name] = {
            id: COPIED[kind](text, random.Random(f"{seed} {name} {id}")) for id, text in answers[source].items()
        }
        pairs[tuple(sorted((name, source)))] = kind
    return {name: answers[name] for name in sorted(names)}, pairs


def bases_of(notebooks):
    """{exercise id: [texts]}: the reference's own first."""
    exercises = [ex for ex in catalogue.all_exercises() if int(ex.notebook) in notebooks]
    references = reference_answers(exercises)  # of whole files, hunts of all notebooks among them
    texts = {ex.id: [references[ex.id]] for ex in exercises if ex.id in references}
    for ex in exercises:
        for idea in (*catalogue.other_answers_of(ex), *catalogue.misconceptions_of(ex)):
            if idea.edit:
                texts[ex.id].append(written(idea.edit))
    return {id: list(dict.fromkeys(found)) for id, found in texts.items()}


def written(edit):
    """The answer as somebody types it who has this idea."""
    text = edit.applied((package_folder(REFERENCE) / edit.file).read_text("utf-8"))
    bodies = [dedented(region.body) for region in stub_regions(text) if region.id == edit.id]
    return "\n".join(bodies)


# ---- how somebody writes ----


class Writes(ast.NodeTransformer):
    """Writes the same otherwise.  habits: {what: how often}."""

    def __init__(self, habits, chance):
        self.habits, self.chance, self.named = habits, chance, 0

    def does(self, what):
        return self.chance.random() < self.habits[what]

    def visit_BinOp(self, node):
        self.generic_visit(node)
        if isinstance(node.op, (ast.Add, ast.Mult)) and self.does("turned around"):
            node.left, node.right = node.right, node.left
        return node

    def visit_Compare(self, node):
        self.generic_visit(node)
        turned = {ast.Lt: ast.Gt, ast.Gt: ast.Lt, ast.LtE: ast.GtE, ast.GtE: ast.LtE}
        if len(node.ops) == 1 and type(node.ops[0]) in turned and self.does("turned around"):
            return ast.Compare(node.comparators[0], [turned[type(node.ops[0])]()], [node.left])
        return node

    def visit_AugAssign(self, node):
        self.generic_visit(node)
        if isinstance(node.target, ast.Name) and self.does("written out"):
            return ast.Assign([node.target], ast.BinOp(ast.Name(node.target.id), node.op, node.value))
        return node

    def visit_Return(self, node):
        self.generic_visit(node)
        if isinstance(node.value, ast.IfExp) and self.does("written out"):
            return [ast.If(node.value.test, [ast.Return(node.value.body)], []), ast.Return(node.value.orelse)]
        if isinstance(node.value, ast.ListComp) and len(node.value.generators) == 1 and self.does("written out"):
            return [*_loop(node.value), ast.Return(ast.Name("found"))]
        if node.value and not isinstance(node.value, (ast.Name, ast.Constant)) and self.does("named first"):
            return [*self.parts(node), ast.Assign([ast.Name("out")], node.value), ast.Return(ast.Name("out"))]
        return [*self.parts(node), node]

    def visit_Assign(self, node):
        self.generic_visit(node)
        return [*self.parts(node), node]

    def parts(self, node):
        """Gives an argument of a call, or a side of a sum, a name before it is used."""
        value = node.value
        places = [("args", n) for n in range(len(value.args))] if isinstance(value, ast.Call) else []
        places += [("left", None), ("right", None)] if isinstance(value, ast.BinOp) else []
        for field, position in places:
            part = getattr(value, field) if position is None else getattr(value, field)[position]
            if isinstance(part, (ast.BinOp, ast.Call)) and self.does("parts named"):
                self.named += 1
                name = f"part{self.named}"
                if position is None:
                    setattr(value, field, ast.Name(name))
                else:
                    value.args[position] = ast.Name(name)
                yield ast.Assign([ast.Name(name)], part)

    def visit_Tuple(self, node):
        self.generic_visit(node)
        if isinstance(getattr(node, "ctx", None), ast.Load) and len(node.elts) > 1 and self.does("lists"):
            return ast.List(node.elts, node.ctx)
        return node

    def visit_FunctionDef(self, node):
        self.generic_visit(node)
        arguments = [each.arg for each in node.args.args if each.arg != "self"]
        if arguments and self.does("looks first"):
            looks = self.chance.choice(LOOKS).format(self.chance.choice(arguments))
            node.body[:0] = ast.parse(looks).body
        return node


LOOKS = ("assert {0} is not None", "if {0} is None:\n    raise ValueError('{0}')", "print({0})", "{0} = {0} + 0")
LOOKS += ("assert not isinstance({0}, str)",)
HABITS = {"turned around": 0.3, "written out": 0.8, "named first": 0.6, "parts named": 0.4, "lists": 0.4}
HABITS |= {"looks first": 0.12}


def _loop(comprehension):
    [part] = comprehension.generators
    body = [ast.Expr(ast.Call(ast.Attribute(ast.Name("found"), "append"), [comprehension.elt], []))]
    for test in part.ifs:
        body = [ast.If(test, body, [])]
    return [ast.Assign([ast.Name("found")], ast.List([])), ast.For(part.target, part.iter, body, [])]


def rewritten(text, habits, chance):
    """The text as somebody with these habits writes it."""
    tree = Writes(habits, chance).visit(ast.parse(text))
    return ast.unparse(ast.fix_missing_locations(tree))


def _honest(bases, seed):
    """Each exercise is drawn by itself, and each idea has its turn by itself: one more changes little of a class."""
    chance = random.Random(seed)
    habits = {what: chance.random() * often for what, often in HABITS.items()}
    finished = chance.uniform(0.6, 1.0)
    answers = {}
    for id, texts in bases.items():
        chance = random.Random(f"{seed} {id}")
        if chance.random() < finished:
            base = texts[0] if chance.random() < FAR else min(texts, key=lambda text: _turn(f"{seed} {id} {text}"))
            answers[id] = rewritten(base, habits, chance)
    return answers


def _turn(words):
    return hashlib.blake2b(words.encode(), digest_size=8).digest()


# ---- how somebody copies ----


def renamed(text, chance, others=None):
    """Every name of the author's own is another, and there are comments."""
    tree, own = ast.parse(text), {}
    for node in ast.walk(tree):
        if isinstance(node, ast.arg) and node.arg != "self":
            own[node.arg] = f"my_{node.arg}"
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            own[node.id] = f"my_{node.id}"
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            node.id = own.get(node.id, node.id)
        elif isinstance(node, ast.arg):
            node.arg = own.get(node.arg, node.arg)
    lines = ast.unparse(tree).split("\n")
    return "\n".join(f"{line}  # {chance.choice(['my own', 'step', 'see the notebook'])}" for line in lines)


def disguised(text, chance):
    """Lines in another order where that changes nothing, a helper function, other forms, and other names."""
    tree = ast.parse(text)
    helpers = []
    for node in ast.walk(tree):
        for body in (getattr(node, field, None) for field in ("body", "orelse")):
            if isinstance(body, list):
                _reorder(body, chance)
        if isinstance(node, ast.Return) and isinstance(node.value, ast.BinOp) and not helpers:
            names = sorted({each.id for each in ast.walk(node.value) if isinstance(each, ast.Name)})
            arguments = ast.arguments([], [ast.arg(name) for name in names], None, [], [], None, [])
            helpers = [ast.FunctionDef("helper", arguments, [ast.Return(node.value)], [])]
            node.value = ast.Call(ast.Name("helper"), [ast.Name(name) for name in names], [])
    tree.body = [*helpers, *tree.body]
    often = dict.fromkeys(HABITS, REWRITTEN) | {"turned around": 0.2}
    return renamed(rewritten(ast.unparse(ast.fix_missing_locations(tree)), often, chance), chance)


def _reorder(body, chance):
    """Neighbours that do not need each other change places."""
    for n in range(len(body) - 1):
        first, second = body[n : n + 2]
        free = isinstance(first, ast.Assign) and isinstance(second, ast.Assign) and not _names(first) & _names(second)
        if free and chance.random() < 0.7:
            body[n], body[n + 1] = second, first


def _names(node):
    return {each.id for each in ast.walk(node) if isinstance(each, ast.Name)} - {"self", "np", "math"}


COPIED = {"identical": lambda text, chance: text, "renamed": renamed, "rewritten": disguised}
