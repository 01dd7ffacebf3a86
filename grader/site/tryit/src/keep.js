// What a learner has done, kept in this browser and nowhere else.
//
// Where the browser keeps nothing (a private window, no room left) the page goes on in memory, and says so.

const PREFIX = "babygrad:";
const MOST_BACKUPS = 20;

export class Keep {
  /** problem(words): something could not be kept.
   *  news(name, value, before, theirs): another tab has kept `theirs`; value is what is kept now, of two at once the later. */
  constructor(problem, news = () => {}) {
    this.problem = problem;
    this.memory = new Map(); // what this tab has seen or written last
    try {
      for (let n = 0; n < localStorage.length; n++) {
        const key = localStorage.key(n);
        if (key.startsWith(PREFIX)) this.memory.set(key.slice(PREFIX.length), localStorage.getItem(key));
      }
    } catch {
      problem("This browser keeps nothing for this page. Download your files before you close it.");
    }
    addEventListener("storage", (event) => {
      if (event.storageArea !== localStorage || !event.key?.startsWith(PREFIX)) return;
      const name = event.key.slice(PREFIX.length);
      const before = this.memory.get(name) ?? null;
      const now = localStorage.getItem(event.key);
      this.remember(name, now);
      news(name, now, before, event.newValue);
    });
  }

  remember(name, value) {
    if (value === null) this.memory.delete(name);
    else this.memory.set(name, value);
  }

  get(name, otherwise = null) {
    return this.memory.get(name) ?? otherwise;
  }

  names(beginning) {
    return [...this.memory.keys()].filter((name) => name.startsWith(beginning)).sort();
  }

  /** Keep a text (null takes it away).  Returns what another tab had kept meanwhile, which this one had not seen. */
  set(name, value) {
    const seen = this.memory.get(name) ?? null;
    this.remember(name, value);
    try {
      const there = localStorage.getItem(PREFIX + name);
      if (value === null) localStorage.removeItem(PREFIX + name);
      else localStorage.setItem(PREFIX + name, value);
      this.problem("");
      return there !== seen && there !== value ? there : null;
    } catch {
      this.problem("Your last change could not be kept in this browser. Download your files before you close this page.");
      return null;
    }
  }

  json(name, otherwise) {
    try {
      return JSON.parse(this.get(name)) ?? otherwise;
    } catch {
      return otherwise;
    }
  }

  setJson(name, value) {
    this.set(name, JSON.stringify(value));
  }

  /** Put a file's text aside, newest first.  why: what came over it. */
  backUp(file, text, why) {
    const others = this.json("backups", []).filter((one) => one.file !== file || one.text !== text);
    this.setJson("backups", [{ file, text, why, when: new Date().toISOString() }, ...others].slice(0, MOST_BACKUPS));
  }

  backups() {
    return this.json("backups", []);
  }
}
