// What a Session in Pyodide says to each request.  node in_pyodide.mjs NODE_MODULES COURSE REQUESTS ANSWERS
// COURSE: a folder with what course.zip holds. Where the interpreter dies, the answer is {"died": why}.
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

const SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="72pt" height="36pt" viewBox="0 0 72 36"><g/></svg>';
const PYTHON = `
import sys; sys.path.insert(0, "/course")
from grader.inpage.session import Session
session = Session(lambda dot: '${SVG}')
`;
const [modules, course, requests, answers] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(path.join(modules, "pyodide", "pyodide.mjs")));

async function session() {
  const python = await loadPyodide();
  const copy = (from, to) => {
    python.FS.mkdirTree(to);
    for (const entry of fs.readdirSync(from, { withFileTypes: true })) {
      const [source, target] = [path.join(from, entry.name), `${to}/${entry.name}`];
      if (entry.isDirectory()) copy(source, target);
      else python.FS.writeFile(target, fs.readFileSync(source));
    }
  };
  copy(course, "/course");
  python.runPython(PYTHON);
  return python.globals.get("session");
}

const found = [];
let there = await session();
for (const request of JSON.parse(fs.readFileSync(requests))) {
  try {
    found.push(JSON.parse(there.handle(JSON.stringify(request))));
  } catch (error) {
    found.push({ died: String(error).slice(-600) });
    there = await session();
  }
}
fs.writeFileSync(answers, JSON.stringify(found));
