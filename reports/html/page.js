
"use strict";
// Filters, and opening everything for print. A page with many findings keeps what they say as text until
// they are opened: a browser takes seconds to build a thousand of them. The text was escaped when the
// page was written; a small page is whole without this script.
const form = document.querySelector(".filters");
const findings = [...document.querySelectorAll(".finding")];
const groups = [...document.querySelectorAll(".group")];
function show() {
  const words = document.getElementById("search").value.toLowerCase().split(/\s+/).filter(Boolean);
  const kind = document.getElementById("kind").value;
  const boxes = [...document.querySelectorAll("input[name=level]")];
  const levels = new Set(boxes.filter((box) => box.checked).map((box) => box.value));
  let n = 0;
  for (const one of findings) {
    const fits = levels.has(one.dataset.level) && (!kind || one.dataset.kind === kind) &&
      words.every((word) => one.dataset.words.includes(word));
    one.hidden = !fits;
    n += fits;
  }
  for (const group of groups) group.hidden = !group.querySelector(".finding:not([hidden])");
  document.getElementById("shown").value = n === findings.length ? "" : `${n} of ${findings.length} shown`;
}
function fill(one) {
  const text = one.querySelector("script");
  if (!text) return;
  const made = document.createElement("template");
  made.innerHTML = text.textContent;
  text.replaceWith(made.content);
}
function openAll(isOpen) {
  for (const one of findings) if (!one.hidden) one.open = isOpen;
}
function openTarget() {
  const target = location.hash && document.getElementById(location.hash.slice(1));
  if (target && target.classList.contains("finding")) target.open = true;
}
for (const one of findings) {
  one.addEventListener("toggle", () => { if (one.open) fill(one); });
}
if (form) {
  form.hidden = false;
  form.addEventListener("input", show);
  form.addEventListener("submit", (event) => event.preventDefault());
  document.getElementById("open").addEventListener("click", () => openAll(true));
  document.getElementById("close").addEventListener("click", () => openAll(false));
  let before = [];
  addEventListener("beforeprint", () => {
    findings.filter((one) => !one.hidden).forEach(fill);
    before = [...document.querySelectorAll("details:not([open])")];
    for (const one of before) one.open = true;
  });
  addEventListener("afterprint", () => { for (const one of before) one.open = false; });
  addEventListener("hashchange", openTarget);
  openTarget();
}
