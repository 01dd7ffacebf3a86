// The quiz, in a dialog: Python chooses the questions and judges the answers, the browser keeps what happened.

import { Ended } from "./python.js";
import { made } from "./show.js";

const LINE = "quiz:";
const LARGEST = 2_000_000; // characters of a file: decades of answers
const QUIZ = "quiz";
const WHY = { time: "Python did not answer in time, and was started again. Try again.", stop: "Python was started again meanwhile. Try again." };

const $ = (id) => document.getElementById(id);

/** The lines of .babygrad/quiz.jsonl. Each is kept under a name of its own, so that tabs which write at once lose none;
 *  what is kept there is its place in the file. */
export class Lines {
  constructor(keep) {
    this.keep = keep;
  }

  text() {
    const names = this.keep.names(LINE).sort((one, other) => this.keep.get(one) - this.keep.get(other));
    return names.map((name) => `${name.slice(LINE.length)}\n`).join("");
  }

  /** Throws an Error if a file is too large to be taken. */
  test(text) {
    if (text.length > LARGEST) throw new Error("quiz.jsonl is too large.");
  }

  /** Add the lines of a file that are not there yet.  Throws an Error if it is too large. */
  add(text) {
    this.test(text);
    let place = this.keep.names(LINE).length;
    for (const line of text.split(/\r?\n/)) {
      const name = LINE + line;
      if (line.trim() && this.keep.get(name) === null) this.keep.set(name, String(place++));
    }
  }
}

export class Quiz {
  /** ask(request) -> Python's answer.  failed(): ids of exercises.  section(number, letter): an element that leads there. */
  constructor(lines, { ask, failed, section }) {
    Object.assign(this, { lines, ask, failed, section, round: 0 });
    $("quiz-open").addEventListener("click", () => {
      $(QUIZ).showModal();
      this.begin();
    });
    $("quiz-about").addEventListener("change", () => this.begin());
    $("quiz-close").addEventListener("click", () => $(QUIZ).close());
    $("quiz-form").addEventListener("submit", (event) => {
      event.preventDefault();
      this.press();
    });
  }

  /** What Python says; null if it said nothing, or if something else was chosen meanwhile. */
  async told(request) {
    const { round } = this;
    try {
      const answer = await this.ask({ do: QUIZ, log: this.lines.text(), seed: this.seed, ...request });
      this.lines.add(answer.log);
      return round === this.round ? answer : null;
    } catch (error) {
      if (!(error instanceof Ended)) throw error;
      if (round === this.round) this.say([WHY[error.reason] ?? `Python broke: ${error.message}`]);
      return null;
    }
  }

  async begin() {
    Object.assign(this, { round: this.round + 1, seed: String(Math.random()), asked: [], at: 0, right: 0, busy: false });
    $("quiz-asked").replaceChildren();
    $("quiz-check").hidden = true;
    this.say(["Python looks for the questions: as soon as it is ready, and what runs now has ended."]);
    const answer = await this.told({ about: $("quiz-about").value, failed: this.failed() });
    if (!answer) return;
    this.asked = answer.asked;
    this.say(answer.notes);
    if (this.asked.length) this.show();
  }

  show() {
    const { number, code, text, names, lettered } = this.asked[this.at];
    const field = (name) => made("label", {}, `${name}: `, made("input", { name: QUIZ, autocomplete: "off", autocapitalize: "off", spellcheck: "false" }));
    const choice = ([letter, words]) => made("label", {}, made("input", { type: "radio", name: QUIZ, value: letter }), ` ${letter}  ${words}`);
    $("quiz-asked").replaceChildren(
      made("h3", {}, `Question ${this.at + 1} of ${this.asked.length}, about notebook ${number}`),
      made("div", { id: "quiz-question" }, ...(code ? [made("pre", { class: "code", tabindex: 0 }, code)] : []), made("p", {}, text)),
      made("fieldset", { "aria-describedby": "quiz-question" }, made("legend", {}, "Your answer"), ...(lettered.length ? lettered.map(choice) : names.map(field))),
    );
    this.counted = false;
    $("quiz-check").hidden = false;
    $("quiz-check").textContent = "Check";
    $("quiz-asked").querySelector("input").focus();
  }

  /** Check the answer; after it was checked, go on. */
  async press() {
    if (this.busy || !this.asked.length || this.at === this.asked.length) return;
    if (this.counted) {
      this.say([]);
      this.show();
      return;
    }
    this.busy = true;
    const { round } = this;
    const { id, number, section, lettered } = this.asked[this.at], fields = [...$("quiz-asked").querySelectorAll("input")];
    const typed = lettered.length ? [fields.find((each) => each.checked)?.value ?? ""] : fields.map((each) => each.value);
    const end = this.at + 1 === this.asked.length ? { end: [this.right, this.asked.length] } : {};
    const answer = await this.told({ question: id, typed, ...end });
    if (round === this.round) this.busy = false; // else another round may wait for its own answer
    if (!answer) return;
    const where = answer.place && made("p", {}, "Look at ", this.section(number, section[0], answer.place), ".");
    this.say(answer.said, ...(where ? [where] : []), ...answer.summary.map((words) => made("p", {}, words)));
    if (answer.counts) this.goOn(answer.right, fields);
  }

  goOn(right, fields) {
    Object.assign(this, { counted: true, at: this.at + 1, right: this.right + right });
    for (const field of fields) field.disabled = true;
    const last = this.at === this.asked.length;
    $("quiz-check").hidden = last;
    $("quiz-check").textContent = "Next question";
    $(last ? "quiz-close" : "quiz-check").focus();
  }

  say(sentences, ...more) {
    $("quiz-said").replaceChildren(...sentences.map((words) => made("p", {}, words)), ...more);
  }
}
