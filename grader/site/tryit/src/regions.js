// The regions of exercises in a learner's file: between "# exercise 2.1" and "# end of exercise 2.1".

const OPEN = /^\s*# exercise (\d+\.\d+)(?: \(given\))?\s*$/;
const CLOSE = /^\s*# end of exercise (\d+\.\d+)\s*$/;

/** [{id, first, last}]: the lines of the two comments, from 0. */
export function regions(text) {
  const found = [];
  let open = null;
  text.split("\n").forEach((line, n) => {
    if (OPEN.test(line)) open = { id: OPEN.exec(line)[1], first: n };
    else if (CLOSE.test(line) && open?.id === CLOSE.exec(line)[1]) {
      found.push({ ...open, last: n });
      open = null;
    }
  });
  return found;
}

/** The line of the function that a region lies in, with its decorators; the region's own first line if it lies in none. */
export function definition(text, { first }) {
  const lines = text.split("\n"), indent = (line) => /^\s*/.exec(line)[0].length;
  let n = first - 1;
  while (n >= 0 && !(/^\s*(async )?def /.test(lines[n]) && indent(lines[n]) < indent(lines[first]))) n -= 1;
  while (n > 0 && /^\s*@/.test(lines[n - 1])) n -= 1;
  return n < 0 ? first : n;
}

/** The text with the regions of an exercise as they are in another; null if the two do not have the same number of them. */
export function withRegionsOf(id, text, other) {
  const lines = text.split("\n"), others = other.split("\n");
  const mine = regions(text).filter((region) => region.id === id);
  const theirs = regions(other).filter((region) => region.id === id);
  if (!mine.length || mine.length !== theirs.length) return null;
  for (let n = mine.length - 1; n >= 0; n--) {
    const { first, last } = theirs[n];
    lines.splice(mine[n].first, mine[n].last - mine[n].first + 1, ...others.slice(first, last + 1));
  }
  return lines.join("\n");
}

/** Whether the regions of an exercise are the same in two texts. */
export function sameRegions(id, text, other) {
  return withRegionsOf(id, text, other) === text;
}

/** Whether a text has the regions of all exercises that a stub has. */
export function hasAllRegions(text, stub) {
  const ids = (whole) => regions(whole).map((region) => region.id).sort().join();
  return ids(text) === ids(stub);
}
