// Python in the page: Pyodide, the course's files and Graphviz, in a thread that the page can end.
//
// The page says {start: {wheels, warm}} first, then {id, request}; it hears {starting}, {ready}, {place}, {broken}, {id, answer}.

import { instance } from "@viz-js/viz";
import { at } from "./address.js";

const COURSE = "/course";
const PYODIDE = new URL(PYODIDE_FOLDER, import.meta.url).href; // named by its version, by what builds the page
let session;

/** Rejected as soon as a file cannot be loaded: Pyodide itself waits for ever where its own is missing. */
function aFileIsMissing() {
  const load = self.fetch;
  return new Promise((_, no) => {
    self.fetch = async (address, ...more) => {
      const found = await load(address, ...more).catch((error) => ({ ok: false, status: error.message }));
      if (!found.ok) no(new Error(`${address.url ?? address}: ${found.status}`));
      return found;
    };
  });
}

async function bytes(address) {
  return (await fetch(address)).arrayBuffer();
}

/** wheels: the address of a folder with Pyodide's packages, for NumPy; "" for none.  warm: a first request. */
async function start({ wheels, warm }) {
  const say = (words, part) => postMessage({ starting: words, part });
  say("Loading Python …", 0.1);
  const { loadPyodide } = await import(`${PYODIDE}pyodide.mjs`);
  const options = { indexURL: PYODIDE };
  if (wheels) options.packageBaseUrl = new URL(wheels, import.meta.url).href;
  const graphviz = instance();
  const course = bytes(at("course.zip"));
  const python = await loadPyodide(options);
  if (wheels) {
    say("Loading NumPy …", 0.5);
    await python.loadPackage("numpy", { messageCallback() {} });
  }
  say("Loading the course …", 0.7);
  python.unpackArchive(await course, "zip", { extractDir: COURSE });
  const viz = await graphviz;
  say("Reading the course …", 0.9);
  python.runPython(`import sys; sys.path.insert(0, ${JSON.stringify(COURSE)})`);
  const { Session } = python.pyimport("grader.inpage.session");
  const draw = (dot) => viz.renderString(dot, { format: "svg" });
  session = Session(draw, (place) => postMessage({ place })); // where a check is: the page must know if it never comes back
  session.handle(warm);
}

self.onmessage = async ({ data }) => {
  if (data.start) {
    try {
      await Promise.race([aFileIsMissing(), start(data.start)]);
      postMessage({ ready: true });
    } catch (error) {
      postMessage({ broken: String(error) });
    }
    return;
  }
  try {
    postMessage({ id: data.id, answer: session.handle(data.request) });
  } catch (error) {
    postMessage({ id: data.id, broken: String(error) });
  }
};
