// The page's side of Python: one question at a time, each with a limit; what does not come back is ended.

import { at } from "./address.js";

/** What ask() throws: the time is up, somebody pressed Stop, or Python itself broke (reason: "time", "stop", "broken").
 *  place: what was asked when that happened, as Python told it. */
export class Ended extends Error {
  constructor(reason, words = "", place = null) {
    super(words || reason);
    Object.assign(this, { reason, place });
  }
}

export class Python {
  /** more: what the worker is told.  told({words, part, ready, broken}): how the start goes on. */
  constructor(more, told) {
    Object.assign(this, { more, told, waiting: [], now: null });
    this.begin();
  }

  /** A new worker, in place of one that was ended: nothing that Python knew is left. */
  begin() {
    this.ready = false;
    this.broken = "";
    const worker = (this.worker = new Worker(at("worker.js"), { type: "module" }));
    const hear = (data) => worker === this.worker && this.hear(data); // nothing of one that was ended
    worker.onmessage = ({ data }) => hear(data);
    worker.onerror = (event) => hear({ broken: event.message || "its files could not be loaded" });
    worker.postMessage({ start: this.more });
  }

  hear(data) {
    if (data.place) this.at(JSON.parse(data.place));
    else if (data.starting) this.told({ words: data.starting, part: data.part });
    else if (data.ready) {
      this.ready = true;
      this.told({ ready: true });
      this.next();
    } else if (data.id && data.broken) this.end("broken", data.broken);
    else if (data.id) this.done((asked) => asked.yes(data.answer));
    else if (data.broken) {
      this.broken = data.broken;
      this.told({ broken: data.broken });
      for (const asked of this.waiting.splice(0)) asked.no(new Ended("broken", data.broken));
    }
  }

  /** The answer to a request (an object), as an object.  seconds: from the moment Python begins with it, or with each exercise. */
  ask(request, seconds) {
    return new Promise((yes, no) => {
      if (this.broken) return no(new Ended("broken", this.broken));
      this.waiting.push({ request, seconds, yes: (text) => yes(JSON.parse(text)), no });
      return this.next();
    });
  }

  next() {
    if (!this.ready || this.now || !this.waiting.length) return;
    this.now = this.waiting.shift();
    this.wait();
    this.worker.postMessage({ id: 1, request: JSON.stringify(this.now.request) });
  }

  wait() {
    clearTimeout(this.now.timer);
    this.now.timer = setTimeout(() => this.end("time"), this.now.seconds * 1000);
  }

  /** Python says what it asks now.  Each exercise has the whole time. */
  at(place) {
    if (!this.now) return;
    const another = place.exercise !== this.now.place?.exercise;
    this.now.place = place;
    if (another) this.wait();
  }

  done(tell) {
    const asked = this.now;
    if (!asked) return;
    clearTimeout(asked.timer);
    this.now = null;
    tell(asked);
    this.next();
  }

  /** End what runs, and everything that waits behind it; the next worker starts at once. */
  end(reason, words) {
    this.worker.terminate();
    this.begin();
    for (const asked of this.waiting.splice(0)) asked.no(new Ended("stop"));
    this.done((asked) => asked.no(new Ended(reason, words, asked.place)));
  }
}
