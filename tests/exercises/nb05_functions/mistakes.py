"""Wrong ideas about notebook 05, each as a patch for a private copy of the reference."""

import numpy as np

from grader.course.exercise import wrong

from .exercises import broadcasting, call, hunt, operators, part_of_the_way, rules

# 5.1: broadcast_shape.


def _shape(name, words, stuck=""):
    """Register another broadcast_shape."""

    def register(function):
        @wrong(broadcasting, name, words, stuck)
        def patch(bg):
            bg.shapes_and_rules.broadcast_shape = function

    return register


def _padded(a, b):
    """Both shapes with 1s in front, so that they are equally long."""
    length = max(len(a), len(b))
    return [(1,) * (length - len(shape)) + shape for shape in (a, b)]


def _one_gives_way(m, n):
    if m != n and 1 not in (m, n):
        raise ValueError(f"{m} and {n} do not fit")
    return n if m == 1 else m


@_shape(
    "lined up at the left",
    "The 1s went after the shorter shape, so the shapes are lined up at their left ends. The last sizes belong "
    "together: write one shape below the other, aligned on the right.",
)
def _(a, b):
    length = max(len(a), len(b))
    return tuple(map(_one_gives_way, *(shape + (1,) * (length - len(shape)) for shape in (a, b))))


@_shape(
    "zip without 1s in front",
    "Here the first sizes meet, and zip stops at the end of the shorter shape: the rest of the longer one is lost. "
    "Make the two equally long first, with 1s in front.",
)
def _(a, b):
    return tuple(_one_gives_way(m, n) for m, n in zip(a, b))


@_shape(
    "from the right, but cut off",
    "The right ends meet, as they should. But only as many sizes were compared as the shorter shape has, so the first "
    "sizes of the longer one are missing from the answer. A missing size counts as a 1.",
)
def _(a, b):
    return tuple(_one_gives_way(m, n) for m, n in zip(a[::-1], b[::-1]))[::-1]


@_shape(
    "return inside the loop",
    "Only one place was looked at. (A return inside a loop ends the function in the first round.)",
)
def _(a, b):
    result = []
    for m, n in zip(*_padded(a, b)):
        result.append(_one_gives_way(m, n))
        return tuple(result)


@_shape(
    "the answer is back to front",
    "You went through the sizes from the right, and the answer is still in that order. Reverse it before you return "
    "it.",
)
def _(a, b):
    return tuple(map(_one_gives_way, *_padded(a, b)))[::-1]


@_shape(
    "the larger size wins",
    "You take the larger of the two sizes and never say no. 2 and 3 do not fit, and a 1 gives way to 0 as "
    "well, although 0 is smaller. So do not ask which is larger: ask which is 1.",
)
def _(a, b):
    return tuple(map(max, *_padded(a, b)))


@_shape(
    "a 1 does not give way to 0",
    "All is right except for an axis of size 0: there you take the larger size. A 1 gives way to any other size, even "
    "to 0. Ask which one is 1, not which one is larger.",
)
def _(a, b):
    def larger(m, n):
        _one_gives_way(m, n)
        return max(m, n)

    return tuple(map(larger, *_padded(a, b)))


@_shape(
    "a misfit is not noticed",
    "A 1 gives way, as it should. But two different sizes, neither of them 1, get through as well, and you return a "
    "shape where NumPy would raise. What is left to ask, once you know that neither size is 1?",
)
def _(a, b):
    return tuple(n if m == 1 else m for m, n in zip(*_padded(a, b)))


@_shape(
    "a misfit is left out",
    "Where two sizes do not fit, you go on to the next place, and the answer is a shape with a size missing. Printing "
    "that they do not fit stops nothing: raise ValueError does.",
)
def _(a, b):
    return tuple(n if m == 1 else m for m, n in zip(*_padded(a, b)) if m == n or 1 in (m, n))


@_shape(
    "nothing is stretched",
    "You accept equal shapes only. Different sizes may fit too: where one of them is 1, the other one stays.",
)
def _(a, b):
    if a != b:
        raise ValueError(f"{a} and {b} are different")
    return a


@_shape(
    "sizes compared with is",
    "This is right for small sizes and wrong for large ones. `is` asks whether two names stand for one and the same "
    "object, and Python keeps only one object of each small number. Whether two numbers are equal asks ==.",
)
def _(a, b):
    def is_one_object(m, n):
        if m is not n and 1 not in (m, n):
            raise ValueError(f"{m} and {n} do not fit")
        return n if m == 1 else m

    return tuple(map(is_one_object, *_padded(a, b)))


@_shape(
    "only shapes of one length",
    "Shapes of different lengths are refused here. They may fit: put 1s in front of the shorter one until the two are "
    "equally long, then compare.",
)
def _(a, b):
    if len(a) != len(b):
        raise ValueError(f"{a} and {b} differ in length")
    return tuple(map(_one_gives_way, a, b))


@_shape(
    "the longer shape is the answer",
    "You return the longer of the two shapes as it is. A 1 in it must still give way, and sizes that do not fit must "
    "still be noticed: look at each place.",
)
def _(a, b):
    return a if len(a) >= len(b) else b


@_shape(
    "a 1 gives way only in b",
    "You let a 1 give way when it stands in b. x + y and y + x have the same shape, so a 1 in a gives way too.",
)
def _(a, b):
    def second_gives_way(m, n):
        if n not in (1, m):
            raise ValueError(f"{m} and {n} do not fit")
        return m

    return tuple(map(second_gives_way, *_padded(a, b)))


@_shape(
    "a 1 gives way only in a",
    "You let a 1 give way when it stands in a. x + y and y + x have the same shape, so a 1 in b gives way too.",
)
def _(a, b):
    def first_gives_way(m, n):
        if m not in (1, n):
            raise ValueError(f"{m} and {n} do not fit")
        return n

    return tuple(map(first_gives_way, *_padded(a, b)))


@_shape(
    "only b gets 1s in front",
    "Here only b gets 1s in front, as if a were always the longer shape. When a is the shorter one, it needs them.",
)
def _(a, b):
    return tuple(_one_gives_way(m, n) for m, n in zip(a, (1,) * (len(a) - len(b)) + b))


@_shape(
    "a list in place of a tuple",
    "The sizes are right, but they are in a list. A shape is a tuple, and [4, 3] == (4, 3) is False: tuple(a_list) "
    "turns a list into one.",
)
def _(a, b):
    return list(map(_one_gives_way, *_padded(a, b)))


@_shape(
    "one shape put behind the other",
    "For tuples, + means: put the second after the first. (2,) + (3,) is (2, 3). It adds no sizes and compares none: "
    "go through the two shapes place by place.",
)
def _(a, b):
    return a + b


def _instead_of_raising(answer):
    def broadcast_shape(a, b):
        try:
            return tuple(map(_one_gives_way, *_padded(a, b)))
        except ValueError:
            return answer

    return broadcast_shape


_shape(
    "None instead of an exception",
    "The shapes are right. For two that do not fit you return None, and the caller goes on with that until something "
    "else breaks. raise ValueError(...) stops at once and says why.",
)(_instead_of_raising(None))

_shape(
    "the exception is returned, not raised",
    "The exception was made and returned like any other value, so nothing stops. Write raise where you wrote return.",
)(_instead_of_raising(ValueError("the shapes do not fit")))


# 5.3: what a call does.


def patch_call(bg, forward=None, requires=None, remembered=None, tensors=None):
    """Function.__call__ with one part replaced."""
    result, recording = bg.ops.function.result, bg.autograd.Recording
    tensors = tensors or bg.tensor.as_tensors
    forward = forward or (lambda self, inputs: self.forward(*[x.data for x in inputs]))
    requires = requires or (lambda inputs: recording.on and any(x.requires_grad for x in inputs))
    remembered = remembered or (lambda self, array, inputs, given: result(array, self, inputs))

    def __call__(self, *given):
        try:
            inputs = tensors(given)
            array = forward(self, inputs)
            return remembered(self, array, inputs, given) if requires(inputs) else result(array)
        except ValueError as error:
            raise (self.explained(given) or error) from None

    bg.Function.__call__ = __call__


@wrong(
    call,
    "Tensors handed to forward",
    "forward works on plain arrays. Here it gets the Tensors themselves, and its a + b would call the Tensors' own +, "
    "which calls the operation again, and so on. The array of a Tensor x is x.data.",
)
def _(bg):
    patch_call(bg, forward=lambda self, inputs: self.forward(*inputs))


@wrong(
    call,
    "one list handed to forward",
    "forward(a, b) expects its arrays one after the other, and here it gets one list that holds them. A * in front of "
    "a list, as in f(*items), hands its items over one by one.",
)
def _(bg):
    patch_call(bg, forward=lambda self, inputs: self.forward([x.data for x in inputs]))


@wrong(
    call,
    "two inputs taken for granted",
    "An operation may have one input, or three. Collect the arrays of all inputs, however many there are, and hand "
    "them over one by one, as f(*items) does.",
)
def _(bg):
    patch_call(bg, forward=lambda self, inputs: self.forward(inputs[0].data, inputs[1].data))


@wrong(
    call,
    "two inputs unpacked",
    "a, b = ... unpacks exactly two inputs. An operation may have one, or three. Keep the tuple, collect the arrays "
    "of everything in it, and hand them over one by one, as f(*items) does.",
)
def _(bg):
    def forward(self, inputs):
        a, b = inputs
        return self.forward(a.data, b.data)

    patch_call(bg, forward=forward)


@wrong(
    call,
    "inputs spread out for result",
    "result expects the inputs as one tuple, its third argument. The * that spreads things out belongs in the call of "
    "forward.",
)
def _(bg):
    result = bg.ops.function.result
    patch_call(bg, remembered=lambda self, array, inputs, given: result(array, self, *inputs))


@wrong(
    call,
    "inputs spread out for as_tensors",
    "as_tensors takes all inputs at once, as the tuple that they are. The * that spreads things out belongs in the "
    "call of forward.",
)
def _(bg):
    patch_call(bg, tensors=lambda given: bg.tensor.as_tensors(*given))


@wrong(
    call,
    "the tuple asked for its .data",
    "inputs is a tuple, and a tuple has no .data. Each Tensor in it has one: go through them, [... for x in inputs].",
)
def _(bg):
    patch_call(bg, forward=lambda self, inputs: self.forward(inputs.data))


@wrong(
    call,
    "the tuple asked for requires_grad",
    "inputs is a tuple, and a tuple has no .requires_grad. Each Tensor in it has one: go through them, [... for x in "
    "inputs].",
)
def _(bg):
    recording = bg.autograd.Recording
    patch_call(bg, requires=lambda inputs: recording.on and any(inputs.requires_grad))


@wrong(
    call,
    "any of the Tensors themselves",
    "any(inputs) asks each Tensor whether its number differs from 0, and a Tensor of three numbers has no answer to "
    "that. What do you want to know about each of them?",
)
def _(bg):
    recording = bg.autograd.Recording
    patch_call(bg, requires=lambda inputs: recording.on and any(inputs))


@wrong(
    call,
    "one input taken for granted",
    "Only the first input reaches forward here. Collect the arrays of all inputs, and hand them over one by one, as "
    "f(*items) does.",
)
def _(bg):
    patch_call(bg, forward=lambda self, inputs: self.forward(inputs[0].data))


@wrong(
    call,
    "all inputs must require grad",
    "This asks whether all inputs require grad. One is enough: if a alone may move, the result moves with it. What is "
    'Python\'s word for "at least one"?',
)
def _(bg):
    recording = bg.autograd.Recording
    patch_call(bg, requires=lambda inputs: recording.on and all(x.requires_grad for x in inputs))


@wrong(
    call,
    "the first input decides",
    "Whether the result is recorded depends on the first input alone here. In add(b, a) it is the second that "
    "requires grad. Ask all of them: one is enough.",
)
def _(bg):
    recording = bg.autograd.Recording
    patch_call(bg, requires=lambda inputs: recording.on and inputs[0].requires_grad)


@wrong(
    call,
    "always recorded",
    "Everything is recorded here, wanted or not, so a graph that no backward pass needs is kept alive. When will a "
    "backward pass go through this result: which of its inputs would have to require what? And which switch says, for "
    "the whole engine, that none will come? Where none comes, result(array) alone is enough.",
)
def _(bg):
    patch_call(bg, requires=lambda inputs: True)


@wrong(
    call,
    "never recorded",
    "The numbers are right, but the result has no past: _op is None and no inputs are remembered. result(array) alone "
    "makes a constant; where an input requires grad, the other form of result is needed. If you call both: do the "
    "inputs still require grad when you ask? A Tensor made by result(x.data) does not.",
)
def _(bg):
    patch_call(bg, requires=lambda inputs: False)


@wrong(
    call,
    "the recording switch is not asked",
    "Recording.on is False, and the result was recorded all the same. Two things are needed: the switch is on, and "
    "some input requires grad.",
)
def _(bg):
    patch_call(bg, requires=lambda inputs: any(x.requires_grad for x in inputs))


@wrong(
    call,
    "only the recording switch is asked",
    "The switch Recording.on is looked at here, but the inputs are not. If none of them requires grad, the result "
    "must not remember anything either.",
)
def _(bg):
    recording = bg.autograd.Recording
    patch_call(bg, requires=lambda inputs: recording.on)


@wrong(
    call,
    "arrays remembered instead of Tensors",
    "The result remembers the arrays of its inputs. An array has no past and no place for a gradient: the backward "
    "pass would end there. Hand the Tensors to result, not their arrays.",
)
def _(bg):
    result = bg.ops.function.result
    patch_call(bg, remembered=lambda self, array, inputs, given: result(array, self, tuple(x.data for x in inputs)))


@wrong(
    call,
    "what was given is remembered, and not the Tensors",
    "For add(x, [10, -20]) the result remembers the list itself. as_tensors gives new inputs, all of them Tensors: "
    "work with what it returns from then on.",
)
def _(bg):
    result = bg.ops.function.result
    patch_call(bg, remembered=lambda self, array, inputs, given: result(array, self, given))


@wrong(
    call,
    "copies of the inputs",
    "Every input was turned into a new Tensor, even those that were Tensors already. The copy holds the same numbers, "
    "but it is a leaf that nobody knows: x would never hear of its gradient. as_tensors leaves a Tensor as it is.",
)
def _(bg):
    patch_call(bg, tensors=lambda given: tuple(bg.Tensor(x) for x in given))


@wrong(
    call,
    "a leaf made of a list",
    "The Tensor made from the list requires grad, so the backward pass would work out a gradient that nobody wants. "
    "as_tensors makes constants of numbers, lists and arrays.",
)
def _(bg):
    def tensors(given):
        beside = next((x.dtype for x in given if isinstance(x, bg.Tensor)), None)
        return tuple(x if isinstance(x, bg.Tensor) else bg.Tensor(x, dtype=beside) for x in given)

    patch_call(bg, tensors=tensors)


@wrong(
    call,
    "inputs not made Tensors",
    "A list has no .data and no .requires_grad. The first step makes Tensors of all inputs: which of the imported "
    "functions does that?",
)
def _(bg):
    patch_call(bg, tensors=lambda given: given)


@wrong(
    call,
    "only inputs that require grad are remembered",
    "Inputs that require no grad were left out. A rule finds its inputs by their place (a, b = node._inputs), and it "
    "needs the constants too: the derivative of a * b with respect to a is b. Remember all of them.",
)
def _(bg):
    result = bg.ops.function.result
    patch_call(
        bg,
        remembered=lambda self, array, inputs, given: result(array, self, tuple(x for x in inputs if x.requires_grad)),
    )


@wrong(
    call,
    "each different input once",
    "add(x, x) has two inputs that happen to be the same Tensor. A set or a dict keeps it once, and one of the two "
    "shares would be lost in the backward pass. Keep the tuple as it is.",
    stuck="Right for a + b, wrong for a + a",
)
def _(bg):
    result = bg.ops.function.result
    patch_call(bg, remembered=lambda self, array, inputs, given: result(array, self, tuple(dict.fromkeys(inputs))))


@wrong(
    call,
    "a new object of the operation",
    "The result remembers a new object of the same class, so what belonged to the one that was called (a factor, "
    "axes, a shape) is lost. Which name does the object that was called have here?",
)
def _(bg):
    result = bg.ops.function.result
    patch_call(bg, remembered=lambda self, array, inputs, given: result(array, type(self)(), inputs))


@wrong(
    call,
    "the class remembered instead of the object",
    "The result remembers the class of the operation, type(self) or self.__class__. What is remembered is the object "
    "that was called: its rule is asked later, and it knows its factor, its axes or its shape. Which name does it have "
    "here?",
)
def _(bg):
    result = bg.ops.function.result
    patch_call(bg, remembered=lambda self, array, inputs, given: result(array, type(self), inputs))


@wrong(
    call,
    "inputs remembered in a list",
    "The right inputs are remembered, in a list. Nobody should be able to add to them later: a tuple is asked for, "
    "and as_tensors gives one.",
)
def _(bg):
    result = bg.ops.function.result
    patch_call(bg, remembered=lambda self, array, inputs, given: result(array, self, list(inputs)))


@wrong(
    call,
    "inputs remembered in the opposite order",
    "The inputs are remembered in the opposite order. A rule reads a, b = node._inputs, so the first must stay first.",
)
def _(bg):
    result = bg.ops.function.result
    patch_call(bg, remembered=lambda self, array, inputs, given: result(array, self, inputs[::-1]))


@wrong(
    call,
    "the bare array returned",
    "The call returns the bare array that forward gave, and nothing computed from an array remembers anything. Which "
    "of the imported functions makes a Tensor of it?",
)
def _(bg):
    def __call__(self, *given):
        try:
            return self.forward(*[x.data for x in bg.tensor.as_tensors(given)])
        except ValueError as error:
            raise (self.explained(given) or error) from None

    bg.Function.__call__ = __call__


@wrong(
    call,
    "the name of the operation handed on",
    "A Value remembered a sign such as '+'. A Tensor remembers the Function itself, since its rule is needed in the "
    "backward pass: hand self to result, not self.name().",
)
def _(bg):
    result = bg.ops.function.result
    patch_call(bg, remembered=lambda self, array, inputs, given: result(array, self.name(), inputs))


@wrong(
    call,
    "a leaf made by hand",
    "Tensor(array) makes a leaf that requires grad: right numbers, and no past. result(array, self, inputs) makes a "
    "Tensor that remembers the operation and its inputs, result(array) one that remembers nothing and requires no "
    "grad.",
)
def _(bg):
    def __call__(self, *given):
        try:
            return bg.Tensor(self.forward(*[x.data for x in bg.tensor.as_tensors(given)]))
        except ValueError as error:
            raise (self.explained(given) or error) from None

    bg.Function.__call__ = __call__


# 5.4: an operation with a number of its own.


def patch_lerp(bg, forward=None, keep=None, lerp=None):
    """Lerp with another forward(a, b, weight), another keep(self, weight), or another lerp(a, b, weight)."""
    Lerp = bg.ops.Lerp
    if forward:
        Lerp.forward = lambda self, a, b: forward(a, b, self.weight)
    if keep:
        Lerp.__init__ = lambda self, weight: keep(self, weight)
    if lerp:
        bg.ops.lerp = bg.ops.arithmetic.lerp = lerp


def _way(name, words, stuck=""):
    """Register another forward, as a function of a, b and the weight."""

    def register(function):
        @wrong(part_of_the_way, name, words, stuck)
        def patch(bg):
            patch_lerp(bg, forward=function)

    return register


_way(
    "the weight at the wrong end",
    "This begins at b: with a weight of 0.25 it is a quarter of the way from b to a. Weight 0 should give a itself, "
    "and weight 1 b.",
)(lambda a, b, weight: b + weight * (a - b))

_way(
    "the way without its beginning",
    "This is how far you have gone, not where you are then: the way begins at a, not at 0.",
)(lambda a, b, weight: weight * (b - a))

_way(
    "b in place of the way",
    "A part of b is added to a here. But b is where the way ends, not how long it is: with a weight of 1 you would be "
    "at a + b. How far is it from a to b?",
)(lambda a, b, weight: a + weight * b)

_way(
    "in the wrong direction",
    "The step has the right length, but it leads away from b. How do you get from a to b?",
    "The sign is wrong",
)(lambda a, b, weight: a - weight * (b - a))

_way(
    "always half of the way",
    "This is the middle between a and b, whatever the weight is. Weight 0.25 is only a quarter of the way.",
)(lambda a, b, weight: (a + b) / 2)

_way(
    "part of the sum",
    "Both were multiplied by the weight. With a weight of 1 you must be at b, with nothing of a left; with a weight "
    "of 0 at a.",
)(lambda a, b, weight: weight * (a + b))

_way(
    "never beyond the ends",
    "The weight was clipped to the range from 0 to 1. It may be less than 0 or more than 1: then you are before a, or "
    "past b. Use the number as it is.",
)(lambda a, b, weight: a + min(max(weight, 0), 1) * (b - a))

_way(
    "an array made of the weight",
    "The numbers are right, but float32 has become float64. An array that is made here, be it of the weight or of a "
    "and b, brings a dtype of its own along. a and b are arrays already, and a plain number adapts to them: use all "
    "three as they are.",
)(lambda a, b, weight: a + np.array(weight, dtype=np.float64) * (b - a))

_way(
    "the .data of an array",
    "a is a NumPy array here, not a Tensor: __call__ has unwrapped it already. (The .data of an array is a piece of "
    "raw memory that you cannot compute with.) Use the arrays themselves.",
)(lambda a, b, weight: a.data + weight * (b.data - a.data))


@_way(
    "the way written into a",
    "The numbers are right, but they were written into a itself (that is what a += does). a belongs to a Tensor that "
    "others still use: + and - without the = make a new array.",
)
def _(a, b, weight):
    a += weight * (b - a)
    return a


@wrong(
    part_of_the_way,
    "operations on Tensors in a forward",
    "This forward is made of operations such as add and mul. They return Tensors, and forward has to return an array: "
    "it is the place where NumPy computes, with plain + - * between arrays.",
)
def _(bg):
    patch_lerp(bg, forward=lambda a, b, weight: bg.ops.add(a, bg.ops.mul_scalar(bg.ops.sub(b, a), weight)))


@wrong(
    part_of_the_way,
    "the weight kept by the class",
    "The weight was written into the class here, so all its objects share one: making another Lerp changes those that "
    "exist already. Each object keeps its own: self, a dot and a name.",
)
def _(bg):
    def keep(self, weight):
        type(self).weight = weight

    patch_lerp(bg, keep=keep)


@wrong(
    part_of_the_way,
    "the weight not kept",
    "A name inside __init__ is gone when __init__ ends. What the object has to remember for its calls belongs in "
    "self: self, a dot and a name.",
)
def _(bg):
    patch_lerp(bg, keep=lambda self, weight: None)


@wrong(
    part_of_the_way,
    "weight without self",
    "Inside forward a bare `weight` is unknown: it was an argument of __init__. What __init__ wrote into self is read "
    "from self.",
)
def _(bg):
    patch_lerp(bg, forward=unknown_name("weight"))


@wrong(
    part_of_the_way,
    "the weight turned round at each call",
    "The first call is right, the second is not: a call changes what the object keeps. One object may be called many "
    "times, so only __init__ writes into self; forward only reads.",
)
def _(bg):
    def forward(self, a, b):
        out = a + self.weight * (b - a)
        self.weight = 1 - self.weight
        return out

    bg.ops.Lerp.forward = forward


@wrong(
    part_of_the_way,
    "the weight as a third input",
    "forward gets two arrays, those of the inputs. The weight is not an input: it was given when the object was made, "
    "so the object has to keep it. Leave the def lines as they are in the stub.",
)
def _(bg):
    def forward(self, a, b, weight):
        return a + weight * (b - a)

    bg.ops.Lerp.forward = forward


@wrong(
    part_of_the_way,
    "the operation made but not called",
    "Lerp(weight) makes an operation, but does not use it yet. A second pair of brackets, with the inputs, calls it.",
)
def _(bg):
    patch_lerp(bg, lerp=lambda a, b, weight: bg.ops.Lerp(weight))


@wrong(
    part_of_the_way,
    "forward called by hand",
    "forward computes on arrays and knows nothing about Tensors or their past. Call the object itself: your __call__ "
    "unwraps, calls forward, wraps and records.",
)
def _(bg):
    def lerp(a, b, weight):
        return bg.ops.Lerp(weight).forward(*[getattr(x, "data", x) for x in (a, b)])

    patch_lerp(bg, lerp=lerp)


@wrong(
    part_of_the_way,
    "a new leaf",
    "Right numbers, and no past: a Tensor(...) made by hand knows nothing of x and y. Call the Lerp with the Tensors "
    "themselves, and your __call__ records.",
    stuck="All gradients are 0",
)
def _(bg):
    def lerp(a, b, weight):
        return bg.Tensor(bg.ops.Lerp(weight)(a, b).data)

    patch_lerp(bg, lerp=lerp)


@wrong(
    part_of_the_way,
    "everything in one pair of brackets",
    "All three are in one pair of brackets, but a Lerp is made from the weight alone, and called with a and b "
    "afterwards. Two pairs of brackets, one after the other.",
)
def _(bg):
    patch_lerp(bg, lerp=lambda a, b, weight: bg.ops.Lerp(a, b, weight))


@wrong(
    part_of_the_way,
    "made of the arrays, called with the weight",
    "The two pairs of brackets are swapped. What belongs to the operation, the weight, is given when the object is "
    "made; what may move, a and b, comes with the call.",
)
def _(bg):
    patch_lerp(bg, lerp=lambda a, b, weight: bg.ops.Lerp(a)(b, weight))


@wrong(
    part_of_the_way,
    "the inputs changed over in lerp",
    "Lerp is right, but lerp hands it b before a. The way goes from a to b.",
)
def _(bg):
    patch_lerp(bg, lerp=lambda a, b, weight: bg.ops.Lerp(weight)(b, a))


@wrong(
    part_of_the_way,
    "lerp made of operations",
    "The numbers are right, but they were made by three operations: three nodes. A Lerp makes one node, with one rule.",
)
def _(bg):
    ops = bg.ops
    patch_lerp(bg, lerp=lambda a, b, weight: ops.add(a, ops.mul_scalar(ops.sub(b, a), weight)))


# 5.5: the operators.


def patch_minus(bg, minus):
    """x - other replaced."""
    bg.Tensor.__sub__ = minus


def by_kind(bg, is_number):
    """x - other, with another question for what is a plain number."""
    arithmetic = bg.ops.arithmetic
    patch_minus(
        bg,
        lambda x, other: arithmetic.add_scalar(x, -other) if is_number(other) else arithmetic.sub(x, other),
    )


def minus_by(bg, of_number=None, of_tensors=None):
    """x - other, with other lines for one of the two kinds."""
    arithmetic = bg.ops.arithmetic
    of_number = of_number or (lambda x, other: arithmetic.add_scalar(x, -other))
    of_tensors = of_tensors or arithmetic.sub
    patch_minus(
        bg,
        lambda x, other: (of_number if isinstance(other, bg.tensor.NUMBER) else of_tensors)(x, other),
    )


def unknown_name(name):
    """A function that raises what Python does where a bare name is used."""

    def unknown(*given):
        raise NameError(f"name '{name}' is not defined")

    return unknown


@wrong(
    operators,
    "a plain number treated like a Tensor",
    "The numbers are right, but x - 3 was made from two Tensors: one had to be made for the 3 alone, a node for "
    "nothing. Which operation with Scalar in its name can take a number away?",
)
def _(bg):
    by_kind(bg, lambda other: False)


@wrong(
    operators,
    "everything treated like a plain number",
    "add_scalar turns what it is given into a float, and that fails for a Tensor or a list. Ask first what other is, "
    "as __add__ does.",
)
def _(bg):
    by_kind(bg, lambda other: True)


@wrong(
    operators,
    "whatever is no Tensor taken for a number",
    "A list or an array is not a Tensor, but it is not a plain number either. Ask whether other is a number, as "
    "__add__ does; everything else goes to sub, which makes Tensors of lists and arrays.",
)
def _(bg):
    by_kind(bg, lambda other: not isinstance(other, bg.Tensor))


@wrong(
    operators,
    "only floats are numbers",
    "x - 3 was made from two Tensors: the 3 was not recognised as a plain number, because it is an int. NUMBER holds "
    "both kinds, and isinstance(other, NUMBER) asks for either.",
)
def _(bg):
    by_kind(bg, lambda other: isinstance(other, float))


@wrong(
    operators,
    "only ints are numbers",
    "x - 0.5 was made from two Tensors: the 0.5 was not recognised as a plain number, because it is a float. NUMBER "
    "holds both kinds, and isinstance(other, NUMBER) asks for either.",
)
def _(bg):
    by_kind(bg, lambda other: isinstance(other, int))


@wrong(
    operators,
    "x - 3 adds 3",
    "x - 3 gives x + 3 here. There is no sub_scalar, so add_scalar has to do it: with which number?",
    stuck="The sign is wrong",
)
def _(bg):
    minus_by(bg, of_number=bg.ops.add_scalar)


@wrong(
    operators,
    "minus of a Tensor by adding",
    "x - y gives x + y here. For a Tensor, a list or an array the operation is arithmetic.sub.",
    stuck="The sign is wrong",
)
def _(bg):
    minus_by(bg, of_tensors=bg.ops.add)


@wrong(
    operators,
    "minus with its sides changed over",
    "x - y gives y - x here. x stands on the left of the operator, so it comes first.",
    stuck="The sign is wrong",
)
def _(bg):
    minus_by(bg, of_tensors=lambda x, other: bg.ops.sub(other, x))


@wrong(
    operators,
    "minus made of plus",
    "-other is right for a number and for a Tensor, but a list has no minus. For anything but a plain number use "
    "arithmetic.sub, which turns a list into a Tensor by itself.",
)
def _(bg):
    patch_minus(bg, lambda x, other: x + (-other))


@wrong(
    operators,
    "other made a new Tensor",
    "Tensor(other) makes a new leaf, even from a Tensor: y itself is forgotten, and no gradient reaches it. Hand "
    "other to arithmetic.sub as it is: as_tensors, in your __call__, leaves a Tensor alone.",
)
def _(bg):
    minus_by(bg, of_tensors=lambda x, other: bg.ops.sub(x, bg.Tensor(other)))


@wrong(
    operators,
    "an operator that uses itself",
    "x - other is what this method has to explain, so it cannot use x - other: Python calls it again, until "
    "it gives up. Use the functions of ops/arithmetic.py.",
)
def _(bg):
    patch_minus(bg, lambda x, other: x - other)


def minus_of_arrays(bg, wrap):
    """x - other on plain arrays. wrap(array) is what it returns."""

    def minus(x, other):
        return wrap(x.data - (other.data if isinstance(other, bg.Tensor) else np.asarray(other)))

    patch_minus(bg, minus)


@wrong(
    operators,
    "arrays in, arrays out",
    "An array came back, and no Tensor. From there no way leads back to x. The functions of "
    "ops/arithmetic.py take Tensors and return a Tensor that remembers.",
)
def _(bg):
    minus_of_arrays(bg, lambda array: array)


@wrong(
    operators,
    "a new leaf",
    "Right numbers in a new leaf: whatever is computed from x.data alone has forgotten x. The functions of "
    "ops/arithmetic.py take Tensors and return a Tensor that remembers.",
    stuck="All gradients are 0",
)
def _(bg):
    minus_of_arrays(bg, bg.Tensor)


@wrong(
    operators,
    "x - 3 changes x",
    "x itself was changed and returned. Results computed from x earlier now remember numbers that they were not made "
    "from. An operator makes a new Tensor.",
)
def _(bg):
    def taken_away(x, other):
        x.data -= other
        return x

    minus_by(bg, of_number=taken_away)


@wrong(
    operators,
    "the Tensor's numbers only",
    "The result has forgotten y. y is part of the computation too, and from its numbers alone (.data) no way leads "
    "back to it. Hand y itself to the operation.",
)
def _(bg):
    def sub(x, other):
        return bg.ops.sub(x, other.data if isinstance(other, bg.Tensor) else other)

    minus_by(bg, of_tensors=sub)


@wrong(
    operators,
    "a subtraction of its own for numbers",
    "There is no sub_scalar. Taking a number away is adding another one: which?",
)
def _(bg):
    def missing(x, other):  # raises what Python does, in whose words the name of the package stands
        raise AttributeError("module 'babygrad.ops.arithmetic' has no attribute 'sub_scalar'")

    minus_by(bg, of_number=missing)


@wrong(
    operators,
    "the operations without their file",
    "The operations live in ops/arithmetic.py, and this file knows that module as `arithmetic`: write "
    "arithmetic.add_scalar, arithmetic.sub and so on.",
)
def _(bg):
    minus_by(bg, unknown_name("add_scalar"), unknown_name("sub"))


@wrong(
    operators,
    "the number before the Tensor",
    "In add_scalar(x, number) the Tensor comes first, then the number. Here the Tensor stands where the number is "
    "expected.",
)
def _(bg):
    minus_by(bg, of_number=lambda x, other: bg.ops.arithmetic.add_scalar(-other, x))


@wrong(
    operators,
    "AddScalar made of both",
    "The number is given when the operation is made, and the Tensor when it is called: AddScalar(number)(x). The "
    "function with the lower-case name, arithmetic.add_scalar, does both at once.",
)
def _(bg):
    minus_by(bg, of_number=lambda x, other: bg.ops.arithmetic.AddScalar(x, -other))


@wrong(
    operators,
    "the operation made but not called",
    "Sub(x, other) tries to make an operation, not to use one. Sub()(x, other) uses it, and so does the function with "
    "the lower-case name, arithmetic.sub.",
)
def _(bg):
    minus_by(bg, of_tensors=lambda x, other: bg.ops.arithmetic.Sub(x, other))


def reflect(bg, make):
    """The three signs with x on their right.  make(operation) gives the method."""
    arithmetic = bg.ops.arithmetic
    for sign, operation in (("sub", arithmetic.sub), ("truediv", arithmetic.div), ("pow", arithmetic.pow)):
        setattr(bg.Tensor, f"__r{sign}__", make(operation))


@wrong(
    operators,
    "5 - x computed as x - 5",
    "This is x - other. For 5 - x Python calls x.__rsub__(5): x stands on the right, and other on the left. Whose "
    "number comes first?",
    stuck="The sign is wrong",
)
def _(bg):
    reflect(bg, lambda operation: lambda x, other: operation(x, other))


@wrong(
    operators,
    "the sign turned afterwards",
    "-(x - 5) is 5 - x, and that is clever. But -(x / 5) is not 5 / x, and -(x ** 2) is not 2 ** x. What do all three "
    "have in common?",
)
def _(bg):
    reflect(bg, lambda operation: lambda x, other: bg.ops.negate(operation(x, other)))


@wrong(
    operators,
    "a difference for every operator",
    "5 - x is right, but 5 / x is a difference here as well. Each of the three methods needs its own operation: sub, "
    "div or pow.",
)
def _(bg):
    reflect(bg, lambda operation: lambda x, other: bg.ops.arithmetic.sub(other, x))


@wrong(
    operators,
    "the left side made a float",
    "float(other) works for a plain number only. In np.ones(3) - x and [6, 8] / x there is more on the left. Hand "
    "other to the operation as it is.",
)
def _(bg):
    reflect(bg, lambda operation: lambda x, other: operation(float(other), x))


@wrong(
    operators,
    "a Tensor of its own for the left side",
    "Right numbers, but float32 has become float64: what is made of other alone, be it a Tensor or an array, does not "
    "know that a float32 stands beside it. Hand other to the operation as it is.",
)
def _(bg):
    reflect(bg, lambda operation: lambda x, other: operation(bg.Tensor(other), x))


@wrong(
    operators,
    "an operator that uses itself, with x on the right",
    "other - x is what this method has to explain, so it cannot use other - x: Python calls the method again and "
    "again, until it gives up. Use the functions of ops/arithmetic.py.",
)
def _(bg):
    reflect(bg, lambda operation: lambda x, other: other - x)


@wrong(
    operators,
    "numbers only, with x on the right",
    "The numbers are right, but no way leads from the result back to x. Hand x itself to the operation.",
    stuck="All gradients are 0",
)
def _(bg):
    reflect(bg, lambda operation: lambda x, other: operation(other, x.data))


@wrong(
    operators,
    "the operation called in two steps",
    "AddScalar(2)(x) is how an operation that holds a number is made and called. arithmetic.sub, div and pow are "
    "functions of both sides: hand them both at once.",
)
def _(bg):
    reflect(bg, lambda operation: lambda x, other: operation(other)(x))


@wrong(
    operators,
    "x in a method without x",
    "The arguments of the method are called self and other; there is no x. self is the Tensor on the right.",
)
def _(bg):
    reflect(bg, lambda operation: unknown_name("x"))


# 5.6: rules from matrices.


def _rule(function, name, words, stuck=""):
    """Register another sum_rule, reversed_rule or cumsum_rule."""

    def register(rule):
        @wrong(rules, name, words, stuck)
        def patch(bg):
            setattr(bg.shapes_and_rules, function, rule)

    return register


_rule(
    "sum_rule",
    "shared out among all",
    "out_grad was divided among the n numbers here. But one more in any place is one more in the total: each "
    "derivative is 1, however many places there are. (A mean divides.)",
)(lambda out_grad, n: np.full(n, out_grad / n))

_rule(
    "sum_rule",
    "the slopes themselves",
    "These are the derivatives, and they are right. The rule gives the derivative times what arrived at "
    "the result: out_grad is not used yet.",
)(lambda out_grad, n: np.ones(n))

_rule(
    "sum_rule",
    "the number that arrived",
    "out_grad is one number. But a has n numbers, and its gradient has one for each of them: what does each column of "
    "the Jacobian say?",
)(lambda out_grad, n: out_grad)

_rule(
    "sum_rule",
    "n times what arrived",
    "This adds up. Adding up was the forward pass; the gradient of a has a number for each number of a, and each "
    "comes from one column of the Jacobian.",
)(lambda out_grad, n: out_grad * n)

_rule(
    "sum_rule",
    "a table of one row",
    "The numbers are right, but they are in a table of one row, as in the Jacobian. The gradient of a has the shape "
    "of a: one axis, (n,).",
)(lambda out_grad, n: np.full((1, n), out_grad))

_rule(
    "reversed_rule",
    "as it came",
    "Each number is handed to its own place here. But number 0 of a stands at the *end* of a[::-1]. Which number of "
    "out_grad arrived there?",
)(lambda out_grad: out_grad.copy())

_rule(
    "reversed_rule",
    "the sign turned",
    "Reversing an array does not change its signs. All numbers in the Jacobian are 1 or 0: only the places change.",
    stuck="The sign is wrong",
)(lambda out_grad: -out_grad)

_rule(
    "reversed_rule",
    "sorted",
    "Sorting goes by the numbers. Here they go by their places: the first becomes the last, whatever it is.",
)(lambda out_grad: np.sort(out_grad)[::-1])


@_rule(
    "reversed_rule",
    "turned round in place",
    "Right numbers, but they were written into out_grad, which belongs to the caller: others still read it. "
    "Make a new array.",
)
def _(out_grad):
    out_grad[:] = out_grad[::-1].copy()
    return out_grad


@_rule(
    "reversed_rule",
    "reverse as of a list",
    "A list has .reverse(), an array has not; and it would change out_grad and return None. A slice with a step reads "
    "an array from its end.",
)
def _(out_grad):
    return out_grad.reverse()


_rule(
    "reversed_rule",
    "reversed() of Python",
    "reversed() gives something to loop over once, not an array. A slice with a step reads an array from its end.",
)(reversed)

_rule(
    "cumsum_rule",
    "the same sum again",
    "These are sums from the left, as in the forward pass: rows of the Jacobian. The gradient is read off a *column*. "
    "Which results did number 0 of a go into? And the last one?",
)(np.cumsum)

_rule(
    "cumsum_rule",
    "differences",
    "Differences undo a running sum: they recover a from the result. But a rule does not undo anything, it hands "
    "gradients back. Each number of a gets something from *every* result that it went into.",
)(lambda out_grad: np.diff(out_grad, prepend=0.0))

_rule(
    "cumsum_rule",
    "not turned back",
    "The sums are the right ones, but they stand in the opposite order: number 0 of a went into all results, so the "
    "sum of all belongs to place 0.",
)(lambda out_grad: np.cumsum(out_grad[::-1]))

_rule(
    "cumsum_rule",
    "turned round too late",
    "The sums were made from the left, and reversed afterwards. Number 1 of a went into results 1 to the last: its "
    "gradient leaves out the *first* number of out_grad. Here it leaves out the last.",
)(lambda out_grad: np.cumsum(out_grad)[::-1])

_rule(
    "cumsum_rule",
    "its own result left out",
    "Number i of a is in result i too, not only in those after it. The diagonal of the Jacobian holds ones.",
)(lambda out_grad: np.cumsum(out_grad[::-1])[::-1] - out_grad)

_rule(
    "cumsum_rule",
    "how many, times its own",
    "Each number was multiplied by the number of results that its place went into. But those results got different "
    "gradients: add up what arrived at each of them.",
)(lambda out_grad: out_grad * np.arange(len(out_grad), 0, -1))

_rule(
    "cumsum_rule",
    "everything for everybody",
    "Every place gets the sum of all here. Number 0 of a went into all results, but the last one only into the last: "
    "the lower left of the Jacobian is full, the upper right is empty.",
)(lambda out_grad: np.full(len(out_grad), out_grad.sum()))

_rule(
    "cumsum_rule",
    "with the table",
    "For four numbers this is right. But it builds the Jacobian, with as many numbers as results times inputs. What "
    "comes out, column by column, is a sum that can be kept as you go along.",
)(lambda out_grad: out_grad @ np.tril(np.ones((len(out_grad), len(out_grad)))))

_rule(
    "cumsum_rule",
    "with the table, made by np.tri",
    "For four numbers this is right. But np.tri builds the Jacobian, with as many numbers as results times inputs. "
    "What comes out, column by column, is a sum that can be kept as you go along.",
)(lambda out_grad: out_grad @ np.tri(len(out_grad)))


@wrong(
    rules,
    "lists in place of arrays",
    "The numbers are right, but they are in a list. A gradient is a NumPy array: np.array(a_list) turns a list into "
    "one.",
)
def _(bg):
    module = bg.shapes_and_rules
    for name in ("sum_rule", "reversed_rule", "cumsum_rule"):
        right = getattr(module, name)
        setattr(module, name, lambda *given, right=right: right(*given).tolist())


# 5.7: the hunt.


@wrong(
    hunt,
    "only the example",
    "5 - x is the example: it catches A alone. B needs a sum and then x once more, C an exponent that repeated "
    "multiplication never reaches.",
)
def _(bg):
    bg.hunts.three_tables = lambda x: 5 - x


@wrong(
    hunt,
    "a square hides the sign",
    "A flips the sign of 5 - x, and the even exponent hides it: (-3) ** 2 is 9 too. Choose an exponent that keeps the "
    "sign and that C cannot count up to.",
)
def _(bg):
    bg.hunts.three_tables = lambda x: (x + 1) * (5 - x) ** -2


@wrong(
    hunt,
    "x read before the sum",
    "Here the sum is computed last, so nobody notices what B does to x. Python computes the left side of an "
    "operator first: put the sum there.",
)
def _(bg):
    bg.hunts.three_tables = lambda x: (5 - x) ** -1 * (x + 1)


@wrong(
    hunt,
    "a number to the power of x",
    "A number must not stand to the left of ** in this hunt: the tables have no operator for it. C's mistake shows "
    "with x on the left.",
)
def _(bg):
    bg.hunts.three_tables = lambda x: 2**x
