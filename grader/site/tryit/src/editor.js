// CodeMirror for Python: the learner's file, and a cell that is edited.

import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { bracketMatching, foldGutter, foldKeymap, foldService, HighlightStyle, indentOnInput, indentUnit, syntaxHighlighting } from "@codemirror/language";
import { python } from "@codemirror/lang-python";
import { EditorState, RangeSetBuilder, StateEffect, StateField } from "@codemirror/state";
import { Decoration, drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers } from "@codemirror/view";
import { tags as t } from "@lezer/highlight";
import { definition, regions } from "./regions.js";

// The same classes as the code of cells has, which Pygments coloured: the style sheet has the colours.
const COLOURS = HighlightStyle.define([
  { tag: [t.keyword, t.operatorKeyword, t.modifier], class: "k" },
  { tag: [t.comment, t.docComment], class: "c" },
  { tag: [t.string, t.special(t.string)], class: "s" },
  { tag: [t.number, t.bool, t.null], class: "m" },
  { tag: [t.definition(t.function(t.variableName)), t.definition(t.className), t.className], class: "nf" },
]);

const common = [
  history(),
  drawSelection(),
  indentUnit.of("    "),
  EditorState.tabSize.of(4),
  indentOnInput(),
  bracketMatching(),
  python(),
  syntaxHighlighting(COLOURS),
  EditorView.lineWrapping,
  EditorView.contentAttributes.of({ tabindex: "0" }),
];

/** The editor of a file.  changed(text), check(): what typing and Ctrl+Enter do. */
export class FileEditor {
  constructor(parent, { changed, check }) {
    this.changed = changed;
    this.extensions = [
      keymap.of([{ key: "Mod-Enter", run: () => (check(), true) }, ...defaultKeymap, ...historyKeymap, ...foldKeymap, indentWithTab]),
      ...common,
      lineNumbers(),
      foldGutter(),
      foldService.of(foldable),
      highlightActiveLine(),
      current,
      EditorView.updateListener.of((update) => {
        if (update.docChanged && !this.quiet) this.changed(this.text);
      }),
    ];
    this.view = new EditorView({ parent });
  }

  get text() {
    return this.view.state.doc.toString();
  }

  /** Show a file, its history empty. */
  open(name, text) {
    const described = EditorView.contentAttributes.of({ "aria-label": `babygrad/${name}`, "aria-describedby": "keys" });
    this.view.setState(EditorState.create({ doc: text, extensions: [...this.extensions, described] }));
  }

  /** Put another text in its place, which can be undone.  quiet: the page knows it already. */
  replace(text, quiet = false) {
    this.quiet = quiet;
    this.view.dispatch({ changes: { from: 0, to: this.view.state.doc.length, insert: text } });
    this.quiet = false;
  }

  /** Mark the regions of an exercise, and show the first: from its function's first line on, if there is room for both. */
  goTo(id) {
    const { doc } = this.view.state;
    const region = regions(doc.toString()).find((each) => each.id === id);
    this.view.dispatch({ effects: mark.of(id) });
    if (!region) return;
    const inside = doc.line(Math.min(region.first + 2, doc.lines));
    const indent = /^\s*/.exec(inside.text)[0].length;
    const top = doc.line(definition(doc.toString(), region) + 1).from, end = doc.line(region.last + 1).to;
    const needed = this.view.lineBlockAt(end).bottom - this.view.lineBlockAt(top).top;
    const height = this.view.scrollDOM.clientHeight; // 0 while a narrow window shows the notebook
    const fits = !height || needed <= height;
    this.view.dispatch({
      selection: { anchor: inside.from + indent },
      effects: fits ? EditorView.scrollIntoView(top, { y: "start", yMargin: 4 }) : EditorView.scrollIntoView(end, { y: "end", yMargin: 4 }),
    });
  }

  /** After the editor was made lower: show the cursor's line. */
  keepInView() {
    requestAnimationFrame(() => this.view.dispatch({ effects: EditorView.scrollIntoView(this.view.state.selection.main.head) }));
  }

  goToLine(number) {
    const { doc } = this.view.state;
    const line = doc.line(Math.max(1, Math.min(number, doc.lines)));
    this.view.dispatch({ selection: { anchor: line.from }, effects: EditorView.scrollIntoView(line.from, { y: "center" }) });
    this.view.focus();
  }
}

/** The editor of a cell.  Tab leaves it. */
export function cellEditor(parent, text, label, { changed, run }) {
  const keys = ["Shift-Enter", "Mod-Enter"].map((key) => ({ key, run: () => (run(), true) }));
  const extensions = [
    keymap.of([...keys, ...defaultKeymap, ...historyKeymap]),
    ...common,
    EditorView.contentAttributes.of({ "aria-label": label }),
    EditorView.updateListener.of((update) => update.docChanged && changed(update.state.doc.toString())),
  ];
  return new EditorView({ parent, state: EditorState.create({ doc: text, extensions }) });
}

/** A line "# exercise 2.1" folds everything down to its end. */
function foldable(state, from) {
  const number = state.doc.lineAt(from).number;
  const region = regions(state.doc.toString()).find((each) => each.first + 1 === number);
  return region ? { from: state.doc.line(number).to, to: state.doc.line(region.last + 1).to } : null;
}

const mark = StateEffect.define();
const line = Decoration.line({ class: "of-the-exercise" });
const current = StateField.define({
  create: () => ({ id: "", marks: Decoration.none }),
  update(value, transaction) {
    const id = transaction.effects.reduce((last, effect) => (effect.is(mark) ? effect.value : last), value.id);
    return id === value.id && !transaction.docChanged ? value : { id, marks: marks(transaction.state.doc, id) };
  },
  provide: (field) => EditorView.decorations.from(field, (value) => value.marks),
});

function marks(doc, id) {
  const builder = new RangeSetBuilder();
  for (const region of regions(doc.toString()).filter((each) => each.id === id)) {
    for (let n = region.first + 1; n <= region.last + 1; n++) builder.add(doc.line(n).from, doc.line(n).from, line);
  }
  return builder.finish();
}
