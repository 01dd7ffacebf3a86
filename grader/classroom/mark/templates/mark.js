// Marking by keyboard. The page comes from the server as a whole, and again after each change; here is what keys and
// boxes do. What is written and not saved yet stays in the browser, whatever stops.
"use strict";

const SILENT = "Not saved: make mark does not answer. Start it again; what you wrote stays in its box.";
const POLL = 4000; // ms between two looks at what others changed
const BOXES = "textarea, #points";
const find = (id) => document.getElementById(id);
const boxes = () => [...document.querySelectorAll(BOXES)];
const place = () => find("place")?.dataset;
const here = () => ({ item: place().item, student: place().student });
const isChanged = (box) => box.value !== box.dataset.saved;
const said = Object.assign(document.createElement("p"), { id: "said" });
said.setAttribute("role", "status");
document.body.prepend(said);
let turns = Promise.resolve(true); // whatever asks the server, one after the other: each sees what the one before left
let waiting = 0; // turns that are not over
let silent = false, replacing = false;

function say(words, bad = false) {
  said.textContent = words;
  said.classList.toggle("bad", bad);
}

// ---- drafts ----

const draftOf = (id, line = "") => ["draft", place().item, place().student, id, line].join("\n");
const nameOf = (box) => draftOf(box.id, box.dataset.line);

function remember(box) {
  const { saved } = box.dataset;
  if (isChanged(box)) localStorage.setItem(nameOf(box), JSON.stringify([box.value, box.dataset.base ?? saved]));
  else localStorage.removeItem(nameOf(box));
}

// A draft of what somebody else has changed since is held: only a key of its own saves it.
function recall(box) {
  box.value = box.dataset.saved = JSON.parse(box.dataset.text);
  const draft = localStorage.getItem(nameOf(box));
  if (draft === null) return;
  const [value, base] = JSON.parse(draft);
  if (value === box.dataset.saved) return localStorage.removeItem(nameOf(box));
  box.value = value;
  box.closest("details")?.setAttribute("open", "");
  if (base === box.dataset.saved) return;
  box.dataset.base = base;
  const there = box.dataset.saved ? `There is now: ${box.dataset.saved}` : "There is nothing now";
  const held = Object.assign(document.createElement("p"), { className: "held" });
  held.textContent = `Yours is not saved. ${there}. Ctrl+Enter puts yours in its place, Esc takes yours away.`;
  box.after(held);
}

// What was sent is no draft any more; what was typed since goes on from it.
function forget(draft, sent) {
  const [value] = JSON.parse(localStorage.getItem(draft) ?? "[null]");
  if (value === null || value === sent) localStorage.removeItem(draft);
  else localStorage.setItem(draft, JSON.stringify([value, sent]));
}

function discard(box) {
  localStorage.removeItem(nameOf(box));
  box.value = box.dataset.saved;
  delete box.dataset.base;
  document.querySelector(".held")?.remove();
}

// ---- the server ----

async function ask(address, options) {
  let answer;
  try {
    answer = await fetch(address, options);
  } catch {
    throw Error(SILENT);
  }
  if (!answer.ok) throw Error(`Not saved. ${await answer.text()}`);
  return answer;
}

async function show(address = location.href) {
  const next = new DOMParser().parseFromString(await (await ask(address)).text(), "text/html");
  const stays = new URL(address, location.href).href === location.href;
  const focusable = () => [...document.querySelectorAll("main :is(a, button, input, textarea, summary)")];
  const at = document.activeElement, number = focusable().indexOf(at), caret = at?.selectionStart;
  const line = document.querySelector(".editor textarea")?.dataset.line, form = kept();
  replacing = true; // a box that goes with its page says that it has changed
  document.querySelector("main").replaceWith(next.querySelector("main"));
  replacing = false;
  document.title = next.title;
  if (!stays) {
    history.pushState(null, "", address);
    scrollTo(0, 0);
    return begin();
  }
  begin(line);
  if (form) criterion(form.number, find(`change${form.number}`)?.dataset.seen ?? "null", form);
  const again = number < 0 ? null : (find(at.id) ?? focusable()[number]);
  again?.focus({ preventScroll: true });
  if (caret != null && again?.matches(BOXES)) again.setSelectionRange(caret, caret);
}

// A turn returns whether it went well.
function turn(does) {
  waiting += 1;
  turns = turns.then(does).catch((error) => (say(error.message, true), false));
  turns.then(() => (waiting -= 1));
  return turns;
}

const act = (build) => turn(() => send(build));

async function send(build) {
  const [body, done = () => {}] = build() ?? [];
  if (!body) return true;
  const headers = { "Content-Type": "application/json" };
  const answer = await ask("/act", { method: "POST", headers, body: JSON.stringify({ who: find("who").value, ...body }) });
  const told = await answer.json();
  if (told.done) done();
  if (told.stale) await show();
  say(told.said, !told.done);
  return told.done;
}

function save(box, explicit = false) {
  const at = here(), draft = nameOf(box), { act: name, line, cell } = box.dataset;
  return act(() => {
    if (!box.isConnected && draft === nameOf(find(box.id) ?? box)) box = find(box.id) ?? box;
    if (!isChanged(box) || (box.dataset.base !== undefined && !explicit)) return null;
    const sent = box.value;
    const done = () => {
      forget(draft, sent);
      box.dataset.saved = sent;
      if (explicit) left(box);
    };
    if (name === "points") return [{ act: name, ...at, points: sent, seen: JSON.parse(place().points) }, done];
    return [{ act: name, ...at, text: sent, seen: box.dataset.saved, line, cell }, done];
  });
}

// Nowhere, if what was under way is refused, or what is written here: its message stays.
function go(address) {
  const before = waiting ? turns : true, changed = place() ? boxes().filter(isChanged) : [];
  const all = [before, ...changed.map((box) => save(box))];
  turn(async () => {
    const url = (await Promise.all(all)).every(Boolean) && (typeof address === "function" ? address() : address);
    if (!url) return true;
    say("");
    await show(url);
    return true;
  });
}

async function look() {
  const { version } = await (await ask("/version")).json();
  const isWriting = document.activeElement?.matches("textarea, input:not([type])");
  if (silent) say("");
  silent = false;
  if (version !== find("desk").dataset.version && !isWriting) await show();
}

function watch() {
  const failed = (error) => {
    silent = true;
    say(error.message, true);
  };
  turn(async (fine) => (await look().catch(failed), fine)).then(() => setTimeout(watch, POLL));
}

// ---- lines, criteria ----

function edit(button) {
  document.querySelector(".editor")?.remove();
  const { line, cell, text } = button.dataset, editor = find("editor").content.cloneNode(true);
  const box = editor.querySelector("textarea");
  editor.querySelector("label").textContent = `Comment at line ${line}`;
  Object.assign(box.dataset, { line, cell, text });
  button.parentElement.append(editor);
  recall(box);
  box.focus();
}

function criterion(number, seen, filled) {
  const form = find("criterion"), old = filled ?? JSON.parse(seen);
  if (!form) return;
  Object.assign(form.dataset, { number, seen });
  find("which").textContent = number ? `Criterion ${number}` : "New criterion";
  find("worth").value = old?.points ?? "";
  find("why").value = old?.words ?? "";
  find("remove").hidden = !number;
  form.open = true;
  find("worth").focus();
}

// The form of a criterion, if something is in it that is not saved.
function kept() {
  const form = find("criterion");
  if (!form?.open || form.dataset.saved) return null;
  return { number: form.dataset.number, points: find("worth").value, words: find("why").value };
}

function keep(points, words) {
  const form = find("criterion"), { number, seen } = form.dataset;
  const body = { act: "criterion", ...here(), number: Number(number) || null, seen: JSON.parse(seen), points, words };
  act(() => [body, () => (form.dataset.saved = "yes")]);
}

function use(number) {
  const at = here();
  if (find(`use${number}`)) act(() => [{ act: "use", ...at, number, seen: JSON.parse(place().points) }]);
}

function begin(line) {
  find("who").value = localStorage.getItem("who") ?? find("desk").dataset.who;
  find("single").checked = localStorage.getItem("single") !== "no";
  if (!place()) return;
  boxes().forEach(recall);
  const lines = [...document.querySelectorAll("[data-line]")];
  const open = lines.find((button) => localStorage.getItem(draftOf("at-line", button.dataset.line)) !== null);
  const again = open ?? lines.find((button) => button.dataset.line === line);
  if (again) edit(again);
}

// ---- what is pressed ----

function press(id) {
  const details = find(id)?.closest("details");
  if (details) details.open = true;
  find(id)?.focus();
  find(id)?.select?.();
}

const KEYS = {
  n: () => go(() => find("unmarked")?.href ?? document.querySelector("a.left")?.href),
  j: () => go(() => find("next")?.href),
  k: () => go(() => find("previous")?.href),
  b: () => go(() => find("other")?.href),
  o: () => go("/"),
  p: () => press(find("points") ? "points" : "most"),
  c: () => press("comment"),
  q: () => press("request"),
  r: () => criterion("", "null"),
  u: () => act(() => [{ act: "undo" }]),
  l: () => (document.querySelector("#lines .has button") ?? document.querySelector("#lines button"))?.focus(),
};

function step(button, way) {
  const all = [...document.querySelectorAll("button[data-line]")];
  all[all.indexOf(button) + way]?.focus();
}

// After the box: the keys work again, and those for lines from its line on.
function left(box) {
  const line = box.closest("li")?.querySelector("button");
  box.closest(".editor")?.remove();
  if (line) line.focus();
  else box.blur();
}

function leave(box) {
  if (box.dataset.base !== undefined) return discard(box);
  if (isChanged(box)) save(box);
  left(box);
}

function enter(at, event) {
  if (at.matches(BOXES) && (event.ctrlKey || event.metaKey || at.id === "points")) isChanged(at) ? save(at, true) : left(at);
  else if (at.matches("#worth, #why")) find("keep").click();
  else if (at.matches("#who, #most")) at.blur();
}

document.addEventListener("keydown", (event) => {
  const at = event.target, { key } = event, isField = at.matches("textarea, input:not([type=checkbox])");
  if (isField && key === "Escape") return at.matches(BOXES) ? leave(at) : at.blur();
  if (isField && key === "Enter") return enter(at, event);
  if (isField || event.ctrlKey || event.metaKey || event.altKey) return;
  if (at.dataset.line && (key === "ArrowDown" || key === "ArrowUp")) {
    event.preventDefault();
    return step(at, key === "ArrowDown" ? 1 : -1);
  }
  const does = KEYS[key] ?? (/^[1-9]$/.test(key) && place() && (() => use(Number(key))));
  if (!does || !find("single").checked) return;
  event.preventDefault();
  does();
});

document.addEventListener("click", (event) => {
  const at = event.target.closest("a, button");
  if (!at || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const { line, save: box, change, seen } = at.dataset;
  if (at.matches("main a")) {
    event.preventDefault();
    go(at.getAttribute("href"));
  } else if (line) edit(at);
  else if (box) save(find(box), true);
  else if (change) criterion(change, seen);
  else if (at.id === "keep") keep(find("worth").value, find("why").value);
  else if (at.id === "remove") keep("", "");
  else if (at.id === "undo") KEYS.u();
});

document.addEventListener("change", (event) => {
  const at = event.target;
  if (replacing) return;
  if (at.dataset.use) use(Number(at.dataset.use));
  else if (at.matches(BOXES)) save(at);
  else if (at.id === "most")
    act(() => [{ act: "maximum", ...here(), points: at.value, seen: JSON.parse(place().most) }]);
  else if (at.id === "who") localStorage.setItem("who", at.value);
  else if (at.id === "single") localStorage.setItem("single", at.checked ? "yes" : "no");
});

document.addEventListener("input", (event) => event.target.matches(BOXES) && remember(event.target));
addEventListener("popstate", () => turn(async () => (await show(), true)));
begin();
setTimeout(watch, POLL);
