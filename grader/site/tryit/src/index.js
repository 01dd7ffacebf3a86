// The points of each notebook, on the first page.

import { Keep } from "./keep.js";

const problem = document.getElementById("problem");
const keep = new Keep((words) => {
  problem.hidden = !words;
  problem.textContent = words;
});

for (const place of document.querySelectorAll("[data-exercises]")) {
  const results = place.dataset.exercises.split(" ").map((id) => keep.json(`result:${id}`, { points: 0 }).points);
  place.textContent = `${results.reduce((sum, points) => sum + points, 0)} of ${place.dataset.points} points`;
}
