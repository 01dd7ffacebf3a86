"""Right solutions of notebook 03 in other styles."""

import math

from grader.course.paths import ROOT


def written_into_value_py(bg):
    """A whole engine of closures, whose constructor gives every node an empty _backward."""
    exec((ROOT / "tests/course/checking/foreign_engines/closures.py").read_text(), vars(bg.value))


variant_3_1_an_engine_of_closures = variant_3_3_an_engine_of_closures = written_into_value_py
variant_3_2_an_engine_of_closures = variant_3_4_an_engine_of_closures = written_into_value_py


def variant_3_1_by_position(bg):
    """Indices instead of zip, and the grad written out."""

    def _backward(self):
        for i in range(len(self._prev)):
            self._prev[i].grad = self._prev[i].grad + self.grad * self._slopes[i]

    bg.Value._backward = _backward


def variant_3_1_leaf_first(bg):
    """Asks for the leaf at once, and goes from the last input to the first."""

    def _backward(self):
        if not self._prev:
            return
        for slope, child in sorted(zip(self._slopes, self._prev), key=lambda pair: -pair[0]):
            child.grad += self.grad * slope

    bg.Value._backward = _backward


def with_closures(bg):
    """The engine as other courses write it: each result brings its _backward along."""
    Value = bg.Value
    as_value = bg.value.as_value

    def result(data, inputs, op, slopes_of):
        out = Value(data, inputs, op)

        def _backward():
            for child, slope in zip(inputs, slopes_of(out)):
                child.grad += slope * out.grad

        out._backward = _backward
        return out

    def __add__(self, other):
        other = as_value(other)
        return result(self.data + other.data, (self, other), "+", lambda out: (1.0, 1.0))

    def __mul__(self, other):
        other = as_value(other)
        return result(self.data * other.data, (self, other), "*", lambda out: (other.data, self.data))

    def exp(self):
        return result(math.exp(self.data), (self,), "exp", lambda out: (out.data,))

    Value.__add__, Value.__mul__, Value.exp = __add__, __mul__, exp
    Value._backward = lambda self: None


variant_3_1_closures = variant_3_2_on_closures = with_closures
variant_3_3_on_closures = variant_3_4_on_closures = with_closures


def variant_3_2_marked_at_the_end(bg):
    """A node is marked when it goes on the list, and asked for before each call."""

    def post_order(root):
        order, finished = [], set()

        def visit(node):
            for child in node._prev:
                if child not in finished:
                    visit(child)
            order.append(node)
            finished.add(node)

        visit(root)
        return order

    bg.value.post_order = post_order


def variant_3_2_passed_down(bg):
    """One function: the dict that keeps order and marks is passed to each call."""

    def post_order(root, found=None):
        found = {} if found is None else found
        for child in root._prev:
            if child not in found:
                post_order(child, found)
        found[root] = None
        return list(found)

    bg.value.post_order = post_order


def variant_3_2_turned_round(bg):
    """The root first and the last input before the first, and at the end turned round."""

    def post_order(root):
        uses = {}

        def count(node):
            uses[node] = uses.get(node, 0) + 1
            if uses[node] == 1:
                for child in node._prev:
                    count(child)

        def pass_on(node):
            uses[node] -= 1
            if uses[node] == 0:
                order.append(node)
                for child in node._prev:
                    pass_on(child)

        order = []
        count(root)
        pass_on(root)
        return order[::-1]

    bg.value.post_order = post_order


def variant_3_3_paths_on_a_stack(bg):
    """Each node waits with an iterator over its inputs; a tuple is returned."""

    def topological_order(root):
        order, seen, stack = [], {id(root)}, [(root, iter(root._prev))]
        while stack:
            node, inputs = stack[-1]
            waiting = next((child for child in inputs if id(child) not in seen), None)
            if waiting is None:
                order.append(node)
                stack.pop()
            else:
                seen.add(id(waiting))
                stack.append((waiting, iter(waiting._prev)))
        return tuple(order)

    bg.value.topological_order = topological_order


def variant_3_3_counting_uses(bg):
    """From the root down: a node comes when the last of its uses has come. Then the list is turned round."""

    def topological_order(root):
        uses, found = {root: 0}, [root]
        for node in found:
            for child in node._prev:
                if child not in uses:
                    uses[child] = 0
                    found.append(child)
                uses[child] += 1
        order = [root]
        for node in order:
            for child in node._prev:
                uses[child] -= 1
                if uses[child] == 0:
                    order.append(child)
        return order[::-1]

    bg.value.topological_order = topological_order


def variant_3_3_looking_again(bg):
    """Looks at the top of the stack until all its inputs are finished."""

    def topological_order(root):
        order, finished, stack = [], set(), [root]
        while stack:
            node = stack[-1]
            waiting = [child for child in node._prev if child not in finished]
            if waiting:
                stack += waiting
                continue
            stack.pop()
            if node not in finished:
                finished.add(node)
                order.append(node)
        return order

    bg.value.topological_order = topological_order


def variant_3_3_in_a_dict(bg):
    """The keys of a dict: they keep the order in which they came, and know at once what is there."""

    def topological_order(root):
        finished, stack = {}, [(root, False)]
        while stack:
            node, noted = stack.pop()
            if noted:
                finished[node] = True
            elif node not in finished:
                stack.append((node, True))
                stack += [(child, False) for child in node._prev if child not in finished]
        return list(finished)

    bg.value.topological_order = topological_order


def variant_3_4_root_apart(bg):
    """A leaf as the root is a case of its own."""

    def backward(self):
        if len(self._prev) == 0:
            self.grad += 1
            return
        order = list(reversed(bg.value.topological_order(self)))
        for node in order:
            node.grad = 0.0 if node._prev else node.grad
        self.grad = 1.0
        for node in order:
            node._backward()

    bg.Value.backward = backward


def variant_3_4_counting_uses(bg):
    """A walk of its own: a node passes its gradient back when the last node made from it has done so."""

    def backward(self):
        uses, found = {self: 0}, [self]
        for node in found:
            node.grad = 0.0 if node._prev else node.grad
            for child in node._prev:
                if child not in uses:
                    uses[child] = 0
                    found.append(child)
                uses[child] += 1
        self.grad += 1.0
        ready = [self]
        while ready:
            node = ready.pop()
            node._backward()
            for child in node._prev:
                uses[child] -= 1
                if uses[child] == 0:
                    ready.append(child)

    bg.Value.backward = backward


def variant_3_5_five_operations(bg):
    """Equal numbers out of a sum and a product, and a product used twice."""

    def tell_them_apart(a, b):
        square, double = a * a, a + a
        return square * (square * double)

    bg.hunts.tell_them_apart = tell_them_apart


def variant_3_5_with_a_power(bg):
    """A power of 1 makes the twin."""

    def tell_them_apart(a, b):
        y = (a * b).sin()
        return y + y**1 * b

    bg.hunts.tell_them_apart = tell_them_apart
