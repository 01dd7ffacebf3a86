// What Python sends, put into the page: text as text, pictures as images, anything else behind a sandbox's glass.

import { at } from "./address.js";

const PICTURE = /^data:image\/(svg\+xml|png);base64,[A-Za-z0-9+/=]+$/;
const LINKED = /babygrad\/([\w/]+\.py)(?:, line (\d{1,6}))?|docs\/(\w+)\.md(?:, under (["'])(.*?)\4)?|\b(\d\d?\.\d\d?)\b/g;

/** An element with text or elements in it.  attributes: as HTML has them; "on..." are listeners. */
export function made(tag, attributes = {}, ...inside) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...inside);
  return element;
}

/** A sentence of a message: what stands between backticks is code; a file's line, a document and an exercise lead there.
 *  links: {open(file, line), stuck: {heading: its place in the document}, exercise(id): an element}, each if there is one. */
export function sentence(text, links = {}) {
  if (text.startsWith("    ")) return made("div", {}, made("pre", {}, text.replace(/^ {4}/gm, "")));
  const parts = text.split("`");
  if (parts.length % 2 === 0) return made("p", {}, ...linked(text, links));
  return made("p", {}, ...parts.flatMap((part, n) => (n % 2 ? [made("code", {}, part)] : linked(part, links))));
}

function linked(text, links) {
  const parts = [];
  let end = 0;
  for (const found of text.matchAll(LINKED)) {
    parts.push(text.slice(end, found.index), way(found, links));
    end = found.index + found[0].length;
  }
  return [...parts, text.slice(end)];
}

/** What leads to where a part of a sentence means. */
function way([words, file, line, document, , heading, id], { open, stuck, exercise }) {
  if (id) return exercise ? exercise(id) : words;
  if (document) return made("a", { href: `../docs/${document}.html${stuck?.[heading] ? `#${stuck[heading]}` : ""}` }, words);
  return open ? made("button", { type: "button", class: "link", onclick: () => open(file, line && +line) }, words) : words;
}

/** An element for one output.  shown: {kind: "text" | "svg" | "html", data}. */
export function output({ kind, data }) {
  if (kind === "text") return made("pre", { class: "printed", tabindex: 0 }, data);
  if (kind === "svg") return framed(data);
  return picture(data) ?? framed(data);
}

/** HTML that is one image and nothing else, as an image: no frame is needed for it. */
function picture(html) {
  const { body } = new DOMParser().parseFromString(html, "text/html");
  const images = body.querySelectorAll("img");
  if (images.length !== 1 || body.querySelectorAll("*").length > 2 || body.textContent.trim()) return null;
  const { src, alt } = images[0];
  return PICTURE.test(src) ? made("p", { class: "picture" }, made("img", { src, alt })) : null;
}

/** HTML with scripts of its own, in a frame that can reach neither the page nor any address. */
function framed(html) {
  const label = /aria-label="([^"]*)"/.exec(html)?.[1].replace(/&[a-z]+;|&#\d+;/g, " ") || "A drawing";
  const frame = made("iframe", { sandbox: "allow-scripts", src: at("stage.html"), title: label, class: "stage" });
  addEventListener("message", function hear({ source, data }) {
    if (!frame.isConnected && frame.wasThere) return removeEventListener("message", hear);
    if (source !== frame.contentWindow || !frame.contentWindow) return;
    frame.wasThere = true;
    if (data === "ready") frame.contentWindow.postMessage(html, "*");
    else if (Number.isFinite(data)) frame.style.height = `${Math.min(Math.max(data, 40), 3000)}px`;
  });
  return frame;
}
