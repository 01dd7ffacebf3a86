// What is wider than its place can be scrolled by keyboard, too: Tab reaches it, but only while it is too wide.
(() => {
  const WIDE = "pre, .outputs, .formula, .math-wrapper, .table-wrapper, .babygrad-graph";
  const boxes = document.querySelectorAll(`article :is(${WIDE})`);
  const look = () => boxes.forEach(box => {
    if (box.scrollWidth > box.clientWidth) box.tabIndex = 0;
    else box.removeAttribute("tabindex");
  });
  look();
  addEventListener("load", look);
  addEventListener("resize", look);
  document.addEventListener("toggle", look, true); // what is folded has no width
})();
