// What is wider than its place can be scrolled by keyboard, too: Tab reaches it, but only while it is too wide.
(() => {
  const KINDS = {
    "pre": "Text", ".formula, .math-wrapper": "Formula", ".table-wrapper": "Table", ".babygrad-graph": "Graph",
    ".babygrad-player .picture": "Picture", ".outputs": "Output",
  };
  const boxes = Object.entries(KINDS).flatMap(([kind, name]) =>
    [...document.querySelectorAll(`article :is(${kind})`)].map(box => [box, name]));
  const look = () => boxes.forEach(([box, name]) => {
    const told = { tabindex: 0, role: "group", "aria-label": `${name}, wider than the page` };
    const wide = box.scrollWidth > box.clientWidth;
    for (const [key, value] of Object.entries(told)) wide ? box.setAttribute(key, value) : box.removeAttribute(key);
  });
  look();
  addEventListener("load", look);
  addEventListener("resize", look);
  document.addEventListener("toggle", look, true); // what is folded has no width

  // In a picture that has the focus, the arrows scroll. Elsewhere in a player they are steps.
  for (const [box] of boxes.filter(([, name]) => name === "Picture"))
    box.addEventListener("keydown", key => key.key.startsWith("Arrow") && key.target === box && key.stopPropagation());

  // A search marks the words that it found: ideas that have some in them are opened.
  const found = () => document.querySelectorAll(".idea:has(.highlighted)").forEach(idea => { idea.open = true; });
  addEventListener("load", () => setTimeout(found, 100));
})();
