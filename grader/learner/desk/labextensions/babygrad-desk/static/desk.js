/* An extension of JupyterLab, which cannot open a file at a certain place by itself.
 *
 * At the start of a desk it opens the notebook and the learner's file, side by side, with the cursor in the exercise
 * that is next. (grader/learner/lab.py writes into the workspace which these are.) And where a link to a file ends in
 * #exercise-3.2, the cursor goes to that exercise; without this extension the link opens the file.
 */
(() => {
  const NAME = "babygrad-desk";
  const BELOW = 12; // lines that are seen below the cursor

  async function prepare(app) {
    const [, name] = location.pathname.match(/\/workspaces\/([^/]+)/) || [];
    if (!name) return;
    const { data } = await app.serviceManager.workspaces.fetch(decodeURIComponent(name));
    const desk = data[NAME];
    if (!desk || sessionStorage.getItem(NAME) === desk.start) return; // after a reload all stays as it was
    const notebook = await open(app, desk.notebook, "Notebook");
    const file = await open(app, desk.file, "Editor", { mode: "split-right", ref: notebook.id });
    await goTo(file, desk.exercise);
    app.shell.activateById(notebook.id);
    sessionStorage.setItem(NAME, desk.start);
  }

  /* The tab of a file. options: where it is put if there is none yet. */
  function open(app, path, factory, options = {}) {
    return app.commands.execute("docmanager:open", { path, factory, options });
  }

  async function followed(app, { id, args, result }) {
    const [, exercise] = (id === "rendermime:handle-local-link" && /^#exercise-([\d.]+)$/.exec(args.id)) || [];
    if (!exercise) return;
    await result;
    for (const tab of app.shell.widgets("main")) {
      if (tab.context?.path === args.path && tab.content.editor) await goTo(tab, exercise);
    }
  }

  /* Put the cursor of a file's tab into the first open part of an exercise, or below the comment that begins it. */
  async function goTo(file, exercise) {
    await file.context.ready;
    const { editor } = file.content;
    const lines = editor.model.sharedModel.getSource().split("\n");
    const stub = lines.findIndex((line) => line.includes(`raise NotImplementedError("exercise ${exercise}:`));
    const comment = lines.findIndex((line) => `${line.trim()} `.startsWith(`# exercise ${exercise} `));
    const line = stub < 0 ? comment + 1 : stub;
    const start = { line, column: 0 };
    editor.setCursorPosition(start);
    editor.revealSelection({ start, end: { line: Math.min(line + BELOW, editor.lineCount - 1), column: 0 } });
  }

  const plugin = {
    id: `${NAME}:plugin`,
    autoStart: true,
    activate: (app) => {
      app.commands.commandExecuted.connect((_, command) => void followed(app, command));
      void app.restored.then(() => prepare(app));
    },
  };
  window._JUPYTERLAB = window._JUPYTERLAB || {};
  window._JUPYTERLAB[NAME] = { init() {}, get: async () => () => plugin };
})();
