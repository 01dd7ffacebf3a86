"""How a playground lies on a page: its style, and the few lines of script that widgets cannot do without."""

from ..drawing.colours import LIT
from ..player.page import of_widgets
from .picture import HIGH, WIDE

# Run once, when the style comes to the page. It names the group, lets the sentence be read out, keeps the notebook's
# one-letter commands away from the controls, and makes a line of a click: so a click is a point that is typed.
SCRIPT = (
    "const me = this.closest('.babygrad-playground');"
    + of_widgets("Playground")
    + """
me.addEventListener('click', event => {
  const drawing = event.target.closest('.stage') && me.querySelector('[data-window]');
  if (!drawing) return;
  const box = drawing.getBoundingClientRect();
  const [left, low, right, high] = drawing.dataset.window.split(' ').map(Number);
  const x = left + (event.clientX - box.left) / box.width * (right - left);
  const y = high - (event.clientY - box.top) / box.height * (high - low);
  const typed = me.querySelector('.typed textarea');
  const label = me.querySelector('.clicked select').selectedIndex;
  typed.value = [typed.value.trim(), `${x.toFixed(2)} ${y.toFixed(2)} ${label}`].filter(Boolean).join('\\n');
  typed.dispatchEvent(new Event('input', {bubbles: true}));
  typed.dispatchEvent(new Event('change', {bubbles: true}));
});
"""
)
BESIDE = 300  # pixels: of the picture, where the settings stand beside it in half a window
RULES = f"""
.babygrad-playground {{ max-width: 760px; padding: 4px }}
.babygrad-playground .style {{ display: none }}
.babygrad-playground .both {{ display: flex; flex-wrap: wrap; gap: 4px 12px; overflow: visible }}
.babygrad-playground .seen {{ flex: 1 1 {BESIDE}px; max-width: {WIDE}px; min-width: 0; overflow: visible }}
.babygrad-playground .settings {{ flex: 1 1 200px; min-width: 0; display: flex; flex-flow: row wrap;
  align-content: flex-start; gap: 0 8px; overflow: visible }}
.babygrad-playground .settings > * {{ flex: 1 1 176px; min-width: 0; max-width: 280px; margin: 2px 0 }}
.babygrad-playground .settings > :is(.typed, .clicked) {{ flex-basis: 100% }}
.babygrad-playground .settings :is(select, input:not([type=checkbox])) {{ min-width: 0 }}
.babygrad-playground .buttons > button {{ flex: 1 1 60px; padding: 0 4px; margin: 2px }}
.babygrad-playground .stage {{ display: grid; overflow: visible; cursor: crosshair; max-height: {HIGH + 8}px }}
.babygrad-playground .stage > * {{ grid-area: 1 / 1; margin: 0 }}
.babygrad-playground .seen .widget-html {{ margin: 0 0 2px }}
.babygrad-playground .widget-html-content {{ overflow: visible; width: 100% }}
.babygrad-playground .widget-html-content p {{ margin: 0; line-height: 1.4; min-height: 2.8em; white-space: normal }}
.babygrad-playground .said {{ height: auto; min-height: 2.8em; white-space: normal; line-height: 1.4 }}
.babygrad-playground .typed {{ flex-direction: column; height: auto; align-items: stretch }}
.babygrad-playground .typed .widget-label {{ width: auto; height: auto; text-align: left; white-space: normal }}
.babygrad-playground details pre {{ font: 12px/1.4 monospace; white-space: pre-wrap; overflow-x: auto }}
.babygrad-playground :focus-visible {{ outline: 3px solid {LIT}; outline-offset: 1px }}
.jp-OutputArea-child:has(.babygrad-playground-still):has(~ .jp-OutputArea-child .babygrad-playground) {{
  display: none }}
"""
STYLE = f'<style onload="{SCRIPT.replace(chr(34), "&quot;")}">{RULES}</style>'
