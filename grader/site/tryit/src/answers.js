// Predictions and notes as the files answers/NN.md, which the course's notebooks keep: docs/using.md describes them.

const KEY = /^(\d|[1-9]\d)\.([A-Z]?)([1-9]\d?)([a-z]?)$/;
const KINDS = ["Prediction", "Note"];
const EXERCISES = "a", REFLECTION = "b"; // in the place of a section's letter: after all of them

/** A text that sorts the sections of one notebook. */
function place(name) {
  const [kind, key] = name.split(" ");
  const [, , section, count, letter] = KEY.exec(key);
  return [KINDS.indexOf(kind), section === "R" ? REFLECTION : section || EXERCISES, count.padStart(2, "0"), letter].join(" ");
}

/** The file of one notebook.  answers: [["Prediction 2.A1", text], ...]. */
export function asFile(title, answers) {
  const sorted = answers.filter(([name, text]) => KEY.test(name.split(" ")[1]) && text.trim()).sort(([a], [b]) => (place(a) < place(b) ? -1 : 1));
  const sections = sorted.map(([name, text]) => `## ${name}\n\n${text.trim().replace(/^(\\*)(?=## )/gm, "$1\\")}\n`);
  return [`# ${title}\n`, ...sections].join("\n");
}

/** The answers of such a file, as asFile takes them. */
export function fromFile(text) {
  return text.replace(/^\ufeff/, "").replace(/\r\n?/g, "\n").split(/^(?=## )/m).flatMap((part) => {
    const [heading, ...lines] = part.split("\n");
    const found = /^## ((?:Prediction|Note) (\S+))[ \t]*$/.exec(heading);
    if (!found || !KEY.test(found[2])) return [];
    return [[found[1], lines.join("\n").replace(/^\\(?=\\*## )/gm, "").trim()]];
  });
}
