// A slide that is higher or wider than the screen is made smaller, down to LEAST; what is left can be scrolled.
const WIDTH = 960, HEIGHT = 700, LEAST = 0.6;

function fit(slide) {
  if (!slide || slide.dataset.size) return;
  const inner = wrapped(slide);
  for (const pre of inner.querySelectorAll("pre")) narrow(pre);
  const height = () => inner.getBoundingClientRect().height / Reveal.getScale();
  const fits = size => height() <= HEIGHT && inner.scrollWidth <= WIDTH / size + 1;
  let size = 1;
  slide.dataset.height = Math.round(height());
  while (!fits(size) && size > LEAST) {
    size = Math.round((size - 0.05) * 100) / 100;
    inner.style.zoom = size;
  }
  slide.classList.toggle("scrolls", !fits(size));
  slide.dataset.size = size;
}

// Code and tables of numbers keep their lines; the long ones of an output are broken.
function narrow(pre) {
  const share = pre.clientWidth / pre.scrollWidth, isOutput = pre.closest(".jp-OutputArea");
  const least = isOutput ? 0.75 : LEAST;
  if (share < least) pre.style.whiteSpace = "pre-wrap";
  if (share >= least && share < 1 || share < least && !isOutput)
    pre.style.fontSize = `${Math.max(least, 0.99 * share) * parseFloat(getComputedStyle(pre).fontSize)}px`;
}

function wrapped(slide) {
  const inner = document.createElement("div");
  inner.className = "inner";
  inner.append(...[...slide.childNodes].filter(node => !(node.matches && node.matches("aside.notes"))));
  slide.prepend(inner);
  return inner;
}

// A player takes the keys that it is worked with; those of a clicker turn pages there too, and Escape leaves it.
const leave = event => {
  const player = event.target.closest?.(".babygrad-player");
  if (!player || !["PageUp", "PageDown", "Escape"].includes(event.key)) return;
  event.stopPropagation();
  event.preventDefault();
  document.activeElement.blur();
  if (event.key === "PageUp") Reveal.prev();
  if (event.key === "PageDown") Reveal.next();
};

const fitCurrent = () => { fit(Reveal.getCurrentSlide()); Reveal.layout(); };
addEventListener("keydown", leave, true);
Reveal.on("ready", fitCurrent);
Reveal.on("slidechanged", fitCurrent);
Reveal.initialize({
  width: WIDTH, height: HEIGHT, hash: true, transition: "none", slideNumber: "c/t", plugins: [RevealNotes],
});
