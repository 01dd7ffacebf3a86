// The layout: the notebook on one side, the file and its check on the other.

import { at } from "./address.js";
import { asFile, fromFile } from "./answers.js";
import { cellEditor, FileEditor } from "./editor.js";
import { Keep } from "./keep.js";
import { Ended, Python } from "./python.js";
import { Lines, Quiz } from "./quiz.js";
import { hasAllRegions, sameRegions, withRegionsOf } from "./regions.js";
import { made, output, sentence } from "./show.js";
import { LARGEST, unzipped, zipped } from "./zip.js";

const MOST_DEATHS = 10; // of Python, in one check
const PAUSE = 400; // milliseconds after the last key, then a file is kept
const NOT_STARTED = "not started"; // a check's word for a stub that nothing was written into
const FILE_NAME = /^(\w+)(?: ?\(\d+\))?\.py$/; // browsers number what is downloaded twice
const IN_A_ZIP = /(?:^|\/)(?:babygrad\/(\w+\.py)|answers\/(\d\d)\.md|\.babygrad\/quiz\.jsonl)$/;
const OF_THE_QUIZ = /(^|\/)quiz(?: ?\(\d+\))?\.jsonl$/;

const $ = (id) => document.getElementById(id);

class Layout {
  constructor(course) {
    this.course = course;
    this.notebook = course.notebooks.find((each) => each.number === document.body.dataset.notebook);
    this.exercises = Object.fromEntries(this.notebook.exercises.map((each) => [each.id, each]));
    this.keep = new Keep((words) => this.problem(words), (...news) => this.news(...news));
    this.quizLines = new Lines(this.keep);
    this.unsaved = new Map(); // {file: timer}
    this.mine = new Set(); // files that this tab was the last to write
    this.editor = new FileEditor($("editor"), { changed: (text) => this.typed(text), check: () => this.check() });
    this.cells = [...document.querySelectorAll("#notebook .cell")];
    const warm = { do: "check", exercise: this.notebook.exercises[0].id, files: {} }; // imports what checks need
    this.python = new Python({ wheels: course.wheels || "", warm: JSON.stringify(warm) }, (told) => this.started(told));
    this.layOut();
    this.quiz = new Quiz(this.quizLines, {
      ask: (request) => this.python.ask({ files: this.texts(), ...request }, course.seconds),
      failed: () => course.notebooks.flatMap((each) => each.exercises).map((each) => each.id).filter((id) => !["", "passed", NOT_STARTED].includes(this.result(id).status)),
      section: (...place) => this.wayToSection(...place),
    });
  }

  // ---- laying out ----

  layOut() {
    const choice = $("exercise");
    for (const each of this.notebook.exercises) choice.append(made("option", { value: each.id }));
    choice.addEventListener("change", () => this.open(choice.value));
    const actions = { asked: this.showAsked, check: this.check, hint: this.hint, reset: this.reset, stop: this.stop, download: this.download, "download-all": this.downloadAll };
    for (const [id, action] of Object.entries(actions)) $(id).addEventListener("click", () => action.call(this));
    $("upload").addEventListener("change", (event) => this.upload(event.target));
    for (const button of document.querySelectorAll("[data-view-of]")) button.addEventListener("click", () => this.view(button.dataset.viewOf));
    $("skip").addEventListener("click", () => {
      this.view("file");
      $("exercise").focus();
    });
    addEventListener("keydown", (event) => {
      const typing = event.target.closest(".cell, dialog");
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && !typing && !event.defaultPrevented) this.check();
    });
    addEventListener("pagehide", () => this.saveAll());
    document.addEventListener("visibilitychange", () => document.hidden && this.saveAll());
    this.cells.forEach((cell, n) => this.prepare(cell, n));
    const first = this.notebook.exercises.find((each) => each.inpage !== false && this.result(each.id).status !== "passed") ?? this.notebook.exercises[0];
    this.open(this.exercises[this.keep.get(`at:${this.notebook.number}`)] ? this.keep.get(`at:${this.notebook.number}`) : first.id);
    this.tellPoints();
    this.listBackups();
    const asked = /^#exercise-(\d+)-(\d+)$/.exec(location.hash)?.slice(1).join("."); // as the book's pages link
    if (asked in this.exercises) this.goOn(asked);
    this.showSection(/^#section-([A-Z])$/.exec(location.hash)?.[1]);
    document.body.dataset.ready = "true";
  }

  /** Which of the two sides a narrow window shows. */
  view(side) {
    document.body.dataset.view = side;
    for (const button of document.querySelectorAll("[data-view-of]")) button.setAttribute("aria-pressed", button.dataset.viewOf === side);
    this.editor.view.requestMeasure();
  }

  say(words) {
    $("said").textContent = words;
  }

  problem(words) {
    $("problem").hidden = !words;
    if ($("problem").textContent !== words) $("problem").textContent = words;
  }

  started({ words, part, ready, broken }) {
    $("loading").hidden = Boolean(ready || broken);
    if (words) $("loading").value = part;
    $("python").textContent = broken ? `Python could not be started, so nothing can be run or checked here: ${broken}` : ready ? "Python is ready." : words;
    document.body.dataset.python = ready ? "ready" : broken ? "broken" : "starting";
  }

  // ---- the file ----

  text(name) {
    return this.keep.get(`file:${name}`) ?? this.course.files[name];
  }

  texts() {
    this.saveAll();
    return Object.fromEntries(Object.keys(this.course.files).map((name) => [name, this.text(name)]));
  }

  /** Show an exercise: its region in its file, its last result, the hints that were shown. */
  open(id) {
    const exercise = this.exercises[id];
    if (exercise.file !== this.file) {
      this.saveAll();
      this.file = exercise.file;
      this.editor.open(this.file, this.text(this.file));
      $("file").textContent = `babygrad/${this.file}`;
      $("download").textContent = `Download ${this.file}`;
    }
    this.id = $("exercise").value = id;
    this.keep.set(`at:${this.notebook.number}`, id);
    this.editor.goTo(id);
    delete $("verdict").dataset.old;
    $("check").disabled = $("reset").disabled = exercise.inpage === false;
    $("verdict").replaceChildren(...(exercise.inpage === false ? [made("p", {}, exercise.why)] : []));
    this.listHints();
  }

  openLine(file, line) {
    this.view("file");
    if (file !== this.file) {
      const exercise = this.notebook.exercises.find((each) => each.file === file);
      if (!exercise) return this.say(`${file} is not one of this notebook's files.`);
      this.open(exercise.id);
    }
    if (line) this.editor.goToLine(line);
    else this.editor.view.focus();
  }

  typed(text) {
    const name = this.file;
    clearTimeout(this.unsaved.get(name)?.timer);
    this.unsaved.set(name, { text, timer: setTimeout(() => this.save(name), PAUSE) });
    $("verdict").dataset.old = "";
  }

  save(name) {
    const { text, timer } = this.unsaved.get(name);
    clearTimeout(timer);
    this.unsaved.delete(name);
    const another = this.keep.set(`file:${name}`, text);
    this.mine.add(name);
    if (another !== null) this.overwritten(name, another);
    this.tellPoints();
  }

  saveAll() {
    for (const name of [...this.unsaved.keys()]) this.save(name);
  }

  /** Both tabs have written: this one later. */
  overwritten(name, text) {
    this.backUp(name, text, "another tab had written this");
    this.say(`Another tab had written ${name} too. This tab's text is kept, and the other's is among the backups.`);
  }

  news(name, value, before, theirs) {
    if (name === "backups") return this.listBackups();
    if (name.startsWith("result:")) return this.tellPoints();
    if (!name.startsWith("file:") || value === null) return undefined;
    const file = name.slice("file:".length);
    if (this.unsaved.has(file)) return this.overwritten(file, value);
    if (value === before) return this.mine.has(file) && theirs !== null && theirs !== value ? this.overwritten(file, theirs) : undefined;
    if (this.mine.delete(file) && before !== null) this.backUp(file, before, "another tab wrote over this");
    if (file === this.file) this.editor.replace(value, true);
    return this.say(`Another tab has changed ${file}: this is its newest text.`);
  }

  /** Put a text in place of a file's, with a backup of what was there. */
  put(name, text, why) {
    this.saveAll();
    if (text !== this.text(name) && this.text(name) !== this.course.files[name]) this.backUp(name, this.text(name), why);
    this.keep.set(`file:${name}`, text);
    this.mine.add(name);
    if (name === this.file) this.editor.replace(text, true);
    this.tellPoints();
  }

  backUp(name, text, why) {
    this.keep.backUp(name, text, why);
    this.listBackups();
  }

  listBackups() {
    const backups = this.keep.backups();
    $("backups").hidden = !backups.length;
    $("backup-list").replaceChildren(
      ...backups.map(({ file, text, why, when }) => {
        const words = `${file}, ${new Date(when).toLocaleString()}: ${why}`;
        const back = made("button", { type: "button", "aria-label": `Put back: ${words}`, onclick: () => this.putBack(file, text) }, "Put back");
        return made("li", {}, `${words} `, back);
      }),
    );
  }

  putBack(file, text) {
    if (file in this.course.files) this.put(file, text, "a backup was put back over this");
    else this.takeAnswers(file.slice(-5, -3), text);
    this.say(`${file} is as it was.`);
  }

  async reset() {
    const { id, title } = this.exercises[this.id], name = this.file, stub = this.course.files[name];
    this.saveAll();
    const started = withRegionsOf(id, this.text(name), stub);
    const what = started === null ? `The comments around exercise ${id} are no longer in ${name}. Start the whole file over?` : `Start ${id} ${title} over?`;
    if (!(await this.agreed(`${what} A backup of ${name} is kept.`))) return;
    this.put(name, started ?? stub, started === null ? "the file was started over" : `${id} was started over`);
    this.keep.set(`result:${id}`, null);
    this.tellPoints();
    $("verdict").replaceChildren();
    this.editor.goTo(id);
    this.editor.view.focus();
    this.say(`${started === null ? name : id} is started over. A backup is kept.`);
  }

  /** Ask in a dialog.  Returns whether the answer was yes. */
  agreed(question) {
    const dialog = $("sure");
    $("question").textContent = question;
    dialog.returnValue = "";
    dialog.showModal();
    return new Promise((yes) => dialog.addEventListener("close", () => yes(dialog.returnValue === "yes"), { once: true }));
  }

  // ---- checks and hints ----

  async check(id = this.id) {
    if (this.checking || this.exercises[id].inpage === false) return;
    if (id !== this.id) this.open(id);
    this.checking = true;
    document.body.dataset.checking = id;
    delete $("verdict").dataset.old;
    const waits = this.python.ready ? "" : " Python is not ready yet: the check begins as soon as it is.";
    $("verdict").replaceChildren(made("p", {}, `Checking ${id} …${waits}`));
    this.say(`Checking ${id} …`);
    $("stop").hidden = false;
    let verdict = null, words = "";
    try {
      verdict = await this.verdict(id);
      this.tell(id, verdict);
      if (verdict.slip) await this.tellOfTheSlip();
    } catch (error) {
      if (!(error instanceof Ended)) throw error;
      words = error.reason === "stop" ? `The check of ${id} was stopped.` : `The check could not be made: ${error.message}`;
    } finally {
      this.checking = false;
      delete document.body.dataset.checking;
      $("stop").hidden = !this.running;
    }
    if (!verdict) {
      $("verdict").replaceChildren(made("p", {}, words));
      this.say(words);
    }
  }

  /** Python's verdict. If Python dies of a question, the next one is told which, and asks what is left. */
  async verdict(id) {
    const request = { do: "check", exercise: id, files: this.texts(), ended: [], log: this.quizLines.text() };
    for (;;) {
      try {
        return await this.python.ask(request, this.course.seconds);
      } catch (error) {
        const kind = { time: "timeout", broken: "crashed" }[error.reason];
        if (!kind || !error.place || request.ended.length === MOST_DEATHS) throw error;
        request.ended.push({ kind, ...error.place });
      }
    }
  }

  /** Where the slip is, if Python finds it: below the verdict that is shown already. */
  async tellOfTheSlip() {
    const box = $("verdict").firstElementChild;
    const { lines } = await this.python.ask({ do: "slip" }, this.course.seconds);
    for (const { kind, text } of lines) box.append(this.toldLine(kind, text));
  }

  /** A line of a verdict, with links. */
  toldLine(kind, text) {
    const links = { open: (file, line) => this.openLine(file, line), stuck: this.course.stuck };
    const line = kind === "hint" ? made("p", {}, made("button", { type: "button", class: "link", onclick: () => this.hint() }, "Show a hint")) : sentence(text, kind === "needs" ? { ...links, exercise: (other) => this.wayTo(other) } : links);
    line.dataset.kind = kind;
    return line;
  }

  tell(id, verdict) {
    this.quizLines.add(verdict.log);
    this.keep.setJson(`result:${id}`, { status: verdict.status, points: verdict.points });
    const box = made("section", { class: "verdict", "data-kind": verdict.kind, "aria-labelledby": "headline" }, made("h3", { id: "headline", tabindex: -1 }, verdict.headline));
    for (const { kind, text } of verdict.lines) box.append(this.toldLine(kind, text));
    if (verdict.player) box.append(output({ kind: "html", data: verdict.player }));
    else if (verdict.svg) box.append(made("p", {}, "Your graph, as the check built it:"), output({ kind: "svg", data: verdict.svg }));
    if (verdict.status === "passed") box.append(this.waysOn(id));
    $("verdict").replaceChildren(box);
    this.tellPoints();
    this.say(verdict.headline);
    if (this.isNarrow()) {
      this.view("file");
      $("headline").focus();
    } else this.editor.keepInView();
  }

  /** What leads to an exercise, of this notebook or another; its number where the pages have no such exercise. */
  wayTo(id) {
    if (id in this.exercises) return made("button", { type: "button", class: "link", onclick: () => this.goOn(id) }, id);
    const notebook = this.course.notebooks.find((each) => each.exercises.some((exercise) => exercise.id === id));
    return notebook ? made("a", { href: `${notebook.number}.html#exercise-${id.replace(".", "-")}` }, id) : id;
  }

  /** After an exercise: the text that follows it, and the next one that is not passed; after the last, the next notebook. */
  waysOn(id) {
    const order = this.notebook.exercises, here = order.findIndex((each) => each.id === id);
    const next = [...order.slice(here + 1), ...order.slice(0, here)].find((each) => each.inpage !== false && this.result(each.id).status !== "passed");
    const ways = made("div", { class: "buttons" });
    if (this.checkCell(id)?.nextElementSibling) ways.append(made("button", { type: "button", onclick: () => this.readOn(id) }, "Read on"));
    if (next) ways.append(made("button", { type: "button", onclick: () => this.goOn(next.id) }, `Next exercise: ${next.id} ${next.title}`));
    const after = this.course.notebooks.find((each) => each.number > this.notebook.number);
    if (!next && after) ways.append(made("a", { href: `${after.number}.html` }, `On to ${after.number} · ${after.title}`));
    return ways;
  }

  checkCell(id) {
    return document.querySelector(`.cell.check[data-exercise="${id}"]`);
  }

  /** Show an element of the notebook; the keyboard goes on there. */
  showInNotebook(element) {
    this.view("notebook");
    element.tabIndex = -1;
    element.focus({ preventScroll: true });
    element.scrollIntoView({ block: "start" });
  }

  readOn(id) {
    this.showInNotebook(this.checkCell(id).nextElementSibling);
  }

  /** What the exercise asks, in the notebook. */
  showAsked() {
    const heading = [...document.querySelectorAll("#notebook h3")].find((each) => each.textContent.startsWith(`Exercise ${this.id} `));
    this.showInNotebook(heading ?? this.checkCell(this.id));
  }

  /** Show a section of this notebook by its letter. */
  showSection(letter) {
    const heading = [...document.querySelectorAll("#notebook h2")].find((each) => each.textContent.startsWith(`${letter}. `));
    if (heading) this.showInNotebook(heading);
  }

  /** A link to a section of a notebook. One of this notebook is shown at once. */
  wayToSection(number, letter, words) {
    const here = number === this.notebook.number;
    const show = (event) => {
      if (!here) return;
      event.preventDefault();
      $("quiz").close();
      this.showSection(letter);
    };
    return made("a", { href: `${number}.html#section-${letter}`, onclick: show }, words);
  }

  goOn(id) {
    this.open(id);
    this.showAsked();
  }

  isNarrow() {
    return getComputedStyle($("switch")).display !== "none";
  }

  stop() {
    this.python.end("stop");
  }

  result(id) {
    return this.keep.json(`result:${id}`, { status: "", points: 0 });
  }

  /** What has become of an exercise, in a word: what its last check said, or whether its region is as it was. */
  state({ id, file }) {
    const { status } = this.result(id);
    if (status && status !== NOT_STARTED) return status;
    if (!sameRegions(id, this.text(file), this.course.files[file])) return "begun";
    return status && "not filled in";
  }

  tellPoints() {
    const all = this.notebook.exercises.filter((each) => each.inpage !== false);
    const earned = all.reduce((sum, each) => sum + this.result(each.id).points, 0);
    const possible = all.reduce((sum, each) => sum + each.points, 0);
    $("points").textContent = `${earned} of ${possible} points`;
    for (const option of $("exercise").options) {
      const each = this.exercises[option.value];
      option.textContent = [`${each.id} ${each.title}`, this.state(each)].filter(Boolean).join(", ");
    }
    for (const cell of this.cells.filter((each) => each.classList.contains("check"))) {
      const each = this.exercises[cell.dataset.exercise], state = this.state(each), { points } = this.result(each.id);
      cell.querySelector(".standing").textContent = state ? `${state}: ${points} of ${each.points} points` : `${each.points} points`;
    }
  }

  hint() {
    const { id, hints } = this.exercises[this.id], shown = Math.min(hints.length, +this.keep.get(`hints:${id}`, 0) + 1);
    this.keep.set(`hints:${id}`, String(shown));
    this.listHints();
    this.say(`Hint ${shown} of ${hints.length}: ${hints[shown - 1]}`);
    $("hints").lastElementChild.lastElementChild.scrollIntoView({ block: "nearest" });
  }

  listHints() {
    const { id, hints } = this.exercises[this.id], shown = Math.min(hints.length, +this.keep.get(`hints:${id}`, 0));
    $("hint").textContent = shown < hints.length ? `Hint ${shown + 1} of ${hints.length}` : "All hints are shown";
    $("hint").disabled = shown === hints.length;
    const list = made("ol", {}, ...hints.slice(0, shown).map((text) => made("li", {}, sentence(text))));
    $("hints").replaceChildren(...(shown ? [made("h3", {}, `Hints for ${id}`), list] : []));
  }

  // ---- cells ----

  prepare(cell, n) {
    const on = (name, action) => cell.querySelector(`.${name}`)?.addEventListener("click", action);
    if (cell.classList.contains("check")) {
      on("ask", () => this.check(cell.dataset.exercise));
      on("open", () => {
        this.open(cell.dataset.exercise);
        this.view("file");
        this.editor.view.focus();
      });
    } else if (cell.dataset.key) this.prepareAnswer(cell, cell.querySelector("textarea"));
    else if (cell.classList.contains("predictions")) on("list", () => this.listPredictions(cell));
    else {
      on("run", () => this.run(n));
      on("edit", () => this.edit(cell, n));
    }
  }

  /** A prediction or a note: kept as it is typed. */
  prepareAnswer(cell, field) {
    const name = `answer:${cell.dataset.key}`;
    field.value = this.keep.get(name, "");
    field.addEventListener("input", () => this.keep.set(name, field.value || null));
    cell.querySelector(".skip")?.addEventListener("click", () => {
      this.keep.set(`skip:${cell.dataset.key}`, "yes");
      this.afterPrediction(cell);
    });
    cell.querySelector(".predict-it")?.addEventListener("click", () => (field.value.trim() ? this.afterPrediction(cell) : field.focus()));
  }

  /** On to the code that answers. */
  afterPrediction(cell) {
    cell.querySelector(".first-prediction").hidden = true;
    const next = this.cells.slice(this.cells.indexOf(cell) + 1).find((each) => each.querySelector(".run"));
    next?.querySelector(".run").focus();
  }

  /** The cells of predictions above this cell that nobody has answered or passed over. */
  openPredictions(n) {
    const found = [];
    for (let k = n - 1; k >= 0 && !this.cells[k].querySelector(".run"); k--) {
      const { key } = this.cells[k].dataset;
      if (key?.startsWith("Prediction ")) found.unshift(this.cells[k]);
    }
    return found;
  }

  isOpen(cell) {
    const { key } = cell.dataset;
    return !this.keep.get(`answer:${key}`, "").trim() && !this.keep.get(`skip:${key}`);
  }

  source(cell) {
    return cell.edited ?? cell.dataset.runs ?? cell.querySelector("pre.code").textContent;
  }

  edit(cell, n) {
    const place = cell.querySelector(".source"), text = cell.edited ?? cell.querySelector("pre.code").textContent;
    place.replaceChildren();
    const editor = cellEditor(place, text, cell.getAttribute("aria-label"), { changed: (now) => (cell.edited = now), run: () => this.run(n) });
    cell.querySelector(".edit").hidden = true;
    editor.focus();
  }

  async run(n, { asked = true } = {}) {
    const cell = this.cells[n], outputs = cell.querySelector(".outputs"), predictions = this.openPredictions(n), open = predictions.find((each) => this.isOpen(each));
    if (asked && open) {
      this.say("First your prediction, or skip it.");
      open.querySelector(".first-prediction").hidden = false;
      open.querySelector("textarea").focus();
      return true;
    }
    outputs.replaceChildren(made("p", { class: "quiet" }, this.python.ready ? "Running …" : "Python is not ready yet: this runs as soon as it is."));
    this.running = (this.running ?? 0) + 1;
    $("stop").hidden = false;
    let shown = [], fine = false;
    try {
      const answer = await this.python.ask({ do: "run", code: this.source(cell), files: this.texts() }, this.course.seconds);
      fine = !answer.error;
      shown = this.outputs(cell, n, answer);
    } catch (error) {
      if (!(error instanceof Ended)) throw error;
      cell.died = error.reason !== "stop" && this.source(cell);
      const words = { time: this.course.ended.timeout, broken: this.python.broken || this.course.ended.crashed }[error.reason];
      shown = [made("p", {}, words ?? "Stopped. Python was started again: run the cells that this one needs."), this.runAbove(n)];
    }
    this.running -= 1;
    $("stop").hidden = !this.running && !this.checking;
    const said = predictions.map((each) => this.keep.get(`answer:${each.dataset.key}`, "").trim()).filter(Boolean);
    outputs.replaceChildren(...said.map((words) => made("p", { class: "you-prediction" }, `You predicted: ${words}`)), ...shown);
    if (asked) this.say(`${cell.getAttribute("aria-label")}: ${fine ? "done" : "an error"}.`);
    return fine;
  }

  outputs(cell, n, { printed, shown, error }) {
    const recorded = cell.edited === undefined && cell.querySelector("template.recorded");
    return [
      ...(printed ? [made("pre", { class: "printed", tabindex: 0 }, printed)] : []),
      ...shown.map(output),
      ...(recorded && !error ? [this.recorded(recorded)] : []),
      ...(error.includes("NameError") ? [this.runAbove(n)] : []),
      ...(error ? [made("pre", { class: "printed error", tabindex: 0 }, error)] : []),
    ];
  }

  /** What the course has recorded of a cell.  template: it; HTML stands in it as text. */
  recorded(template) {
    const all = template.content.cloneNode(true);
    for (const box of all.querySelectorAll("[data-html]")) box.replaceWith(output({ kind: "html", data: box.dataset.html }));
    return all;
  }

  runAbove(n) {
    return made("p", {}, made("button", { type: "button", onclick: () => this.runUpTo(n) }, "Run the cells above, then this one"));
  }

  /** What a cell above needs may be an exercise that is not done yet; what this one needs may be there all the same.
   *  A cell that ended Python is not run again, or nothing below it ever would be. */
  async runUpTo(n) {
    for (let k = 0; k <= n; k++) {
      const cell = this.cells[k];
      if (cell.querySelector(".run") && (k === n || cell.died !== this.source(cell))) await this.run(k, { asked: k === n });
    }
  }

  listPredictions(cell) {
    const predictions = this.cells.filter((each) => each.dataset.key?.startsWith("Prediction ")).map(({ dataset: { key } }) => [key.slice(4), this.keep.get(`answer:${key}`, "").trim()]);
    const lines = predictions.filter(([, text]) => text).map(([key, text]) => made("li", {}, `${key}: ${text}`));
    cell.querySelector(".outputs").replaceChildren(lines.length ? made("ul", {}, ...lines) : made("p", {}, "No predictions in this notebook yet."));
  }

  // ---- files out and in ----

  offer(name, pieces) {
    const address = URL.createObjectURL(new Blob(pieces));
    made("a", { href: address, download: name }).click();
    setTimeout(() => URL.revokeObjectURL(address), 10_000);
  }

  download() {
    this.saveAll();
    this.offer(this.file, [this.text(this.file)]);
  }

  answersOf(number) {
    const names = this.keep.names("answer:").filter((name) => name.split(" ")[1].split(".")[0] === String(+number));
    return names.map((name) => [name.slice("answer:".length), this.keep.get(name)]);
  }

  answersFile(number) {
    const { title } = this.course.notebooks.find((each) => each.number === number) ?? { title: "" };
    return asFile(`${number} · ${title}`, this.answersOf(number));
  }

  downloadAll() {
    const files = Object.fromEntries(Object.entries(this.texts()).map(([name, text]) => [`babygrad/${name}`, text]));
    for (const { number } of this.course.notebooks) if (this.answersOf(number).length) files[`answers/${number}.md`] = this.answersFile(number);
    const quiz = this.quizLines.text();
    if (quiz) files[".babygrad/quiz.jsonl"] = quiz;
    this.offer("babygrad.zip", zipped(files));
  }

  async upload(input) {
    const [file] = input.files;
    if (!file) return;
    try {
      if (file.size > LARGEST) throw new Error("it is too large.");
      const told = file.name.endsWith(".zip") ? await this.takeZip(file) : this.takeFile(file.name, await file.text());
      this.say(told);
      $("uploaded").textContent = told;
    } catch (error) {
      $("uploaded").textContent = `${file.name} could not be taken: ${error.message}`;
      this.say($("uploaded").textContent);
    }
    input.value = "";
  }

  takeFile(given, text) {
    if (OF_THE_QUIZ.test(given)) {
      this.quizLines.add(text);
      return "The quiz goes on with what quiz.jsonl says, too.";
    }
    const name = given.replace(FILE_NAME, "$1.py"), stub = this.course.files[name];
    if (stub === undefined) throw new Error(`the page has ${Object.keys(this.course.files).join(", ")}.`);
    if (!hasAllRegions(text, stub)) throw new Error("the comments around its exercises are not those of this course.");
    this.put(name, text.replace(/\r\n?/g, "\n"), `${given} was uploaded over this`);
    this.editor.goTo(this.id);
    return `${name} is uploaded.`;
  }

  async takeZip(file) {
    const found = Object.entries(await unzipped(await file.arrayBuffer(), (path) => IN_A_ZIP.test(path)));
    const taken = found.filter(([path]) => !IN_A_ZIP.exec(path)[1] || IN_A_ZIP.exec(path)[1] in this.course.files);
    if (!taken.length) throw new Error("there are no files of the page in it.");
    for (const [path, text] of taken) {
      const [, name, number] = IN_A_ZIP.exec(path);
      if (name && !hasAllRegions(text, this.course.files[name])) throw new Error(`in ${name}, the comments around the exercises are not those of this course.`);
      if (!name && !number) this.quizLines.test(text);
    }
    // All were tested: of a zip that is refused no file is taken.
    for (const [path, text] of taken) {
      const [, name, number] = IN_A_ZIP.exec(path);
      if (name || !number) this.takeFile(name ?? path, text);
      else this.takeAnswers(number, text);
    }
    return `Uploaded: ${taken.map(([path]) => path).join(", ")}.`;
  }

  takeAnswers(number, text) {
    const before = this.answersFile(number), answers = fromFile(text);
    if (this.answersOf(number).some(([name, old]) => answers.some(([other, now]) => name === other && now !== old.trim()))) this.backUp(`answers/${number}.md`, before, "other answers came over these");
    for (const [name, words] of answers) {
      this.keep.set(`answer:${name}`, words);
      const field = document.querySelector(`.cell[data-key="${name}"] textarea`);
      if (field) field.value = words;
    }
  }
}

try {
  const found = await fetch(at("course.json"));
  if (!found.ok) throw new Error(`course.json: ${found.status}`);
  window.layout = new Layout(await found.json());
} catch (error) {
  $("problem").hidden = false;
  $("problem").textContent = `The page could not be set up: ${error.message}`;
  throw error;
}
