"""What is drawn for questions of quiz.md, about notebook 13."""


def two_users(rng):
    """z is made by one operation, and used by a function and by another operation."""
    (made, inner), (sign, outer) = rng.sample([("*", "Mul"), ("-", "Sub"), ("/", "Div"), ("+", "Add")], 2)
    function = rng.choice(["Exp", "Tanh", "Log", "Sqrt", "Abs"])
    return {"made": made, "inner": inner, "sign": sign, "outer": outer, "f": function, "call": function.lower()}
