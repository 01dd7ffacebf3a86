// What is wider than the page can be scrolled with the keys, too.
for (const box of document.querySelectorAll("pre, .outputs, .formula, .table-wrapper"))
  if (box.scrollWidth > box.clientWidth) box.tabIndex = 0;
