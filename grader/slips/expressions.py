"""Small edits of one expression: what somebody may have meant who wrote it."""

import ast

from .kinds import Kind

ARITHMETIC = (ast.Add, ast.Sub, ast.Mult, ast.Div, ast.Pow, ast.MatMult)
ORDERS = (ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.Eq, ast.NotEq)
OPPOSITE = {ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In}
OVER_AN_AXIS = {"sum", "mean", "max", "min", "prod", "std", "var", "argmax", "argmin", "summation", "softmax"}
WITHOUT_ORDER = (ast.Add, ast.Mult)
MODULES = ("np", "math")


def edits(node, role, scope):
    """(Kind, new node) of an expression.  role: "value", "called", "looped over", "condition" or "written to"."""
    if role == "written to":
        if isinstance(node, ast.Attribute):
            yield from (
                (Kind.NAME, ast.Attribute(node.value, other, node.ctx)) for other in scope.attributes_for(node.attr)
            )
        return
    if by_type := BY_TYPE.get(type(node)):
        yield from by_type(node, role, scope)
    if isinstance(node, (ast.Name, ast.Attribute, ast.Call, ast.BinOp, ast.Subscript)) and role != "called":
        yield from _around(node, role, scope)


def _of_an_operation(node, role, scope):
    left, op, right = node.left, node.op, node.right
    yield from ((Kind.DROPPED, each) for each in (left, right))
    if not isinstance(op, WITHOUT_ORDER):
        yield Kind.EXCHANGED, ast.BinOp(right, op, left)
    yield from ((Kind.OPERATOR, ast.BinOp(left, other(), right)) for other in ARITHMETIC if not isinstance(op, other))
    if isinstance(right, ast.BinOp):
        yield Kind.BRACKETS, ast.BinOp(ast.BinOp(left, op, right.left), right.op, right.right)
    if isinstance(left, ast.BinOp):
        yield Kind.BRACKETS, ast.BinOp(left.left, left.op, ast.BinOp(left.right, op, right))


def _of_a_sign(node, role, scope):
    yield (Kind.COMPARISON if isinstance(node.op, ast.Not) else Kind.SIGN), node.operand


def _of_a_comparison(node, role, scope):
    if len(node.ops) != 1:
        return
    op, right = node.ops[0], node.comparators
    orders = (ast.Eq, ast.NotEq) if any(map(_is_a_text, (node.left, *right))) else ORDERS  # else it would be a trick
    others = [OPPOSITE[type(op)]] if type(op) in OPPOSITE else [o for o in orders if not isinstance(op, o)]
    yield from ((Kind.COMPARISON, ast.Compare(node.left, [other()], right)) for other in others)
    yield Kind.EXCHANGED, ast.Compare(right[0], [op], [node.left])
    yield Kind.COMPARISON, ast.UnaryOp(ast.Not(), node)


def _is_a_text(node):
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def _of_and_or(node, role, scope):
    for place in range(len(node.values)):
        rest = node.values[:place] + node.values[place + 1 :]
        yield Kind.DROPPED, rest[0] if len(rest) == 1 else ast.BoolOp(node.op, rest)
    yield Kind.COMPARISON, ast.BoolOp(ast.Or() if isinstance(node.op, ast.And) else ast.And(), node.values)
    yield Kind.COMPARISON, ast.UnaryOp(ast.Not(), node)


def _of_a_choice(node, role, scope):
    yield Kind.DROPPED, node.body
    yield Kind.DROPPED, node.orelse
    yield Kind.EXCHANGED, ast.IfExp(node.test, node.orelse, node.body)


def _of_several(node, role, scope):
    several = node.elts
    yield from ((Kind.EXCHANGED, type(node)(items, node.ctx)) for items in neighbours_exchanged(several))
    if len(several) > 2:
        turned = [*several[1:], several[0]], [several[-1], *several[:-1]]
        yield from ((Kind.EXCHANGED, type(node)(items, node.ctx)) for items in turned)
    yield Kind.FORM, (ast.List if isinstance(node, ast.Tuple) else ast.Tuple)(node.elts, node.ctx)
    if len(node.elts) == 1:
        yield Kind.FORM, node.elts[0]


def _of_a_constant(node, role, scope):
    value = node.value
    if isinstance(value, bool):
        yield Kind.NUMBER, ast.Constant(not value)
    elif isinstance(value, (int, float)):
        others = (value + 1, value - 1, -value, 0, 1, 2, -1, 0.5, value * 2, value / 2, None)
        yield from ((Kind.NUMBER, ast.Constant(other)) for other in dict.fromkeys(others) if other != value)
        yield from ((Kind.NAME, ast.Name(name, ast.Load())) for name in scope.values)
    elif isinstance(value, str):
        yield from ((Kind.NAME, ast.Constant(other)) for other in scope.texts if other != value)
    elif value is None:
        yield Kind.NUMBER, ast.Constant(0)


def _of_a_name(node, role, scope):
    is_called = role == "called"
    yield from ((Kind.NAME, ast.Name(name, ast.Load())) for name in scope.names_for(node.id, is_called))
    if is_called:
        yield from ((Kind.NAME, ast.Attribute(ast.Name(m, ast.Load()), node.id, ast.Load())) for m in MODULES)


def _of_an_attribute(node, role, scope):
    yield from ((Kind.NAME, ast.Attribute(node.value, other, node.ctx)) for other in scope.attributes_for(node.attr))
    if role == "called":
        if isinstance(node.value, ast.Name) and node.value.id in (*MODULES, "self"):
            yield Kind.NAME, ast.Name(node.attr, ast.Load())
        return
    yield Kind.UNWRAPPED, node.value
    yield from ((Kind.NAME, ast.Name(name, ast.Load())) for name in scope.values)


def _of_a_call(node, role, scope):
    function, given, named = node.func, node.args, node.keywords
    if given and not isinstance(given[0], ast.Starred):
        yield Kind.UNWRAPPED, given[0]
    if isinstance(function, ast.Attribute):
        yield Kind.UNWRAPPED, function.value
        if isinstance(function.value, ast.Name) and function.value.id == "np" and given:
            yield Kind.FORM, ast.Call(ast.Attribute(given[0], function.attr, ast.Load()), given[1:], named)
    yield from ((Kind.EXCHANGED, ast.Call(function, items, named)) for items in neighbours_exchanged(given))
    for place in range(len(given) if len(given) > 1 else 0):
        yield Kind.DROPPED, ast.Call(function, given[:place] + given[place + 1 :], named)
    for place in range(len(named)):
        yield Kind.DROPPED, ast.Call(function, given, named[:place] + named[place + 1 :])
    yield from _with_keywords(node, scope)


def _with_keywords(node, scope):
    """The same call with an axis, or with the axes kept."""
    called = getattr(node.func, "attr", getattr(node.func, "id", ""))
    if called not in OVER_AN_AXIS:
        return
    there = [keyword.arg for keyword in node.keywords]
    if "keepdims" not in there:
        kept = ast.keyword("keepdims", ast.Constant(True))
        yield Kind.WRAPPED, ast.Call(node.func, node.args, [*node.keywords, kept])
    others = [keyword for keyword in node.keywords if keyword.arg != "axis"]
    axes = [*map(ast.Constant, (0, 1, -1)), *(ast.Name(n, ast.Load()) for n in scope.values if n.startswith("ax"))]
    for axis in axes:
        yield Kind.WRAPPED, ast.Call(node.func, node.args, [*others, ast.keyword("axis", axis)])


def _of_an_item(node, role, scope):
    yield Kind.UNWRAPPED, node.value


def _of_a_comprehension(node, role, scope):
    for place, loop in enumerate(node.generators):
        for condition in range(len(loop.ifs)):
            rest = loop.ifs[:condition] + loop.ifs[condition + 1 :]
            less = ast.comprehension(loop.target, loop.iter, rest, loop.is_async)
            loops = node.generators[:place] + [less] + node.generators[place + 1 :]
            yield Kind.DROPPED, type(node)(node.elt, loops)


BY_TYPE = {
    ast.BinOp: _of_an_operation,
    ast.UnaryOp: _of_a_sign,
    ast.Compare: _of_a_comparison,
    ast.BoolOp: _of_and_or,
    ast.IfExp: _of_a_choice,
    ast.Tuple: _of_several,
    ast.List: _of_several,
    ast.Constant: _of_a_constant,
    ast.Name: _of_a_name,
    ast.Attribute: _of_an_attribute,
    ast.Call: _of_a_call,
    ast.Subscript: _of_an_item,
    ast.GeneratorExp: _of_a_comprehension,
    ast.ListComp: _of_a_comprehension,
}


def neighbours_exchanged(items):
    """The list with each two that stand side by side exchanged."""
    for place in range(len(items) - 1):
        yield [*items[:place], items[place + 1], items[place], *items[place + 2 :]]


def in_one_order(text):
    """What is equal for programs in which the terms of a sum, or the factors of a product, stand in another order."""
    return ast.dump(_Sorted().visit(ast.parse(text)))


class _Sorted(ast.NodeTransformer):
    def visit_BinOp(self, node):
        self.generic_visit(node)
        if isinstance(node.op, ast.Mult) and ast.dump(node.left) == ast.dump(node.right):
            return ast.BinOp(node.left, ast.Pow(), ast.Constant(2))
        if isinstance(node.op, WITHOUT_ORDER):
            first, *others = sorted(_operands(node, type(node.op)), key=ast.dump)
            for other in others:
                first = ast.BinOp(first, node.op, other)
            return first
        return node


def _operands(node, op):
    """What is added up, or multiplied, by one operation after the other."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, op):
        return [*_operands(node.left, op), *_operands(node.right, op)]
    return [node]


def _around(node, role, scope):
    """Something done to what was used as it is."""
    if role == "condition":
        yield Kind.COMPARISON, ast.UnaryOp(ast.Not(), node)
        return
    if role == "looped over":
        yield from ((Kind.WRAPPED, _call(name, node)) for name in ("reversed", "list"))
        return
    yield Kind.SIGN, ast.UnaryOp(ast.USub(), node)
    one, two = ast.Constant(1), ast.Constant(2)
    for op, other in ((ast.Add, one), (ast.Sub, one), (ast.Mult, two), (ast.Div, two), (ast.Pow, two)):
        yield Kind.FACTOR, ast.BinOp(node, op(), other)
    yield from ((Kind.FACTOR, ast.BinOp(one, op(), node)) for op in (ast.Sub, ast.Div))
    for name in scope.values:
        for op in (ast.Mult, ast.Div, ast.Add, ast.Sub):
            yield Kind.FACTOR, ast.BinOp(node, op(), ast.Name(name, ast.Load()))
    yield from ((Kind.WRAPPED, wrapped) for wrapped in _wrapped(node, scope))


def _wrapped(node, scope):
    for name in ("data", "T", "shape"):
        yield ast.Attribute(node, name, ast.Load())
    for name in ("copy", "sum", "mean", "detach"):
        yield ast.Call(ast.Attribute(node, name, ast.Load()), [], [])
    for name in ("abs", "float", "len", "tuple", "list", *scope.makers):
        yield _call(name, node)
    yield ast.Subscript(node, ast.Constant(0), ast.Load())
    yield ast.Tuple([node], ast.Load())


def _call(name, *arguments):
    return ast.Call(ast.Name(name, ast.Load()), list(arguments), [])
