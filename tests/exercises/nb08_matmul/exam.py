"""Outcomes of notebook 08, and exam questions about them."""

from grader.exam.question import Other, Question, Wrong, different

SHOWN_BY = (  # the exercises that show each goal of the notebook, in order
    "8.1",
    "8.1",
    "8.2",
    "8.3",
)


def a_vector(rng):
    (p, q), (h, g) = (sorted(different(rng, 2, 9, 2)) for _ in range(2))  # so that p · h is not q · g
    return {"p": p, "q": q, "g": g, "h": h, **dict(zip("rstu", different(rng, 2, 9, 4)))}


QUESTIONS = (
    Question(
        "8.E1",
        "derive the rule of `a @ b` from three loops, and say why there are transposes in it",
        points=4,
        minutes=6,
        text="The gradient that arrives at y = a @ b is g, a matrix with one number. Calculate both gradients.",
        draw=lambda rng: dict(zip("pqrsg", different(rng, 2, 9, 5))),
        code="""
            a = Tensor([[{p}.0, {q}.0]])
            b = Tensor([[{r}.0], [{s}.0]])
            g = Tensor([[{g}.0]], requires_grad=False)
            y = a @ b
            (y * g).sum().backward()
        """,
        asked=("a.grad.tolist()", "b.grad.tolist()"),
        wrong=(
            Wrong(("8.1", "out_grad forgotten"), "g was left out: the other factor alone."),
            Wrong("[[g.item() * a.data[0, 0], g.item() * a.data[0, 1]]]", "a's own numbers, not those of b.", at=0),
            Wrong("(g.data * a.data).tolist()", "The shape of b is (2, 1): a was not transposed.", at=1),
        ),
    ),
    Question(
        "8.E2",
        "find the gradient of a matrix that was used for a whole batch",
        points=3,
        minutes=4,
        text="",
        draw=lambda rng: dict(zip("bnmk", different(rng, 2, 9, 4))),
        code="""
            x = Tensor(np.ones(({b}, {n}, {m})))
            w = Tensor(np.ones(({m}, {k})))
            y = x @ w
            y.sum().backward()
            print(tuple(y.shape))
            print(tuple(w.grad.shape))
            print(w.grad[0, 0].item())
        """,
        wrong=(
            Wrong(
                "({b}, {m}, {k})",
                "One gradient for each matrix of the batch: w was used {b} times, and is one matrix.",
                at=1,
            ),
            Wrong("{n}.0", "Only one matrix of the batch was counted.", at=2),
        ),
    ),
    Question(
        "8.E3",
        "derive the rule of `a @ b` from three loops, and say why there are transposes in it",
        points=4,
        minutes=6,
        text="Two matrices, and a gradient g that arrives at y = a @ b. Calculate the gradient of a.",
        draw=lambda rng: dict(zip("pqrs", different(rng, 2, 9, 4))),
        code="""
            a = Tensor([[1.0, 0.0], [0.0, 2.0]])
            b = Tensor([[{p}.0, {q}.0], [{r}.0, {s}.0]])
            g = Tensor([[1.0, 0.0], [0.0, 10.0]], requires_grad=False)
            y = a @ b
            (y * g).sum().backward()
        """,
        asked=("a.grad.tolist()",),
        wrong=(
            Wrong(("8.1", "no transposes"), "g @ b in place of g @ bᵀ: with square matrices the shapes do not tell."),
            Wrong(("8.1", "factors on the wrong side"), "bᵀ @ g in place of g @ bᵀ."),
            Wrong(("8.1", "the rule of a * b"), "The matrix product was taken for a product element by element."),
        ),
    ),
    Question(
        "8.E4",
        "use shapes to find a formula, and say when shapes prove nothing",
        points=3,
        minutes=5,
        text="y = a @ b with shapes (2, 3) and (3, 5). Find the formula for the gradient of b from shapes alone: "
        "what can be multiplied with what? In which case do the shapes leave several formulas possible, and what "
        "do you do then?",
        answer="The gradient of b has the shape (3, 5), the arriving one (2, 5), and a is (2, 3). Only aᵀ @ g "
        "fits: (3, 2) times (2, 5). With square matrices everything fits, with and without transposes and in "
        "both orders. Then shapes prove nothing: derive it for one element, or compare with nudging on sizes "
        "that are all different.",
        marking=(
            (1, "aᵀ @ g, with its shapes."),
            (1, "Square matrices (or equal sizes) allow several formulas."),
            (1, "A derivation from one element, or a gradient check with different sizes."),
        ),
        wrong=(
            Wrong("g @ aᵀ", "(2, 5) times (3, 2) does not fit: the shapes were not written down."),
            Wrong("a.T * g", "Element by element, for which no shape fits here."),
        ),
        other=Other(
            text="y = x @ w with a batch x of shape (32, 4) and w of shape (4, 6). Which product of x and the "
            "arriving gradient g has the shape that the gradient of w needs, and where have the 32 "
            "examples gone? If all three sizes were the same, which mistakes could shapes no longer reveal, "
            "and what do you do then?",
            answer="w has the shape (4, 6), and so has its gradient; g is (32, 6). Only xᵀ @ g fits: (4, 32) "
            "times (32, 6). The 32 disappears inside the product, which adds up over the examples. With "
            "equal sizes a forgotten transpose, or the other order, fits as well: x @ g, g @ x. Then "
            "derive one element by hand, or compare with nudging on sizes that are all different.",
            marking=(
                (1, "xᵀ @ g, with its shapes: the examples are added up."),
                (1, "A forgotten transpose, or the wrong order."),
                (1, "A derivation from one element, or a gradient check with different sizes."),
            ),
            wrong=(
                Wrong("x @ gᵀ", "(32, 4) times (6, 32) does not fit: the shapes were not written down."),
                Wrong("the mean over the examples", "No product divides; a mean comes from the loss."),
            ),
        ),
    ),
    Question(
        "8.E5",
        "reduce a new case (vectors) to one that is solved (stretch)",
        points=4,
        minutes=6,
        text="A vector is multiplied by a matrix. The gradient that arrives at y is g. Calculate both gradients, each "
        "in its own shape.",
        draw=a_vector,
        code="""
            v = Tensor([{p}.0, {q}.0])
            b = Tensor([[{r}.0, {s}.0], [{t}.0, {u}.0]])
            g = Tensor([{g}.0, {h}.0], requires_grad=False)
            y = v @ b
            (y * g).sum().backward()
        """,
        asked=("v.grad.tolist()", "b.grad.tolist()"),
        wrong=(
            Wrong(
                "(g.data @ b.data).tolist()",
                "Number 0 of v met row 0 of b, so its gradient is g times that row, added up.",
                at=0,
            ),
            Wrong(
                ("8.3", "the matrix's gradient transposed"),
                "Number 0 of v met row 0 of b, so it stands in row 0.",
                at=1,
            ),
        ),
    ),
)
