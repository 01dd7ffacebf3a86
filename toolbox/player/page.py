"""What a player is made of on a page: its style, its parts, and the script that moves it. player.py fills them in."""

from ..drawing.colours import CARD, EDGE_OF_CARD, INK, LIT, OPERATION, SOFT_INK
from ..drawing.svg import FONTS

STYLE = f"""
.babygrad-player {{ color: {INK}; background: {CARD}; border: 1px solid {EDGE_OF_CARD}; border-radius: 8px;
  padding: 8px 12px; margin: 4px 0; font: 13px/1.45 {FONTS}; max-width: 1100px; box-sizing: border-box }}
.babygrad-player {{ display: flex; flex-wrap: wrap; gap: 4px 20px; align-items: flex-start }}
.babygrad-player > .caption, .babygrad-player .bar, .babygrad-player > details {{ flex: 1 0 100%; order: -1 }}
.babygrad-player > details {{ order: 2 }}
.babygrad-player .side {{ display: contents }}
.babygrad-player .bar {{ position: sticky; top: 0; z-index: 1; background: {CARD} }}
.babygrad-player .list {{ order: 1 }}
.babygrad-player .picture {{ flex: 1 1 0; min-width: min(560px, 100%); overflow-x: auto }}
.babygrad-player .picture :is(svg, img) {{ display: block; max-width: 100%; height: auto }}
.babygrad-player.narrow .side {{ display: block; flex: 1 1 180px }}
.babygrad-player.narrow .sentence {{ min-height: 5.8em }}
.babygrad-player.narrow .picture {{ flex: 0 0 auto; min-width: 0; max-width: 100% }}
.babygrad-player.listed .picture {{ flex: 0 1 auto; min-width: 0; max-width: 100% }}
.babygrad-player .panels {{ display: grid; gap: 4px; align-items: start;
  grid-template-columns: repeat(auto-fit, minmax(min(var(--least), 100%), 1fr)) }}
.babygrad-player .panels > :is(svg, img) {{ width: 100% }}
.babygrad-player .several {{ display: flex; flex-wrap: wrap; gap: 8px; align-items: flex-end }}
.babygrad-player figure {{ margin: 0; flex: 1 1 0; min-width: 0 }}
.babygrad-player figcaption {{ min-height: 5.8em; margin: 2px 0 }}
.babygrad-player .list p {{ margin: 4px 0; color: {SOFT_INK} }}
.babygrad-player .list ol {{ margin: 0; padding-left: 2.6em }}
.babygrad-player.on .list ol {{ max-height: 22em; overflow-y: auto; position: relative }}
.babygrad-player .list li[aria-current] {{ font-weight: bold }}
.babygrad-player .list li[aria-current]::after {{ content: "  ◀" }}
.babygrad-player .sentence {{ min-height: 2.9em; margin: 6px 0; font-size: 14px }}
.babygrad-player .controls {{ display: flex; flex-wrap: wrap; gap: 6px; align-items: center }}
.babygrad-player button {{ font: inherit; color: {INK}; background: #fff; border: 1px solid {SOFT_INK};
  border-radius: 4px; padding: 2px 10px; min-height: 28px; cursor: pointer }}
.babygrad-player button[aria-disabled=true] {{ color: {SOFT_INK}; border-color: {EDGE_OF_CARD}; cursor: default }}
.babygrad-player :focus-visible {{ outline: 3px solid {LIT}; outline-offset: 1px }}
.babygrad-player input {{ flex: 1 1 120px; min-width: 80px; accent-color: {LIT} }}
.babygrad-player .caption {{ margin: 2px 0 6px; font-size: 14px; font-weight: bold }}
@media not (prefers-reduced-motion: reduce) {{ .babygrad-player [style*=translate] {{ transition: transform .5s }} }}
@media (prefers-reduced-motion: reduce) {{ .babygrad-player [style*=transition] {{ transition: none !important }} }}
.babygrad-player g.lit > :is(path, polygon, ellipse, polyline) {{ stroke: {LIT}; stroke-width: 2.5 }}
.babygrad-player rect.lit {{ stroke: {LIT}; stroke-width: 3 }}
.babygrad-player g.main > :is(path, polygon):first-of-type {{ fill: {OPERATION} }}
.babygrad-player g.lit > text {{ fill: {INK} }}
.babygrad-player g.lit > text[data-key] {{ font-weight: bold }}
.babygrad-player details pre {{ white-space: pre-wrap; font: 12px/1.4 monospace; margin: 4px 0 }}
@media (forced-colors: active) {{ .babygrad-player button[aria-disabled=true] {{ color: GrayText }} }}
@media print {{ .babygrad-player :is(button, input) {{ display: none }}
  .babygrad-player.on .list ol {{ max-height: none }}
  .babygrad-player details::details-content {{ content-visibility: visible }} }}
"""
PAGE = """<div class="babygrad-player{layout}" role="group" aria-label="{title}"><style>{style}</style>{caption}
<div class="side"><div class="bar"><div class="controls"></div>
<p class="sentence" aria-live="polite">{sentence}</p></div>
{beside}</div><div class="picture">{picture}</div>
<details><summary>All {count} steps as text</summary><pre>{text}</pre></details>
<script>({script})({data})</script></div>"""
# Of an element `me`: Jupyter looks for it at the part that has the focus, and nowhere else.
OWN_KEYS = """const ours = event => !(event.ctrlKey || event.altKey || event.metaKey);
// What Jupyter looks for before it takes a key for one of its own. With Ctrl, say to save, it may.
const shield = event => event.target.toggleAttribute("data-lm-suppress-shortcuts", ours(event));
for (const kind of ["focusin", "keydown", "keyup"]) me.addEventListener(kind, shield);
"""


def of_widgets(label):
    """Script of an element `me` with widgets in it: what it is called; its keys are its own; its .said is read out."""
    return f"""
me.setAttribute('role', 'group');
me.setAttribute('aria-label', '{label}');
{OWN_KEYS}
me.addEventListener('keydown', event => {{ if (ours(event)) event.stopPropagation(); }});
const name = () => {{
  const said = me.querySelector('.said');
  if (!said) return requestAnimationFrame(name);
  said.setAttribute('role', 'status');
  said.setAttribute('aria-live', 'polite');
}};
name();
"""


SCRIPT = (
    """data => {
const own = document.currentScript && document.currentScript.closest(".babygrad-player");
const me = own || [...document.querySelectorAll(".babygrad-player:not(.on)")].pop();
if (!me || me.classList.contains("on")) return;
me.classList.add("on");
const buttons = [["first", "Home"], ["back", "Arrow left"], ["play", "Space"]];
buttons.push(["forward", "Arrow right"], ["last", "End"]);
me.querySelector(".controls").innerHTML = buttons.map(([name, key]) => `<button data-go="${name}" title="${key}">` +
  `${name[0].toUpperCase() + name.slice(1)}</button>`).join("") + '<input type="range" min="0" aria-label="Step">' +
  '<span class="count"></span>';
me.querySelectorAll("img[src^='data:image/svg']").forEach(still => {
  const bytes = Uint8Array.from(atob(still.src.split(",")[1]), letter => letter.charCodeAt(0));
  still.outerHTML = new TextDecoder().decode(bytes);
});
const one = wanted => me.querySelector(wanted), all = wanted => [...me.querySelectorAll(wanted)];
const frames = data.frames, last = frames.length - 1, slider = one("input"), picture = one(".picture");
const play = one("[data-go=play]"), lines = all(".list li");
const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
slider.max = last;
// Long enough to read what is said, if no pace is given.
const letters = () => [".sentence", "figcaption"].flatMap(all).reduce((sum, part) => sum + part.textContent.length, 0);
const pause = () => data.pace && !still ? 1000 * data.pace : Math.max(still ? 3000 : 1600, 50 * letters());
let at = last, timer = 0;
const parts = {};
all("[data-key]").forEach(part => { (parts[part.dataset.key] ||= []).push(part); });
const draw = () => {
  if (frames[at].p) picture.innerHTML = frames[at].p;
  const texts = {}, moved = {};
  let reached = -1;
  for (let i = 0; i <= at; i++) {
    Object.assign(texts, frames[i].t);
    reached = Math.max(reached, frames[i].n ?? -1);
    for (const key in frames[i].a) moved[key] = { ...moved[key], ...frames[i].a[key] };
  }
  for (const key in parts) for (const part of parts[key]) {
    part.classList.toggle("lit", (frames[at].l || []).includes(key));
    part.classList.toggle("main", (frames[at].m || []).includes(key));
    for (const name in moved[key]) part.setAttribute(name, moved[key][name]);
    const text = texts[key];
    if (text === undefined) continue;
    part.setAttribute("visibility", text === "" ? "hidden" : "inherit");
    if (text && /^(text|figcaption)$/i.test(part.tagName)) part.textContent = text;
  }
  lines.forEach((line, i) => {
    line.removeAttribute("aria-current");
    line.style.visibility = i > reached ? "hidden" : "";
  });
  const line = lines[frames[at].n] || lines[reached], list = one(".list ol");
  if (lines[frames[at].n]) line.setAttribute("aria-current", "step");
  if (list) {  // too long to be seen at once: what was reached last is its end, keys scroll it, the page stays
    list.scrollTop = line ? line.offsetTop + line.offsetHeight - list.clientHeight : 0;
    list.tabIndex = list.scrollHeight > list.clientHeight ? 0 : -1;
  }
  one(".sentence").textContent = frames[at].s;
  one(".count").textContent = `${at + 1} of ${last + 1}`;
  slider.value = at;
  slider.setAttribute("aria-valuetext", one(".count").textContent);
  for (const [names, end] of [[["first", "back"], 0], [["forward", "last"], last]])
    for (const name of names) one(`[data-go=${name}]`).setAttribute("aria-disabled", at === end);
};
const stop = () => { clearTimeout(timer); timer = 0; play.textContent = "Play"; };
const go = to => { at = Math.min(last, Math.max(0, to)); draw(); };
const start = () => {
  if (at === last) go(0);
  play.textContent = "Pause";
  const next = () => {
    go(at + 1);
    timer = setTimeout(next, pause());
    if (at === last || !me.isConnected) stop();
  };
  timer = setTimeout(next, pause());
};
const moves = { first: () => go(0), back: () => go(at - 1), forward: () => go(at + 1), last: () => go(last) };
const act = name => { if (name === "play") return timer ? stop() : start(); stop(); moves[name](); };
all("[data-go]").forEach(button => button.addEventListener("click", () => act(button.dataset.go)));
slider.addEventListener("input", () => { stop(); go(+slider.value); });
const keys = { Home: "first", ArrowLeft: "back", ArrowRight: "forward", End: "last" };
"""
    + OWN_KEYS
    + """me.tabIndex = -1;
me.addEventListener("keydown", event => {
  if (!ours(event)) return;
  event.stopPropagation();
  if (event.target.closest("details")) return;
  const name = event.key === " " && [me, slider].includes(event.target) ? "play" : keys[event.key];
  if (name) { event.preventDefault(); act(name); }
});
go(data.start);
}"""
)
