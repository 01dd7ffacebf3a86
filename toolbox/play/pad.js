// A pad on a page. What is on it is the model's `drawn`: {strokes, digit, moved}; Python answers with `seen`.
const ARROWS = [["←", "left", -1, 0], ["↑", "up", 0, -1], ["↓", "down", 0, 1], ["→", "right", 1, 0]];
const PARTS = `<div class="babygrad-pad" role="group" aria-label="Pad for a digit"><div class="parts">
<div class="drawing">
  <canvas class="pad" width="448" height="448" role="img"
    aria-label="Draw a digit here with the mouse or a finger; by keyboard, choose one below"></canvas>
  <div class="controls"><button class="clear">Clear</button>
    <label>or a digit <select class="digit"><option value="">none</option></select></label></div>
  <div class="controls" role="group" aria-label="Move it">Move it
    ${ARROWS.map(([sign, name]) => `<button class="move" aria-label="${name} by one pixel">${sign}</button>`).join("")}
  </div>
</div>
<figure><canvas class="net" role="img"></canvas><figcaption></figcaption></figure>
<div class="answers"><p class="said" role="status" aria-live="polite"></p>
  <table><caption>Probability of each digit</caption><tbody></tbody></table></div>
</div></div>`;

function render({ model, el }) {
  el.innerHTML = PARTS;
  const me = el.firstElementChild, one = name => me.querySelector(name), side = model.get("side");
  /* OWN_KEYS */
  me.addEventListener("keydown", event => { if (ours(event)) event.stopPropagation(); });
  const pad = one(".pad"), net = one(".net"), pen = pad.getContext("2d"), choice = one(".digit");
  net.width = net.height = side;
  one("figcaption").textContent = model.get("words");
  model.get("digits").forEach(digit => choice.add(new Option(digit, digit)));
  const row = digit => `<tr><th scope="row">${digit}</th><td aria-hidden="true"><div></div></td><td></td></tr>`;
  one("tbody").innerHTML = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9].map(row).join("");
  let drawing = false;

  const change = now => {
    model.set("drawn", { ...model.get("drawn"), ...now });
    model.save_changes();
  };
  const paint = () => {
    const { strokes, digit } = model.get("drawn");
    choice.value = digit ?? "";
    pen.clearRect(0, 0, pad.width, pad.height);
    Object.assign(pen, { lineWidth: pad.width / 12, lineCap: "round", lineJoin: "round" });
    pen.strokeStyle = getComputedStyle(me).getPropertyValue("--ink");
    for (const stroke of strokes) {
      pen.beginPath();
      for (const [x, y] of [stroke[0], ...stroke]) pen.lineTo(x * pad.width, y * pad.height);
      pen.stroke();
    }
  };
  const show = () => {
    const { pixels, shares, said } = model.get("seen"), grey = net.getContext("2d");
    const image = grey.createImageData(side, side);
    image.data.forEach((_, i) => { image.data[i] = i % 4 == 3 ? 255 : 255 * (1 - (pixels[i >> 2] ?? 0)); });
    grey.putImageData(image, 0, 0);
    net.setAttribute("aria-label", pixels.length ? "The picture that the net gets" : "No picture yet");
    if (!drawing) one(".said").textContent = said;  // a screen reader reads it out: not at each point
    const most = Math.max(...shares);
    me.querySelectorAll("tbody tr").forEach((row, digit) => {
      row.classList.toggle("most", shares[digit] === most);
      row.querySelector("div").style.width = `${100 * (shares[digit] ?? 0)}%`;
      row.lastElementChild.textContent = shares.length ? `${Math.round(100 * shares[digit])}%` : "";
    });
  };

  const place = event => {
    const box = pad.getBoundingClientRect();
    return [(event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height].map(x => +x.toFixed(3));
  };
  pad.addEventListener("pointerdown", event => {
    if (event.button) return;
    pad.setPointerCapture(event.pointerId);
    drawing = true;
    change({ strokes: [...model.get("drawn").strokes, [place(event)]], digit: null, moved: [0, 0] });
  });
  pad.addEventListener("pointermove", event => {
    if (!drawing) return;
    const strokes = [...model.get("drawn").strokes], last = strokes.pop();
    change({ strokes: [...strokes, [...last, place(event)]] });
  });
  pad.addEventListener("lostpointercapture", () => { drawing = false; show(); });
  one(".clear").addEventListener("click", () => change({ strokes: [], digit: null, moved: [0, 0] }));
  choice.addEventListener("change", () => {
    change({ strokes: [], digit: choice.value === "" ? null : Number(choice.value), moved: [0, 0] });
  });
  me.querySelectorAll(".move").forEach((button, i) => button.addEventListener("click", () => {
    const [right, down] = model.get("drawn").moved;
    change({ moved: [right + ARROWS[i][2], down + ARROWS[i][3]] });
  }));

  model.on("change:drawn", paint);
  model.on("change:seen", show);
  paint();
  show();
  return () => { model.off("change:drawn", paint); model.off("change:seen", show); };
}

export default { render };
