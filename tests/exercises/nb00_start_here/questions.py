"""The questions of notebook 00."""

from grader.course.questions import probe

# 0.1: area.


def ask_area(name, width, height):
    @probe("0.1", asked=f"area({width}, {height})", name=name)
    def area(bg, rng):
        return {"returned": bg.area(width, height)}


ask_area("a_square", 2, 2)
ask_area("a_rectangle", 3, 5)
ask_area("a_side_of_0", 0, 7)


@probe("0.1", asked="area({width}, {height})")
def random_sides(bg, rng):
    width, height = round(rng.uniform(1, 9), 2), round(rng.uniform(10, 19), 2)
    return {"asked": {"width": width, "height": height}, "returned": bg.area(width, height)}


# 0.2: sides.


def ask_sides(name, points, slope, start):
    @probe("0.2", asked=f"sides({points}, slope={slope}, start={start})", name=name)
    def which(bg, rng):
        given = list(points)
        return {"returned": bg.sides(given, slope, start), "points afterwards": [list(point) for point in given]}


ask_sides("five_points", [(1, 0), (0, 3), (-4, -7), (1, -5), (1, -1)], 3, -4)  # the last lies on the line
ask_sides("a_line_that_falls", [(4, 1), (-2, 9), (-3, 8), (5, -6), (4, 1), (3, 0)], -2, 6)
ask_sides("no_points", [], 2, 1)
ask_sides("next_to_the_line", [(0.75, 2.4), (0.75, 2.501), (-1.5, -2.1), (-1.5, -1.9), (0.25, 1.4)], 2, 1)


def random_sides_of(rng):
    """-1 and 1, twelve times, each at least three times: below the line and above it.

    Some of the points lie far from it, and so between other lines that may be meant: those are told apart.
    """
    return rng.permutation([-1, -1, -1, 1, 1, 1, *rng.choice([-1, 1], 6)]).tolist()


@probe("0.2", asked="sides({points}, slope={slope}, start={start})")
def random_whole_points(bg, rng):
    slope, start = int(rng.integers(2, 5)), int(rng.integers(-9, -2))
    places = zip(rng.integers(-4, 5, 12).tolist(), random_sides_of(rng), rng.integers(1, 21, 12).tolist())
    points = [(x, start + slope * x + side * far) for x, side, far in places]
    asked = {"points": str(points), "slope": slope, "start": start}
    return {"asked": asked, "returned": bg.sides(points, slope, start)}


@probe("0.2", asked="sides({points}, slope={slope}, start={start})")
def random_points(bg, rng):
    slope, start = round(rng.uniform(0.5, 2), 1), round(rng.uniform(2, 5), 1)
    places = zip(rng.uniform(-3, 3, 12).tolist(), random_sides_of(rng), rng.uniform(0.1, 6, 12).tolist())
    points = [(round(x, 2), round(start + slope * round(x, 2) + side * far, 2)) for x, side, far in places]
    asked = {"points": str(points), "slope": slope, "start": start}
    return {"asked": asked, "returned": bg.sides(points, slope, start)}


# 0.3: the hunt.


def ask_hunt(name):
    asked = f"three_measures({{truth}}) and gave the two lists to measure {name}"

    @probe("0.3", asked=asked, name=f"measure_{name}", secret=True)
    def predictions(bg, rng):
        truth = [round(float(x), 2) for x in rng.uniform(2, 90, 2) * rng.choice([-1, 1], 2)]
        return {"asked": {"truth": truth}, "predicted": bg.hunts.three_measures(list(truth))}


for _name in "ABC":
    ask_hunt(_name)
