/* An extension of JupyterLab, which cannot open a file at a certain place by itself.
 *
 * At the start of a layout it opens the notebook and the learner's file, side by side, with the cursor in the exercise
 * that is next. (grader/learner/lab.py writes into the workspace which these are.) And where a link to a file ends in
 * #exercise-3.2, the cursor goes to that exercise; without this extension the link opens the file.
 *
 * And it gives the plots of a notebook their alternative text, which JupyterLab does not show: the kernel sends it
 * along (grader/notebook/plots_in_words.py).
 */
(() => {
  const NAME = "babygrad-layout";
  const BELOW = 12; // lines that are seen below the cursor

  async function prepare(app) {
    const [, name] = location.pathname.match(/\/workspaces\/([^/]+)/) || [];
    if (!name) return;
    const { data } = await app.serviceManager.workspaces.fetch(decodeURIComponent(name));
    const layout = data[NAME];
    if (!layout || sessionStorage.getItem(NAME) === layout.start) return; // after a reload all stays as it was
    const notebook = await open(app, layout.notebook, "Notebook");
    const file = await open(app, layout.file, "Editor", { mode: "split-right", ref: notebook.id });
    await goTo(file, layout.exercise);
    app.shell.activateById(notebook.id);
    sessionStorage.setItem(NAME, layout.start);
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

  /* JupyterLab's own way to show a PNG, and then its words. */
  function withWords(registry) {
    const own = registry.getFactory("image/png");
    const createRenderer = (options) => {
      const renderer = own.createRenderer(options);
      const show = renderer.renderModel.bind(renderer);
      renderer.renderModel = async (model) => {
        await show(model);
        const words = model.metadata["image/png"]?.alt || model.data["text/plain"];
        for (const image of renderer.node.querySelectorAll("img")) image.alt = words || "";
      };
      return renderer;
    };
    registry.addFactory({ safe: own.safe, mimeTypes: ["image/png"], defaultRank: own.defaultRank, createRenderer });
  }

  /* The name under which JupyterLab hands out its ways to show outputs; the modules that it shares have it. */
  async function registryOf(modules) {
    const [version] = Object.values(modules["@jupyterlab/rendermime"]);
    return (await version.get())().IRenderMimeRegistry;
  }

  let shared = {};
  const plugin = {
    id: `${NAME}:plugin`,
    autoStart: true,
    activate: (app) => {
      app.commands.commandExecuted.connect((_, command) => void followed(app, command));
      void app.restored.then(() => prepare(app));
    },
  };
  const words = { id: `${NAME}:words`, autoStart: true, activate: (_, registry) => withWords(registry) };
  window._JUPYTERLAB = window._JUPYTERLAB || {};
  window._JUPYTERLAB[NAME] = {
    init: (modules) => void (shared = modules),
    get: async () => {
      const plugins = [plugin, { ...words, requires: [await registryOf(shared)] }];
      return () => plugins;
    },
  };
})();
