/* ---- data that is asked for: runs, maps of any pair, pages of items, single items */
const PAGE = 50;
let runs = [], shownFor = null;
async function ask(what, asked = {}) {
  const query = new URLSearchParams(Object.entries(asked).flatMap(([key, value]) => [value].flat().map((one) => [key, one])));
  const found = await (await fetch(`/api/${what}?${query}`)).json();
  $("problem").hidden = !found.error;
  $("problem").textContent = found.error ?? "";
  return found.error ? null : found;
}
const whole = () => runs.filter((run) => run.state === "whole").map((run) => run.id);
const chosen = () => ({
  before: state.before || whole()[0] || "",
  after: state.after ? state.after.split(",").map(decodeURIComponent) : whole().filter((id) => id !== (state.before || whole()[0])),
});
const source = {
  live: true,
  stale: () => !data || JSON.stringify(chosen()) !== shownFor,
  async map() {
    const wanted = JSON.stringify(chosen());
    drawRuns();
    if (whole().length < 2) { $("problem").hidden = false; $("problem").textContent = "A map needs two whole runs; bring them in with forgetmap read."; return null; }
    const found = await ask("map", chosen());
    if (wanted !== JSON.stringify(chosen())) return null;
    shownFor = wanted;
    return found;
  },
  loaded() {
    document.querySelector("h1").textContent = data.headline;
    $("lead").replaceChildren(...data.lead.map((line) => element("p", {}, line)));
    $("doubts-said").innerHTML = data.doubts; /* made and escaped by the program */
  },
  async items(pair, level, name, from = 0) {
    $("kind").value = state.kind;
    if (document.activeElement !== $("search")) $("search").value = state.search;
    const { before, after } = chosen();
    const found = await ask("items", { before, after: after[pair], level, name, kind: state.kind, cause: state.cause, find: state.search, from, n: PAGE });
    if (!found) return { items: [], total: 0, causes: [] };
    if (!from && state.item && !found.items.some((item) => item.id === state.item)) {
      const one = await ask("item", { before, after: after[pair], id: state.item });
      if (one) found.items.unshift(one);
    }
    const next = from + PAGE;
    return { ...found, more: next < found.total ? () => this.items(pair, level, name, next) : null };
  },
  async item(item) {
    const { before, after } = chosen();
    return (await ask("item", { before, after: after[+state.pair], id: item.id, task: item.task })) ?? item;
  },
};
function drawRuns() {
  const { before, after } = chosen(), blank = { cell: "", item: "", pair: "0" };
  $("before").replaceChildren(...whole().map((id) => element("option", { value: id }, runs.find((run) => run.id === id).name)));
  $("before").value = before;
  $("after").replaceChildren(...whole().filter((id) => id !== before).map((id) => {
    const box = element("input", { type: "checkbox", value: id });
    box.checked = after.includes(id);
    box.addEventListener("change", () => {
      const now = [...$("after").querySelectorAll("input:checked")].map((one) => encodeURIComponent(one.value)).join();
      if (now) go({ ...blank, after: now }); else box.checked = true;
    });
    return element("label", { class: "check" }, box, " ", runs.find((run) => run.id === id).name);
  }));
  $("writing").textContent = runs.filter((run) => run.state !== "whole").map((run) => run.state === "damaged" ? `${run.name} is damaged` : `${run.name} is being written: ${count(run.rows)} rows so far`).join("; ");
}
async function look() {
  const found = await fetch("/api/runs").then((answer) => answer.json()).catch(() => null);
  if (!found || JSON.stringify(found.runs) === JSON.stringify(runs)) return;
  runs = found.runs;
  state = read();
  drawRuns();
  show();
}
$("before").addEventListener("change", () => go({ before: $("before").value, after: "", cell: "", item: "", pair: "0" }));
$("kind").addEventListener("change", () => go({ kind: $("kind").value, cause: "", item: "" }));
$("search").addEventListener("change", () => go({ search: $("search").value, item: "" }));
ask("runs").then((found) => { runs = found.runs; $("study").textContent = found.study; start(); setInterval(look, 3000); });
