"""Wrong ideas about notebook 05, each as a patch for a private copy of the reference."""

import numpy as np

from grader.course.exercise import wrong

from .exercises import call, forwards, history, hunt, operators, reflected, scalars

# 5.1: what a call does.


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
    "forward works on plain arrays. Here it gets the Tensors themselves, and its a + b would call the operator of "
    "Tensors, which calls the operation again, and so on. The array of a Tensor x is x.data.",
)
def _(bg):
    patch_call(bg, forward=lambda self, inputs: self.forward(*inputs))


@wrong(
    call,
    "one list handed to forward",
    "forward(a, b) wants its arrays one after the other, and here it gets one list that holds them. A * in front of "
    "the list spreads it out: self.forward(*arrays).",
)
def _(bg):
    patch_call(bg, forward=lambda self, inputs: self.forward([x.data for x in inputs]))


@wrong(
    call,
    "two inputs taken for granted",
    "An operation may have one input, or three. Take the arrays of all of them, however many there are, and spread "
    "them with a *: self.forward(*arrays).",
)
def _(bg):
    patch_call(bg, forward=lambda self, inputs: self.forward(inputs[0].data, inputs[1].data))


@wrong(
    call,
    "two inputs unpacked",
    "a, b = ... unpacks exactly two inputs. An operation may have one, or three. Keep the tuple, take the arrays of "
    "all in it, and spread them with a *: self.forward(*arrays).",
)
def _(bg):
    def forward(self, inputs):
        a, b = inputs
        return self.forward(a.data, b.data)

    patch_call(bg, forward=forward)


@wrong(
    call,
    "nothing returned",
    "A Tensor is made, but not handed back: without return a function gives None. Both calls of result need one.",
)
def _(bg):
    def __call__(self, *given):
        try:
            self.forward(*[x.data for x in bg.tensor.as_tensors(given)])
        except ValueError as error:
            raise (self.explained(given) or error) from None

    bg.Function.__call__ = __call__


@wrong(
    call,
    "inputs spread out for result",
    "result wants the inputs as one tuple: result(array, self, inputs). The * that spreads things out belongs to "
    "forward.",
)
def _(bg):
    result = bg.ops.function.result
    patch_call(bg, remembered=lambda self, array, inputs, given: result(array, self, *inputs))


@wrong(
    call,
    "inputs spread out for as_tensors",
    "as_tensors takes the inputs all at once, as the tuple that they are: as_tensors(inputs). The * that spreads "
    "things out belongs to forward.",
)
def _(bg):
    patch_call(bg, tensors=lambda given: bg.tensor.as_tensors(*given))


@wrong(
    call,
    "the tuple asked for its .data",
    "inputs is a tuple, and a tuple has no .data. Each Tensor in it has: [x.data for x in inputs].",
)
def _(bg):
    patch_call(bg, forward=lambda self, inputs: self.forward(inputs.data))


@wrong(
    call,
    "the tuple asked for requires_grad",
    "inputs is a tuple, and a tuple has no .requires_grad. Ask each Tensor in it: any([x.requires_grad for x in "
    "inputs]).",
)
def _(bg):
    recording = bg.autograd.Recording
    patch_call(bg, requires=lambda inputs: recording.on and any(inputs.requires_grad))


@wrong(
    call,
    "any of the Tensors themselves",
    "any(inputs) asks each Tensor whether its number is another one than 0, and with three numbers that is no "
    "question. What you want to know of each is x.requires_grad.",
)
def _(bg):
    recording = bg.autograd.Recording
    patch_call(bg, requires=lambda inputs: recording.on and any(inputs))


@wrong(
    call,
    "one input taken for granted",
    "Only the first input reaches forward here. Take the arrays of all inputs, and spread them with a *: "
    "self.forward(*arrays).",
)
def _(bg):
    patch_call(bg, forward=lambda self, inputs: self.forward(inputs[0].data))


@wrong(
    call,
    "all inputs must require grad",
    "This asks whether all inputs require grad. One is enough: if a alone may move, the result moves with it. "
    "Python's word for that is any.",
)
def _(bg):
    recording = bg.autograd.Recording
    patch_call(bg, requires=lambda inputs: recording.on and all(x.requires_grad for x in inputs))


@wrong(
    call,
    "all inputs must require grad, and the switch is not asked",
    "One input that requires grad is enough: any, not all. And if there is one, Recording.on has to be asked as well.",
)
def _(bg):
    patch_call(bg, requires=lambda inputs: all(x.requires_grad for x in inputs))


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
    "Everything is recorded here, wanted or not. If no input requires grad, nobody will ever walk back through the "
    "result, and a graph that nobody needs is kept alive. The same when Recording.on is False: result(array) alone.",
)
def _(bg):
    patch_call(bg, requires=lambda inputs: True)


@wrong(
    call,
    "never recorded",
    "The numbers are right, but the result has no past: _op is None and no inputs are remembered. Where any input "
    "requires grad, result(array, self, inputs) is needed; result(array) alone makes a constant. If you call both: do "
    "the inputs still require grad when you ask? What result(x.data) makes of one does not.",
)
def _(bg):
    patch_call(bg, requires=lambda inputs: False)


@wrong(
    call,
    "the recording switch is not asked",
    "Recording.on is False, and the result was recorded all the same. Two things must come together: the switch is "
    "on, and some input requires grad.",
)
def _(bg):
    patch_call(bg, requires=lambda inputs: any(x.requires_grad for x in inputs))


@wrong(
    call,
    "only the recording switch is asked",
    "The switch Recording.on is asked here, but not the inputs. If none of them requires grad, the result remembers "
    "nothing either.",
)
def _(bg):
    recording = bg.autograd.Recording
    patch_call(bg, requires=lambda inputs: recording.on)


@wrong(
    call,
    "arrays remembered instead of Tensors",
    "The result remembers the arrays of its inputs. An array has no past and no place for a gradient: the walk back "
    "would end there. Keep a name for the Tensors, and hand those to result.",
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
    "Every input was turned into a new Tensor, also those that were Tensors before. The copy holds the same "
    "numbers, but it is a leaf that nobody knows: x would never hear of its gradient. as_tensors leaves a Tensor as "
    "it is.",
)
def _(bg):
    patch_call(bg, tensors=lambda given: tuple(bg.Tensor(x) for x in given))


@wrong(
    call,
    "a leaf made of a list",
    "The Tensor that was made of the list requires grad, so on the way back somebody would work out a gradient that "
    "nobody wants. as_tensors makes constants of numbers, lists and arrays.",
)
def _(bg):
    def tensors(given):
        beside = next((x.dtype for x in given if isinstance(x, bg.Tensor)), None)
        return tuple(x if isinstance(x, bg.Tensor) else bg.Tensor(x, dtype=beside) for x in given)

    patch_call(bg, tensors=tensors)


@wrong(
    call,
    "inputs not made Tensors",
    "A list has no .data and no .requires_grad. The first step makes Tensors of all inputs: inputs = "
    "as_tensors(inputs).",
)
def _(bg):
    patch_call(bg, tensors=lambda given: given)


@wrong(
    call,
    "only inputs that require grad are remembered",
    "Inputs that require no grad were left out. A rule finds its inputs by their place (a, b = node._inputs), and "
    "needs the constants too: the slope of a * b to a is b. Remember all of them.",
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
    "shares would be lost on the way back. Keep the tuple as it is.",
    stuck="Right for a + b, wrong for a + a",
)
def _(bg):
    result = bg.ops.function.result
    patch_call(bg, remembered=lambda self, array, inputs, given: result(array, self, tuple(dict.fromkeys(inputs))))


@wrong(
    call,
    "a new object of the operation",
    "The result remembers a new object of the same class, and what belonged to the one that was called (a factor, "
    "axes, a shape) is lost. The object that was called is self.",
)
def _(bg):
    result = bg.ops.function.result
    patch_call(bg, remembered=lambda self, array, inputs, given: result(array, type(self)(), inputs))


@wrong(
    call,
    "inputs remembered in the opposite order",
    "The inputs stand in the opposite order. A rule reads a, b = node._inputs, so the first must stay the first.",
)
def _(bg):
    result = bg.ops.function.result
    patch_call(bg, remembered=lambda self, array, inputs, given: result(array, self, inputs[::-1]))


@wrong(
    call,
    "the bare array returned",
    "The call returns the array that forward gave. Then nothing can be computed from it that remembers. "
    "result(array, ...) makes a Tensor of it.",
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
    "A Value remembered a sign such as '+'. A Tensor remembers the Function itself, since its rule is needed on the "
    "way back: hand self to result, not self.name().",
)
def _(bg):
    result = bg.ops.function.result
    patch_call(bg, remembered=lambda self, array, inputs, given: result(array, self.name(), inputs))


@wrong(
    call,
    "a leaf made by hand",
    "Tensor(array) makes a leaf: right numbers, and no past. result(array, self, inputs) makes a Tensor that "
    "remembers the operation and its inputs.",
)
def _(bg):
    def __call__(self, *given):
        try:
            return bg.Tensor(self.forward(*[x.data for x in bg.tensor.as_tensors(given)]))
        except ValueError as error:
            raise (self.explained(given) or error) from None

    bg.Function.__call__ = __call__


# 5.2: forwards.

ALL_FORWARDS = {
    "Negate": lambda a: -a,
    "Sub": lambda a, b: a - b,
    "Mul": lambda a, b: a * b,
    "Div": lambda a, b: a / b,
    "Pow": lambda a, b: a**b,
}


def patch_forwards(bg, **functions):
    for name, function in functions.items():
        getattr(bg.ops, name).forward = lambda self, *arrays, function=function: function(*arrays)


def each_forward(bg, change):
    """All five forwards at once: change(right) gives the wrong one."""
    patch_forwards(bg, **{name: change(right) for name, right in ALL_FORWARDS.items()})


@wrong(
    forwards,
    "the .data of an array",
    "a and b are NumPy arrays here, not Tensors: __call__ has unwrapped them already. (The .data of an array is a "
    "piece of raw memory, and one cannot compute with that.) Use a and b themselves.",
)
def _(bg):
    each_forward(bg, lambda right: lambda *arrays: right(*[a.data for a in arrays]))


@wrong(
    forwards,
    "b minus a",
    "Sub gives b - a here. The inputs come in the order in which they stand: for sub(5, 2) a is 5 and b is 2.",
    stuck="The sign is wrong",
)
def _(bg):
    patch_forwards(bg, Sub=lambda a, b: b - a)


@wrong(
    forwards,
    "b over a",
    "Div gives b / a here. The first input is what is divided, the second what it is divided by.",
)
def _(bg):
    patch_forwards(bg, Div=lambda a, b: b / a)


@wrong(
    forwards,
    "b to the power of a",
    "Pow gives b ** a here. The first input is the base, the second the exponent.",
)
def _(bg):
    patch_forwards(bg, Pow=lambda a, b: b**a)


@wrong(
    forwards,
    "a sum of products",
    "This is the matrix product: of two rows of numbers it makes one number. Mul multiplies number by number, and "
    "its result has as many numbers as its inputs. NumPy's sign for that is *.",
)
def _(bg):
    patch_forwards(bg, Mul=lambda a, b: a @ b)


@wrong(
    forwards,
    "whole quotients",
    "// rounds every quotient down to a whole number. The sign of division is /.",
)
def _(bg):
    patch_forwards(bg, Div=lambda a, b: a // b)


@wrong(
    forwards,
    "division protected from 0",
    "A little something was added to b, so that it is never 0. Then every quotient is a little wrong, and a "
    "division by 0 gives a large number that looks like an answer. Let NumPy say inf, so that one notices.",
)
def _(bg):
    patch_forwards(bg, Div=lambda a, b: a / (b + 1e-8))


@wrong(
    forwards,
    "0 in place of inf",
    "Where b is 0 this gives 0. That is a number like any other, and nobody would notice that something was divided "
    "by 0. NumPy's inf is meant: a / b, without a case of its own.",
)
def _(bg):
    patch_forwards(bg, Div=lambda a, b: np.where(b == 0, 0.0, a / b))


@wrong(
    forwards,
    "the base without its sign",
    "The base lost its sign on the way. (-2) ** 3 is -8. Only a fraction as exponent makes nan of a negative base, "
    "and that is as it should be.",
)
def _(bg):
    patch_forwards(bg, Pow=lambda a, b: np.abs(a) ** b)


@wrong(
    forwards,
    "powers by exp and log",
    "exp(b log a) is the power only where a is positive: the logarithm of a negative number is nan, of 0 it is "
    "-inf. NumPy's ** knows whole exponents too.",
)
def _(bg):
    patch_forwards(bg, Pow=lambda a, b: np.exp(b * np.log(a)))


@wrong(
    forwards,
    "powers by multiplication",
    "Pow multiplies a and b here. A power is written ** in Python.",
)
def _(bg):
    patch_forwards(bg, Pow=lambda a, b: a * b)


@wrong(
    forwards,
    "one over a",
    "Negate turns the sign: 2 becomes -2. One over a is another operation.",
)
def _(bg):
    patch_forwards(bg, Negate=lambda a: 1 / a)


@wrong(
    forwards,
    "Sub changes its input",
    "a -= b writes the result into a itself. But a belongs to a Tensor that others still use. a - b makes a new array.",
)
def _(bg):
    def forward(a, b):
        a -= b
        return a

    patch_forwards(bg, Sub=forward)


@wrong(
    forwards,
    "everything written into the first input",
    "The results are written into the arrays of the inputs (that is what a *= b and out=a do). These belong to "
    "Tensors that others still use. a * b, without =, makes a new array.",
)
def _(bg):
    def into_the_first(right):
        def forward(*arrays):
            arrays[0][...] = right(*arrays)
            return arrays[0]

        return forward

    each_forward(bg, into_the_first)


@wrong(
    forwards,
    "operations on Tensors in a forward",
    "forward was made of operations such as add and negate. These give Tensors, and forward has to give an array: "
    "it is the place where NumPy computes. Write a - b.",
)
def _(bg):
    add, negate = bg.ops.add, bg.ops.negate
    patch_forwards(bg, Sub=lambda a, b: add(a, negate(b)))


@wrong(
    forwards,
    "an operation that uses itself",
    "sub(a, b), say, makes a Sub and calls it, and the call asks this very forward again, until Python gives up. "
    "forward is the place where NumPy computes. Write a - b.",
)
def _(bg):
    patch_forwards(bg, **{name: getattr(bg.ops, name.lower()) for name in ("Negate", "Sub", "Mul", "Div")})


@wrong(
    forwards,
    "pow as the function of this file",
    "In this file pow is the operation itself, and not Python's own: it makes a Pow, calls it, and asks this very "
    "forward again. Write a ** b.",
)
def _(bg):
    patch_forwards(bg, Pow=bg.ops.pow)


@wrong(
    forwards,
    "^ for a power",
    "A power is written ** in Python. The ^ is something else, which works on whole numbers only.",
)
def _(bg):
    patch_forwards(bg, Pow=lambda a, b: a ^ b)


@wrong(
    forwards,
    "NumPy's warnings silenced",
    "The numbers are right, but NumPy's warning was switched off. It is the first thing that tells a reader where an "
    "inf or a nan came from: leave it on.",
)
def _(bg):
    def silenced(right):
        def forward(*arrays):
            with np.errstate(all="ignore"):
                return right(*arrays)

        return forward

    each_forward(bg, silenced)


@wrong(
    forwards,
    "float64 made of everything",
    "The numbers are right, but float32 has become float64. The arrays may have any dtype, and the result keeps it: "
    "hand them to NumPy as they are.",
)
def _(bg):
    each_forward(bg, lambda right: lambda *arrays: right(*[np.asarray(a, dtype=float) for a in arrays]))


@wrong(
    forwards,
    "np where it is not imported",
    "This file does not import NumPy, and you need not: the signs - * / ** between two arrays are NumPy's too.",
)
def _(bg):
    def forward(*arrays):
        raise NameError("name 'np' is not defined")

    each_forward(bg, lambda right: forward)


@wrong(
    forwards,
    "nothing returned",
    "The forwards compute, but hand nothing back: without return a function gives None.",
)
def _(bg):
    each_forward(bg, lambda right: lambda *arrays: None)


# 5.3: forwards with a number of their own.

ALL_SCALARS = {
    "AddScalar": lambda a, scalar: a + scalar,
    "MulScalar": lambda a, scalar: a * scalar,
    "DivScalar": lambda a, scalar: a / scalar,
    "PowerScalar": lambda a, scalar: a**scalar,
}


def patch_scalars(bg, **functions):
    for name, function in functions.items():
        getattr(bg.ops, name).forward = lambda self, a, function=function: function(a, self.scalar)


def each_scalar(bg, change):
    patch_scalars(bg, **{name: change(right) for name, right in ALL_SCALARS.items()})


@wrong(
    scalars,
    "the number over the array",
    "DivScalar gives scalar / a here. The array is divided by the number.",
)
def _(bg):
    patch_scalars(bg, DivScalar=lambda a, scalar: scalar / a)


@wrong(
    scalars,
    "the number to the power of the array",
    "PowerScalar gives scalar ** a here. The array is the base, the number the exponent.",
)
def _(bg):
    patch_scalars(bg, PowerScalar=lambda a, scalar: scalar**a)


@wrong(
    scalars,
    "PowerScalar multiplies",
    "PowerScalar gives a * scalar here, as MulScalar does. A power is written ** in Python.",
)
def _(bg):
    patch_scalars(bg, PowerScalar=lambda a, scalar: a * scalar)


@wrong(
    scalars,
    "AddScalar changes its input",
    "a += scalar writes the result into a itself, and a belongs to a Tensor that others still use. a + scalar makes "
    "a new array.",
)
def _(bg):
    def forward(a, scalar):
        a += scalar
        return a

    patch_scalars(bg, AddScalar=forward)


@wrong(
    scalars,
    "the number made whole",
    "The number was cut to a whole one: int(0.5) is 0. Use self.scalar as it is.",
)
def _(bg):
    each_scalar(bg, lambda right: lambda a, scalar: right(a, int(scalar)))


@wrong(
    scalars,
    "the exponent made whole",
    "The exponent was cut to a whole number: int(0.5) is 0, and x ** 0.5 is a root. Use self.scalar as it is.",
)
def _(bg):
    patch_scalars(bg, PowerScalar=lambda a, scalar: a ** int(scalar))


@wrong(
    scalars,
    "an array made of the number",
    "The numbers are right, but float32 has become float64: the number was made an array of its own, and that "
    "brings its own dtype along. A plain number adapts to the array, so use self.scalar as it is.",
)
def _(bg):
    each_scalar(bg, lambda right: lambda a, scalar: right(a, np.full_like(a, scalar, dtype=np.float64)))


@wrong(
    scalars,
    "the .data of an array",
    "a is a NumPy array here, not a Tensor: __call__ has unwrapped it already. (The .data of an array is a piece of "
    "raw memory, and one cannot compute with that.) Use a itself.",
)
def _(bg):
    each_scalar(bg, lambda right: lambda a, scalar: right(a.data, scalar))


@wrong(
    scalars,
    "scalar without self",
    "The number belongs to the operation: inside a method it is self.scalar, as WithScalar has put it there. A bare "
    "`scalar` is unknown.",
)
def _(bg):
    def forward(self, a):
        return a + scalar  # noqa: F821

    for name in ALL_SCALARS:
        getattr(bg.ops, name).forward = forward


@wrong(
    scalars,
    "the number taken as another argument",
    "forward gets the array alone. The number was given when the operation was made, AddScalar(2), and waits in "
    "self.scalar. Keep the def line as the stub has it.",
)
def _(bg):
    for name, right in ALL_SCALARS.items():
        getattr(bg.ops, name).forward = lambda self, a, scalar, right=right: right(a, scalar)


@wrong(
    scalars,
    "the operation taken for its number",
    "self is the whole operation; the number is one thing that it holds: self.scalar.",
)
def _(bg):
    for name, right in ALL_SCALARS.items():
        getattr(bg.ops, name).forward = lambda self, a, right=right: right(a, self)


@wrong(
    scalars,
    "nothing returned",
    "The forwards compute, but hand nothing back: without return a function gives None.",
)
def _(bg):
    each_scalar(bg, lambda right: lambda a, scalar: None)


@wrong(
    scalars,
    "^ for a power",
    "A power is written ** in Python. The ^ is something else, which works on whole numbers only.",
)
def _(bg):
    patch_scalars(bg, PowerScalar=lambda a, scalar: a ^ scalar)


# 5.4 and 5.5: the operators.


def patch_operators(bg, **functions):
    """Functions of operators.py replaced, in the file and on the class."""
    for name, function in functions.items():
        before = getattr(bg.operators, name)
        setattr(bg.operators, name, function)
        for method, its_function in list(vars(bg.Tensor).items()):
            if its_function is before:
                setattr(bg.Tensor, method, function)


SIGNS = {"plus": "add", "minus": "sub", "times": "mul", "over": "div", "power": "pow"}
SCALARS = {"plus": "add_scalar", "times": "mul_scalar", "over": "div_scalar", "power": "power_scalar"}


def by_kind(bg, is_number):
    """The five operators, with another question for what is a plain number."""
    arithmetic = bg.ops.arithmetic

    def make(name, tensors):
        def operator(x, other):
            if not is_number(other):
                return getattr(arithmetic, tensors)(x, other)
            if name == "minus":
                return arithmetic.add_scalar(x, -other)
            return getattr(arithmetic, SCALARS[name])(x, other)

        return operator

    patch_operators(bg, **{name: make(name, tensors) for name, tensors in SIGNS.items()})


def by_name(bg, for_tensors, for_numbers):
    """The five operators, with other functions. for_tensors("add") and for_numbers("add_scalar") give the functions."""

    def make(name):
        of_tensors, of_number = for_tensors(SIGNS[name]), for_numbers(SCALARS.get(name, "add_scalar"))

        def operator(x, other):
            if isinstance(other, bg.operators.NUMBER):
                return of_number(x, -other if name == "minus" else other)
            return of_tensors(x, other)

        return operator

    patch_operators(bg, **{name: make(name) for name in SIGNS})


def without_its_file(name):
    """A function that raises what Python does where a bare name is used. A bare pow is Python's own."""

    def unknown(x, other):
        if name == "pow":
            return pow(x, other)
        raise NameError(f"name '{name}' is not defined")

    return unknown


def missing(name):
    """A function that raises what Python does where arithmetic.py has no such name."""

    def unknown(*inputs):
        raise AttributeError(f"module 'babygrad.ops.arithmetic' has no attribute '{name}'")

    return unknown


def patch_power(bg, **functions):
    """x ** other, with other functions for pow or power_scalar."""
    arithmetic = bg.ops.arithmetic
    for_tensors, for_numbers = (functions.get(name, getattr(arithmetic, name)) for name in ("pow", "power_scalar"))
    patch_operators(
        bg,
        power=lambda x, other: (for_numbers if isinstance(other, bg.operators.NUMBER) else for_tensors)(x, other),
    )


@wrong(
    operators,
    "a plain number treated like a Tensor",
    "The numbers are right, but x + 2 was made from two Tensors: one had to be made for the 2 alone, and it waits "
    "for a gradient that nobody wants. For a plain number, isinstance(other, NUMBER), take add_scalar and its like.",
)
def _(bg):
    by_kind(bg, lambda other: False)


@wrong(
    operators,
    "everything treated like a plain number",
    "add_scalar and its like make a float of what they are given, and a Tensor or a list is no float. Ask first: "
    "isinstance(other, NUMBER).",
)
def _(bg):
    by_kind(bg, lambda other: True)


@wrong(
    operators,
    "whatever is no Tensor taken for a number",
    "A list or an array is no Tensor, and no plain number either. Ask for numbers, isinstance(other, NUMBER); all "
    "else goes to add and its like, which make Tensors of lists and arrays.",
)
def _(bg):
    by_kind(bg, lambda other: not isinstance(other, bg.Tensor))


@wrong(
    operators,
    "only floats are numbers",
    "x / 4 was made from two Tensors: the 4 was not seen as a plain number, because it is an int. NUMBER holds both "
    "kinds, and isinstance(other, NUMBER) asks for either.",
)
def _(bg):
    by_kind(bg, lambda other: isinstance(other, float))


@wrong(
    operators,
    "only ints are numbers",
    "x + (-0.5) was made from two Tensors: the -0.5 was not seen as a plain number, because it is a float. NUMBER "
    "holds both kinds, and isinstance(other, NUMBER) asks for either.",
)
def _(bg):
    by_kind(bg, lambda other: isinstance(other, int))


@wrong(
    operators,
    "x - 3 adds 3",
    "x - 3 gives x + 3 here. There is no sub_scalar, so add_scalar has to do it, with the number whose sign is turned.",
    stuck="The sign is wrong",
)
def _(bg):
    arithmetic = bg.ops.arithmetic
    number = bg.operators.NUMBER
    patch_operators(
        bg,
        minus=lambda x, other: (arithmetic.add_scalar if isinstance(other, number) else arithmetic.sub)(x, other),
    )


@wrong(
    operators,
    "minus of a Tensor by adding",
    "x - y gives x + y here. For a Tensor, a list or an array the operation is arithmetic.sub.",
    stuck="The sign is wrong",
)
def _(bg):
    arithmetic, number = bg.ops.arithmetic, bg.operators.NUMBER
    patch_operators(
        bg,
        minus=lambda x, other: (
            arithmetic.add_scalar(x, -other) if isinstance(other, number) else arithmetic.add(x, other)
        ),
    )


@wrong(
    operators,
    "minus made of plus",
    "-other is right for a number and for a Tensor, but a list has no minus. For all that is no plain number take "
    "arithmetic.sub, which makes a Tensor of a list by itself.",
)
def _(bg):
    patch_operators(bg, minus=lambda x, other: bg.operators.plus(x, -other))


@wrong(
    operators,
    "other made a new Tensor",
    "Tensor(other) makes a new leaf, also of what is a Tensor: y itself is forgotten, and no gradient reaches it. Hand "
    "other to the operation as it is: as_tensors, in your __call__, leaves a Tensor as it is.",
)
def _(bg):
    def wrapped(name):
        return lambda x, other: getattr(bg.ops.arithmetic, name)(x, bg.Tensor(other))

    by_name(bg, wrapped, lambda name: getattr(bg.ops.arithmetic, name))


for _name, _operation in SIGNS.items():

    @wrong(
        operators,
        f"other made a new Tensor in {_name}",
        f"In {_name} Tensor(other) makes a new leaf, also of what is a Tensor: y itself is forgotten, and no gradient "
        f"reaches it. Hand other to arithmetic.{_operation} as it is: as_tensors, in your __call__, leaves a Tensor as "
        "it is.",
    )
    def _(bg, name=_name, operation=_operation):
        right = getattr(bg.operators, name)

        def operator(x, other):
            if isinstance(other, bg.operators.NUMBER):
                return right(x, other)
            return getattr(bg.ops.arithmetic, operation)(x, bg.Tensor(other))

        patch_operators(bg, **{name: operator})


@wrong(
    operators,
    "times one over the number",
    "1 / other is computed by Python here, and Python refuses 1 / 0. div_scalar leaves the division to NumPy, which "
    "says inf.",
)
def _(bg):
    arithmetic, number = bg.ops.arithmetic, bg.operators.NUMBER
    patch_operators(
        bg,
        over=lambda x, other: (
            arithmetic.mul_scalar(x, 1 / other) if isinstance(other, number) else arithmetic.div(x, other)
        ),
    )


@wrong(
    operators,
    "over by multiplying",
    "x / 4 gives x * 4 here. For a number it is div_scalar, else div.",
)
def _(bg):
    arithmetic, number = bg.ops.arithmetic, bg.operators.NUMBER
    patch_operators(
        bg,
        over=lambda x, other: (
            arithmetic.mul_scalar(x, other) if isinstance(other, number) else arithmetic.mul(x, other)
        ),
    )


@wrong(
    operators,
    "Python's own pow",
    "pow, without arithmetic. in front, is Python's own function. It computes x ** other, and for that it calls "
    "this very method again, until Python gives up. arithmetic.pow and arithmetic.power_scalar are meant.",
)
def _(bg):
    patch_operators(bg, power=lambda x, other: pow(x, other))


@wrong(
    operators,
    "an operator that uses itself",
    "x + other is what this method has to explain, so it cannot use x + other: Python calls the method again, until "
    "it gives up. Use the functions of ops/arithmetic.py.",
)
def _(bg):
    patch_operators(bg, plus=lambda x, other: x + other)


def on_arrays(bg, wrap):
    """All five operators on plain arrays. wrap(array) is what they return."""

    def operator(sign):
        def method(x, other):
            return wrap(sign(x.data, getattr(other, "data", other) if isinstance(other, bg.Tensor) else other))

        return method

    patch_operators(
        bg,
        plus=operator(lambda a, b: a + b),
        minus=operator(lambda a, b: a - b),
        times=operator(lambda a, b: a * b),
        over=operator(lambda a, b: a / b),
        power=operator(lambda a, b: a**b),
    )


@wrong(
    operators,
    "arrays in, arrays out",
    "This computes with x.data, and gives an array. From there no way leads back to x. The functions of "
    "ops/arithmetic.py take Tensors and give a Tensor that remembers.",
)
def _(bg):
    on_arrays(bg, lambda array: array)


@wrong(
    operators,
    "a new leaf",
    "Right numbers in a new leaf: whatever is computed from x.data alone has forgotten x. The functions of "
    "ops/arithmetic.py take Tensors and give a Tensor that remembers.",
    stuck="All gradients are 0",
)
def _(bg):
    on_arrays(bg, bg.Tensor)


@wrong(
    operators,
    "x + 2 changes x",
    "x itself was changed, and returned. Whoever used x before now has other numbers than those it computed with. "
    "An operator makes a new Tensor.",
)
def _(bg):
    def plus(x, other):
        if not isinstance(other, bg.operators.NUMBER):
            return bg.ops.arithmetic.add(x, other)
        x.data += other
        return x

    patch_operators(bg, plus=plus)


@wrong(
    operators,
    "the Tensor's numbers only",
    "other.data is for a Tensor whose past does not matter. Here y is part of the computation too, and with y.data "
    "no way leads back to y. Hand y itself to the operation.",
)
def _(bg):
    arithmetic, number = bg.ops.arithmetic, bg.operators.NUMBER

    def operator(name, right):
        def method(x, other):
            other = other.data if isinstance(other, bg.Tensor) else other
            return right(x, other) if isinstance(other, number) else getattr(arithmetic, SIGNS[name])(x, other)

        return method

    patch_operators(bg, **{name: operator(name, getattr(bg.operators, name)) for name in SIGNS})


@wrong(
    operators,
    "a subtraction of its own for numbers",
    "There is no sub_scalar. To take a number away is to add the number whose sign is turned.",
)
def _(bg):
    def minus(x, other):  # raises what Python does, in whose words the name of the package stands
        raise AttributeError("module 'babygrad.ops.arithmetic' has no attribute 'sub_scalar'")

    patch_operators(bg, minus=minus)


@wrong(
    operators,
    "the operations without their file",
    "The operations live in ops/arithmetic.py, and this file knows that one as `arithmetic`: write "
    "arithmetic.add_scalar, arithmetic.add and so on.",
)
def _(bg):
    by_name(bg, lambda name: getattr(bg.ops.arithmetic, name), without_its_file)


@wrong(
    operators,
    "the operations of two Tensors without their file",
    "The operations of two Tensors live in ops/arithmetic.py too, and this file knows that one as `arithmetic`: write "
    "arithmetic.add and so on.",
)
def _(bg):
    by_name(bg, without_its_file, lambda name: getattr(bg.ops.arithmetic, name))


@wrong(
    operators,
    "arithmetic.power",
    "For two Tensors the operation is called arithmetic.pow. Only its neighbour, for a plain number, has the long "
    "name: power_scalar.",
)
def _(bg):
    patch_power(bg, pow=missing("power"))


@wrong(
    operators,
    "arithmetic.pow_scalar",
    "For a plain number the operation is called arithmetic.power_scalar. Only its neighbour, for two Tensors, has "
    "the short name: pow.",
)
def _(bg):
    patch_power(bg, power_scalar=missing("pow_scalar"))


@wrong(
    operators,
    "nothing returned",
    "The operation is called, but its result is not handed back: without return a function gives None.",
)
def _(bg):
    patch_operators(bg, **dict.fromkeys(SIGNS, lambda x, other: None))


@wrong(
    operators,
    "the number before the Tensor",
    "In add_scalar(x, other) the Tensor comes first, then the number. Here the Tensor stands where the number is "
    "expected.",
)
def _(bg):
    def swapped(name):
        function = getattr(bg.ops.arithmetic, name)
        return lambda x, other: function(other, x)

    by_name(bg, lambda name: getattr(bg.ops.arithmetic, name), swapped)


@wrong(
    operators,
    "AddScalar made of both",
    "The number is given when the operation is made, and the Tensor when it is called: AddScalar(other)(x). The "
    "function with the small letters does both in one: arithmetic.add_scalar(x, other).",
)
def _(bg):
    classes = {"add_scalar": "AddScalar", "mul_scalar": "MulScalar", "div_scalar": "DivScalar"}
    by_name(
        bg,
        lambda name: getattr(bg.ops.arithmetic, name),
        lambda name: getattr(bg.ops.arithmetic, classes.get(name, "PowerScalar")),
    )


@wrong(
    operators,
    "the operation made but not called",
    "Add(x, other) makes an operation, it does not use one. Add()(x, other) does, and so does the function of the "
    "small letter: arithmetic.add(x, other).",
)
def _(bg):
    patch_operators(bg, plus=lambda x, other: bg.ops.arithmetic.Add(x, other))


def patch_reflected(bg, minus=None, over=None, power=None):
    given = {"reflected_minus": minus, "reflected_over": over, "reflected_power": power}
    patch_operators(bg, **{name: function for name, function in given.items() if function})


def reflect_all(bg, make):
    """make(function of two numbers) gives the wrong operator."""
    patch_reflected(
        bg,
        minus=make(lambda a, b: a - b, "sub"),
        over=make(lambda a, b: a / b, "div"),
        power=make(lambda a, b: a**b, "pow"),
    )


@wrong(
    reflected,
    "5 - x computed as x - 5",
    "This is x - other. For 5 - x Python calls x.__rsub__(5): x stands on the right, and other on the left. Whose "
    "number comes first?",
    stuck="The sign is wrong",
)
def _(bg):
    patch_reflected(bg, minus=lambda x, other: bg.ops.sub(x, other))


@wrong(
    reflected,
    "5 / x computed as x / 5",
    "This is x / other. For 5 / x it is x that stands below the line.",
)
def _(bg):
    patch_reflected(bg, over=lambda x, other: bg.ops.div(x, other))


@wrong(
    reflected,
    "2 ** x computed as x ** 2",
    "This is x ** other. In 2 ** x it is the exponent that moves: x is the exponent, other the base.",
)
def _(bg):
    patch_reflected(bg, power=lambda x, other: bg.ops.pow(x, other))


@wrong(
    reflected,
    "all three the wrong way round",
    "All three have x on the left. Here x stands on the right of the sign, and other on the left: swap the two "
    "arguments.",
    stuck="Right with Values, wrong with plain numbers",
)
def _(bg):
    reflect_all(bg, lambda sign, name: lambda x, other: getattr(bg.ops, name)(x, other))


@wrong(
    reflected,
    "5 - x without the 5",
    "-x alone is 0 - x. What stands on the left is other, and it is missing here.",
)
def _(bg):
    patch_reflected(bg, minus=lambda x, other: bg.ops.negate(x))


@wrong(
    reflected,
    "5 / x without the 5",
    "This is one over x. What stands on the left is other, and it is missing here.",
)
def _(bg):
    patch_reflected(bg, over=lambda x, other: bg.ops.power_scalar(x, -1))


@wrong(
    reflected,
    "only numbers on the left",
    "With a number on the left it is right, but an array or a list may stand there too, and add_scalar wants a "
    "plain number. arithmetic.sub(other, x) takes either.",
)
def _(bg):
    patch_reflected(bg, minus=lambda x, other: bg.ops.add_scalar(bg.ops.negate(x), other))


@wrong(
    reflected,
    "the left side made a float",
    "float(other) works for a plain number only. np.ones(3) - x and [6, 8] / x have more on the left. Hand other to "
    "the operation as it is.",
)
def _(bg):
    reflect_all(bg, lambda sign, name: lambda x, other: getattr(bg.ops, name)(float(other), x))


@wrong(
    reflected,
    "a Tensor of its own for the left side",
    "Right numbers, but float32 has become float64: Tensor(other) does not know that a float32 stands beside it "
    "(and it asks for a gradient that nobody wants). Hand other to the operation as it is.",
)
def _(bg):
    reflect_all(bg, lambda sign, name: lambda x, other: getattr(bg.ops, name)(bg.Tensor(other), x))


for _sign, _place, _operation in (("-", "minus", "sub"), ("/", "over", "div"), ("**", "power", "pow")):

    @wrong(
        reflected,
        f"a Tensor of its own for what stands left of {_sign}",
        f"Right numbers, but in other {_sign} x float32 has become float64: Tensor(other) does not know that a float32 "
        f"stands beside it (and it asks for a gradient that nobody wants). Hand other to arithmetic.{_operation} as it "
        "is.",
    )
    def _(bg, place=_place, operation=_operation):
        patch_reflected(bg, **{place: lambda x, other: getattr(bg.ops, operation)(bg.Tensor(other), x)})


@wrong(
    reflected,
    "powers by exp and log",
    "exp(x log 2) is 2 ** x, but (-2) ** 3 has no logarithm, and neither has 0. arithmetic.pow leaves that to NumPy.",
)
def _(bg):
    patch_reflected(bg, power=lambda x, other: bg.ops.exp(bg.ops.mul(x, np.log(np.asarray(other, dtype=x.dtype)))))


@wrong(
    reflected,
    "Python's own pow",
    "pow, without arithmetic. in front, is Python's own function. It computes other ** x, and for that it calls "
    "this very method again, until Python gives up. arithmetic.pow is meant.",
)
def _(bg):
    patch_reflected(bg, power=lambda x, other: pow(other, x))


@wrong(
    reflected,
    "an operator that uses itself",
    "other - x is what this method has to explain, so it cannot use other - x: Python calls the method again, until "
    "it gives up. Use the functions of ops/arithmetic.py.",
)
def _(bg):
    patch_reflected(bg, minus=lambda x, other: other - x)


@wrong(
    reflected,
    "arrays in, arrays out",
    "This computes with x.data, and gives an array. From there no way leads back to x. Hand x itself to "
    "arithmetic.sub and its like.",
)
def _(bg):
    reflect_all(bg, lambda sign, name: lambda x, other: sign(np.asarray(other), x.data))


@wrong(
    reflected,
    "a new leaf",
    "Right numbers in a new leaf: whatever is computed from x.data alone has forgotten x. Hand x itself to "
    "arithmetic.sub and its like.",
    stuck="All gradients are 0",
)
def _(bg):
    reflect_all(bg, lambda sign, name: lambda x, other: bg.Tensor(sign(np.asarray(other), x.data)))


@wrong(
    reflected,
    "nothing returned",
    "The operation is called, but its result is not handed back: without return a function gives None.",
)
def _(bg):
    reflect_all(bg, lambda sign, name: lambda x, other: None)


@wrong(
    reflected,
    "the operations without their file",
    "The operations live in ops/arithmetic.py, and this file knows that one as `arithmetic`: write arithmetic.sub "
    "and so on.",
)
def _(bg):
    reflect_all(bg, lambda sign, name: lambda x, other: without_its_file(name)(other, x))


@wrong(
    reflected,
    "arithmetic.power",
    "The operation of two Tensors is called arithmetic.pow. Only its neighbour, for a plain number, has the long "
    "name: power_scalar.",
)
def _(bg):
    patch_reflected(bg, power=missing("power"))


# 5.6: one step back.


def patch_history(bg, read):
    bg.Function.next_functions = property(read)


@wrong(
    history,
    "only the Functions",
    "The Functions are there, but each stands in a pair with the number 0, as in PyTorch: (x.grad_fn, 0).",
)
def _(bg):
    patch_history(bg, lambda self: tuple(x.grad_fn for x in self.inputs))


@wrong(
    history,
    "leaves left out",
    "Inputs that no Function made were left out. Then nobody can tell which entry belongs to which input. A leaf's "
    "grad_fn is None, so its pair is (None, 0).",
)
def _(bg):
    patch_history(bg, lambda self: tuple((x.grad_fn, 0) for x in self.inputs if x.grad_fn is not None))


@wrong(
    history,
    "Tensors instead of Functions",
    "These are the inputs themselves. What is asked is the Function that made each of them: its grad_fn.",
)
def _(bg):
    patch_history(bg, lambda self: tuple((x, 0) for x in self.inputs))


@wrong(
    history,
    "names instead of Functions",
    "These are names. With the Functions themselves one can go on walking, and each of them still knows its name().",
)
def _(bg):
    patch_history(bg, lambda self: tuple((x.grad_fn and x.grad_fn.name(), 0) for x in self.inputs))


@wrong(
    history,
    "the name of a leaf's Function",
    "A leaf has no Function, and None has no name(). And names are not asked for: put the Function itself, or the "
    "None, into the pair.",
)
def _(bg):
    patch_history(bg, lambda self: tuple((x.grad_fn.name(), 0) for x in self.inputs))


@wrong(
    history,
    "inputs counted in the second place",
    "The second number counts the inputs here. In PyTorch it says which of several results of a Function is meant. "
    "Ours have one result each, so it is always 0.",
)
def _(bg):
    patch_history(bg, lambda self: tuple((x.grad_fn, place) for place, x in enumerate(self.inputs)))


@wrong(
    history,
    "itself instead of what came before",
    "This gives the Function itself, once for each input. self made the result; each input was made by its own "
    "grad_fn.",
)
def _(bg):
    patch_history(bg, lambda self: tuple((self, 0) for _ in self.inputs))


@wrong(
    history,
    "each different Function once",
    "An input that is used twice gets two pairs, one for each place. A set or a dict keeps only one of them.",
    stuck="Right for a + b, wrong for a + a",
)
def _(bg):
    patch_history(bg, lambda self: tuple(dict.fromkeys((x.grad_fn, 0) for x in self.inputs)))


@wrong(
    history,
    "one pair, not in a tuple",
    "Only the first input is answered for. Every input has a pair, and a Function with one input gives a tuple with "
    "one pair in it: ((..., 0),).",
)
def _(bg):
    patch_history(bg, lambda self: (self.inputs[0].grad_fn, 0))


@wrong(
    history,
    "a list of two lists",
    "The Functions stand in one row and the numbers in another. Each input has a pair of both: (its Function, 0).",
)
def _(bg):
    patch_history(bg, lambda self: (tuple(x.grad_fn for x in self.inputs), (0,) * len(self.inputs)))


@wrong(
    history,
    "all the way back",
    "This walks on to the inputs' inputs. next_functions takes one step; whoever wants to go further asks the next "
    "Function again.",
)
def _(bg):
    def all_of(self):
        pairs = ()
        for x in self.inputs:
            pairs += ((x.grad_fn, 0), *(all_of(x.grad_fn) if x.grad_fn else ()))
        return pairs

    patch_history(bg, all_of)


@wrong(
    history,
    "the inputs of a Tensor",
    "It is the Tensor whose inputs are called _inputs. self is a Function here, and keeps the inputs of its call in "
    "self.inputs.",
)
def _(bg):
    patch_history(bg, lambda self: tuple((x.grad_fn, 0) for x in self._inputs))


@wrong(
    history,
    "grad_fn called",
    "grad_fn is no method: without brackets it is the Function that made x, and for a leaf it is None, which cannot "
    "be called.",
)
def _(bg):
    patch_history(bg, lambda self: tuple((x.grad_fn(), 0) for x in self.inputs))


@wrong(
    history,
    "nothing returned",
    "The pairs are made, but not handed back: without return a function gives None.",
)
def _(bg):
    patch_history(bg, lambda self: None)


@wrong(
    history,
    "a generator",
    "Round brackets around `... for x in ...` make a generator: it can be read once, and has no places to ask for. "
    "tuple(... for x in self.inputs) makes the tuple.",
)
def _(bg):
    patch_history(bg, lambda self: ((x.grad_fn, 0) for x in self.inputs))


# 5.7: the hunt.


@wrong(
    hunt,
    "only the example",
    "5 - x is the example: it tells A apart. B needs a sum and then x once more, C an exponent that cannot be "
    "counted up to.",
)
def _(bg):
    bg.hunts.three_tables = lambda x: 5 - x


@wrong(
    hunt,
    "a square hides the sign",
    "A turns the sign of 5 - x, and the even exponent hides it: (-3) ** 2 is 9 too. Choose an exponent that lets "
    "the sign through, and that C cannot count up to.",
)
def _(bg):
    bg.hunts.three_tables = lambda x: (x + 1) * (5 - x) ** -2


@wrong(
    hunt,
    "x read before the sum",
    "Here the sum is computed last. What B does to x, nobody notices any more. Python computes the left side of a "
    "sign first: put the sum there.",
)
def _(bg):
    bg.hunts.three_tables = lambda x: (5 - x) ** -1 * (x + 1)


@wrong(
    hunt,
    "a number to the power of x",
    "A number may not stand to the left of ** in this hunt: the tables have no operator for it. What C does wrong "
    "shows with x on the left.",
)
def _(bg):
    bg.hunts.three_tables = lambda x: 2**x
