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
