"use strict";
/* The report in the browser: one grid of cells, the cell or comparison that was chosen, and its items.
   Data comes from `source` (embedded or asked for); text from logs is only ever set as textContent. */

const ROW = 36, COL = 92, NAMES = 230, OVER = 4, SHADES = [10, 20, 50, 100, 200];
const $ = (id) => document.getElementById(id);
const MARKS = [[1, "▼", "accuracy fell"], [2, "▲", "accuracy rose"], [4, "●", "more was lost than sampling noise explains"]];

function element(name, attributes = {}, ...inside) {
  const made = name === "svg" || SVG.has(name)
    ? document.createElementNS("http://www.w3.org/2000/svg", name) : document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) if (value !== null && value !== undefined) made.setAttribute(key, value);
  for (const one of inside) if (one !== null && one !== undefined) made.append(one);
  return made;
}
const SVG = new Set(["line", "circle", "rect", "g"]);

/* ---- numbers as the reader meets them: per mille in, per cent out */
const percent = (n) => n === null || n === undefined ? "–" : (n / 10).toFixed(1).replace("-", "−").replace("−0.0", "0.0");
const count = (n) => n === null || n === undefined ? "–" : Number.isInteger(n) ? n.toLocaleString("en") : n.toFixed(1);
const isBand = (e) => e && e[0] === null && e[1] !== null;
const clear = (e) => Boolean(e) && e[1] !== null && e[1] > 0;
function estimate(e, unit = "") {
  if (!e || (e[0] === null && e[1] === null)) return "–";
  if (e[0] === null) return `${percent(e[1])} … ${percent(e[2])}${unit}`;
  return e[1] === null ? `${percent(e[0])}${unit} [no interval]` : `${percent(e[0])}${unit} [${percent(e[1])}, ${percent(e[2])}]`;
}
const short = (e) => !e || (e[0] === null && e[1] === null) ? "–" : e[0] === null ? `${percent(e[1])}…${percent(e[2])}` : percent(e[0]);
function shade(e) {
  if (!clear(e)) return 0;
  const size = e[0] === null ? e[1] : e[0];
  return 1 + SHADES.filter((step) => size >= step).length;
}
const marks = (cell) => MARKS.filter(([bit]) => cell.marks & bit).map(([, sign]) => sign).join("");

/* ---- data: columns of one level and comparison, as `facts.py` packs them, unpacked when first asked for */
const BASE = 44, DIGITS = [..."#$%'()*+,-./0123456789:;=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[]^_`abcdefghijklmnopqrstuvwxyz{|}"].slice(0, 2 * BASE);
const VALUE = new Map(DIGITS.map((sign, n) => [sign, n]));
function column(text) {
  const found = [], signed = text[0] === "!";
  let number = 0, power = 1;
  for (const sign of signed ? text.slice(1) : text) {
    const digit = VALUE.get(sign);
    if (sign === "~") { found.push(null); continue; }
    number += (digit % BASE) * power;
    power *= BASE;
    if (digit < BASE) { found.push(signed ? (number % 2 ? -(number + 1) / 2 : number / 2) : number); number = 0; power = 1; }
  }
  return found;
}
const columns = new Map();
function columnOf(level, pair, name) {
  const key = `${level} ${pair} ${name}`;
  if (!columns.has(key)) {
    const packed = data.levels[level].pairs[pair][name];
    const said = packed === " " ? columnOf(level, 0, name) : packed === undefined ? null : Array.isArray(packed) ? packed.map(column) : column(packed);
    columns.set(key, said);
  }
  return columns.get(key);
}
function cellAt(level, row, pair) {
  const one = (name) => columnOf(level, pair, name)?.[row] ?? null;
  const three = (name, add = 0) => {
    const [told, below, farther] = columnOf(level, pair, name)?.map((part) => part[row]) ?? [null, null, null];
    if (told === null) return below === null ? null : [null, below, farther];
    const value = told + add;
    return below === null ? [value, null, null] : [value, value - below, value + below + farther];
  };
  const rest = (name, expected) => ((told) => (told === null ? null : told + expected))(one(name));
  const n = one("n"), before = one("before"), lost = one("lost"), gained = one("gained"), forgetting = three("forgetting");
  if (n === null) return null;
  const counted = n && before !== null && lost !== null && gained !== null;
  const after = rest("after", counted ? before + Math.floor((2000 * (gained - lost) + n) / (2 * n)) : 0);
  const wide = forgetting && forgetting[0] !== null && forgetting[1] !== null ? forgetting[2] - forgetting[1] : 0;
  return {
    name: data.levels[level].names[row], n, before, after, lost, gained, forgetting, gain: three("gain"),
    net: three("net", before !== null && after !== null ? after - before : 0), unanswered: one("unanswered"), noise: one("noise"),
    marks: one("marks") ?? 0, detectable: rest("detectable", Math.floor((143 * wide) / 200)), graded: Boolean(one("graded")),
  };
}

/* ---- state: all of it stands in the address, so that an address is a link to what is seen */
const START = { before: "", after: "", kind: "lost", search: "", level: "", show: "forgetting", find: "", clear: "", pair: "0", cell: "", cause: "", item: "" };
let data, state;
const read = () => ({ ...START, level: data?.level ?? "", ...Object.fromEntries(new URLSearchParams(location.hash.slice(1))) });
function go(change, push = true) {
  const next = { ...state, ...change };
  const said = Object.entries(next).filter(([key, value]) => value !== "" && value !== { ...START, level: data?.level ?? "" }[key]);
  const hash = "#" + new URLSearchParams(said);
  history[push ? "pushState" : "replaceState"](null, "", hash === "#" ? location.pathname + location.search : hash);
  show();
}

/* ---- the grid: only what is seen exists, so that a map of any size opens at once */
class Grid {
  constructor(root) {
    this.root = root;
    this.at = [0, 0];
    root.addEventListener("scroll", () => this.draw(), { passive: true });
    root.addEventListener("keydown", (event) => this.key(event));
    root.addEventListener("click", (event) => {
      const cell = event.target.closest("[data-r]");
      if (cell) { this.at = [+cell.dataset.r, +cell.dataset.c]; this.open(); }
    });
    new ResizeObserver(() => this.draw()).observe(root);
  }
  load(rows, columns, cell, label) {
    Object.assign(this, { rows, columns, cell, label });
    this.at = [Math.min(this.at[0], Math.max(rows.length - 1, 0)), Math.min(this.at[1], Math.max(columns.length - 1, 0))];
    this.root.setAttribute("aria-rowcount", rows.length + 1);
    this.root.setAttribute("aria-colcount", columns.length + 1);
    this.names = Math.min(NAMES, Math.max(120, this.root.clientWidth * 0.38));
    this.wide = columns.length === 1 ? 220 : COL;
    this.sizer = element("div", { class: "sizer", role: "presentation" });
    this.sizer.style.width = `${this.names + columns.length * this.wide}px`;
    this.sizer.style.height = `${(rows.length + 1) * ROW}px`;
    this.root.style.maxHeight = `${Math.min((rows.length + 1) * ROW + 18, Math.max(320, innerHeight * 0.78))}px`;
    this.root.replaceChildren(this.sizer);
    this.seen = "";
    this.draw();
  }
  window() {
    const { scrollTop: top, scrollLeft: left, clientHeight: high, clientWidth: wide } = this.root;
    const first = Math.max(0, Math.floor(top / ROW) - OVER), last = Math.min(this.rows.length, Math.ceil((top + high) / ROW) + OVER);
    const from = Math.max(0, Math.floor(left / this.wide) - OVER), to = Math.min(this.columns.length, Math.ceil((left + wide) / this.wide) + OVER);
    return printing ? [0, Math.min(this.rows.length, 400), 0, this.columns.length] : [first, last, from, to];
  }
  draw() {
    if (!this.rows) return;
    const [first, last, from, to] = this.window(), seen = [first, last, from, to].join();
    if (seen === this.seen) return;
    const held = this.root.contains(document.activeElement);
    this.seen = seen;
    this.sizer.replaceChildren(this.head(from, to), ...Array.from({ length: last - first }, (_, n) => this.row(first + n, from, to)));
    if (held) this.focus();
  }
  head(from, to) {
    const row = element("div", { role: "row", class: "row head", "aria-rowindex": 1 });
    row.append(this.place(element("div", { role: "columnheader", class: "name", "aria-colindex": 1 }, this.label), 0, this.names));
    for (let c = from; c < to; c++) {
      const title = data.pairs[c].after;
      row.append(this.place(element("div", { role: "columnheader", class: "column", "aria-colindex": c + 2, title }, this.columns[c]), this.left(c), this.wide));
    }
    row.style.width = this.sizer.style.width;
    return row;
  }
  row(r, from, to) {
    const name = this.rows[r];
    const row = element("div", { role: "row", class: r === 0 && this.overall ? "row overall" : "row", "aria-rowindex": r + 2 });
    row.style.top = `${(r + 1) * ROW}px`;
    row.style.width = this.sizer.style.width;
    row.append(this.place(element("div", { role: "rowheader", class: "name", "aria-colindex": 1, title: name }, name), 0, this.names));
    for (let c = from; c < to; c++) {
      const { classes, inside, said } = this.cell(r, c), here = r === this.at[0] && c === this.at[1];
      const cell = element("div", {
        role: "gridcell", class: `cell ${classes}`, "data-r": r, "data-c": c, "aria-colindex": c + 2,
        tabindex: here ? 0 : -1, "aria-label": said, title: said,
      }, ...inside);
      row.append(this.place(cell, this.left(c), this.wide));
    }
    return row;
  }
  left(c) { return this.names + c * this.wide; }
  place(cell, left, wide) { cell.style.left = `${left}px`; cell.style.width = `${wide}px`; return cell; }
  focus() { this.sizer.querySelector(`[data-r="${this.at[0]}"][data-c="${this.at[1]}"]`)?.focus({ preventScroll: true }); }
  move(r, c) {
    this.sizer.querySelector('[tabindex="0"]')?.setAttribute("tabindex", -1);
    this.at = [Math.max(0, Math.min(this.rows.length - 1, r)), Math.max(0, Math.min(this.columns.length - 1, c))];
    const top = (this.at[0] + 1) * ROW, left = this.left(this.at[1]), box = this.root;
    if (top < box.scrollTop + ROW) box.scrollTop = top - ROW;
    if (top + ROW > box.scrollTop + box.clientHeight) box.scrollTop = top + ROW - box.clientHeight;
    if (left < box.scrollLeft + this.names) box.scrollLeft = left - this.names;
    if (left + this.wide > box.scrollLeft + box.clientWidth) box.scrollLeft = left + this.wide - box.clientWidth;
    this.seen = "";
    this.draw();
    this.focus();
  }
  key(event) {
    const [r, c] = this.at, page = Math.max(1, Math.floor(this.root.clientHeight / ROW) - 2);
    const to = {
      ArrowUp: [r - 1, c], ArrowDown: [r + 1, c], ArrowLeft: [r, c - 1], ArrowRight: [r, c + 1], PageUp: [r - page, c], PageDown: [r + page, c],
      Home: event.ctrlKey ? [0, 0] : [r, 0], End: event.ctrlKey ? [Infinity, Infinity] : [r, Infinity],
    }[event.key];
    if (to) { event.preventDefault(); this.move(...to); }
    if (event.key === "Enter" || event.key === " ") { event.preventDefault(); this.open(); }
  }
  open() { go({ cell: this.rows[this.at[0]], pair: String(this.order(this.at[1])), item: "", cause: "" }); $("chosen").focus(); }
  order(c) { return c; }
}

/* ---- what is shown */
function rowsOf(level) {
  const { names } = data.levels[level], pairs = data.pairs.map((_, n) => n);
  const size = (row) => Math.max(...pairs.map((p) => ((e) => !e ? -9e9 : e[0] ?? (e[1] + e[2]) / 2)(cellAt(level, row, p)?.[state.show])));
  const wanted = state.find.toLowerCase();
  return names.map((name, row) => ({ name, row, size: size(row) }))
    .filter(({ name }) => !wanted || name.toLowerCase().includes(wanted))
    .filter(({ row }) => !state.clear || pairs.some((p) => clear(cellAt(level, row, p)?.[state.show])))
    .sort((a, b) => b.size - a.size || (a.name < b.name ? -1 : 1));
}

/* Names without what all of them begin with, so that what tells them apart is seen. */
function shortNames(names) {
  let same = names.length > 1 ? names[0].length : 0;
  for (const name of names) while (same && !name.startsWith(names[0].slice(0, same))) same--;
  same = names[0]?.slice(0, same).search(/[^\p{L}\p{N}.]+[\p{L}\p{N}.]*$/u) + 1 || 0;
  return names.map((name) => (same > 4 && name.length > 10 ? "…" + name.slice(same) : name));
}

function drawMap() {
  const level = state.level, rows = rowsOf(level);
  const lines = level === "all" ? rows.map((one) => ["all", one]) : [...data.levels.all.names.map((name, row) => ["all", { name, row }]), ...rows.map((one) => [level, one])];
  grid.overall = level !== "all";
  grid.load(lines.map(([, one]) => one.name), shortNames(data.pairs.map((pair) => pair.after)), (r, c) => {
    const [where, { name, row }] = lines[r], cell = cellAt(where, row, c), pair = data.pairs[c];
    const chosen = state.cell === name && +state.pair === c ? " chosen" : "";
    if (!cell) return { classes: "none" + chosen, inside: ["–"], said: `${name}, ${pair.after}: not asked` };
    const found = cell[state.show], depth = shade(found), tone = state.show === "gain" ? "gain" : "loss";
    const value = element("b", {}, `${short(found)} ${marks(cell)}`.trim());
    const interval = found && found[0] !== null && found[1] !== null ? element("i", {}, `[${percent(found[1])}, ${percent(found[2])}]`) : null;
    const signs = MARKS.filter(([bit]) => cell.marks & bit).map(([, , words]) => `; ${words}`).join("");
    return {
      classes: `${tone} s${depth}${isBand(found) ? " band" : ""}${chosen}`, inside: [value, interval],
      said: `${name}, ${pair.after} since ${pair.before}: ${state.show} ${estimate(found, " %")}, ${count(cell.n)} items${signs}`,
    };
  }, data.pairs.length > 1 ? `${rows.length} of ${data.levels[level].names.length}` : `since ${data.pairs[0]?.before ?? ""}`);
  $("none").hidden = rows.length > 0 || level === "all";
}

function bar(low, high, value, scale, tone) {
  const at = (v) => 4 + ((v - scale[0]) / (scale[1] - scale[0])) * 192;
  const drawn = element("svg", { viewBox: "0 0 200 18", class: "dots", "aria-hidden": "true" },
    element("line", { x1: at(0), x2: at(0), y1: 0, y2: 18, class: "zero" }));
  if (low !== null) drawn.append(element("line", { x1: at(low), x2: at(high), y1: 9, y2: 9, class: tone + (value === null ? " wide" : "") }));
  if (value !== null) drawn.append(element("circle", { cx: at(value), cy: 9, r: 4, class: tone + (low > 0 ? "" : " hollow") }));
  return drawn;
}

function splitBar(cell) {
  if (cell.lost === null || !cell.forgetting || cell.forgetting[0] === null || cell.graded) return null;
  const raw = (1000 * cell.lost) / cell.n, gone = cell.unanswered ?? 0, kept = cell.forgetting[0] - gone, luck = raw - cell.forgetting[0];
  const parts = [["loss", "forgotten", kept], ["unanswered", "no longer answered", gone], ["luck", "lucky guesses", luck]];
  const most = Math.max(raw, cell.forgetting[0], 1), drawn = element("div", { class: "split" }), key = element("p", { class: "key" });
  for (const [tone, words, size] of parts) {
    if (size > 0) { const part = element("span", { class: `part ${tone}` }); part.style.width = `${(100 * size) / most}%`; drawn.append(part); }
    key.append(element("span", { class: `dot ${tone}` }), `${words} ${percent(size)}  `);
  }
  return element("figure", {}, element("figcaption", {}, `Raw loss ${percent(raw)} points, of which`), drawn, key);
}

function drawPair() {
  const pair = +state.pair, comparison = data.pairs[pair];
  if (!comparison) return;
  $("pair-name").textContent = `${comparison.after} since ${comparison.before}`;
  $("pair-said").hidden = data.pairs.length < 2;
  $("pair-said").replaceChildren(...comparison.said.map((line) => element("p", {}, line)));
  $("pair-pick").value = state.pair;
  const rows = rowsOf(state.level).map(({ row }) => cellAt(state.level, row, pair)).filter(Boolean);
  const all = data.levels.all.names.map((_, row) => cellAt("all", row, pair)).filter(Boolean);
  const shown = state.level === "all" ? all : [...all, ...rows], cut = $("pair-rows").dataset.all ? shown : shown.slice(0, 60);
  const ends = shown.flatMap((cell) => [cell.forgetting, cell.gain]).filter(Boolean).flatMap((e) => e.filter((v) => v !== null));
  const scale = [Math.min(0, ...ends), Math.max(10, ...ends)];
  $("pair-rows").replaceChildren(...cut.map((cell) => {
    const name = element("button", { type: "button", class: "link" }, cell.name);
    name.addEventListener("click", () => { go({ cell: cell.name, item: "", cause: "" }); $("chosen").focus(); });
    const both = [["loss", cell.forgetting], ["gain", cell.gain]].map(([tone, e]) => element("td", { class: "plot" }, e ? bar(e[1], e[2], e[0], scale, tone) : "",
      element("span", { class: clear(e) ? tone : "quiet" }, estimate(e))));
    return element("tr", {}, element("th", { scope: "row" }, name), element("td", { class: "number" }, count(cell.n)),
      element("td", { class: "number" }, `${percent(cell.before)} → ${percent(cell.after)}`), ...both, element("td", {}, marks(cell)));
  }));
  $("pair-more").hidden = cut.length === shown.length;
  $("pair-more").textContent = `Show ${shown.length - cut.length} more`;
}

function findCell() {
  for (const level of [state.level, "all", "category", "task", "domain"]) {
    const row = data.levels[level]?.names.indexOf(state.cell) ?? -1;
    if (row >= 0) return [cellAt(level, row, +state.pair), level];
  }
  return [null, ""];
}

async function drawCell() {
  const [cell, level] = state.cell ? findCell() : [null, ""], pair = data.pairs[+state.pair];
  $("detail").hidden = !cell;
  if (!cell) return;
  $("chosen").textContent = cell.name;
  $("chosen-where").textContent = `${level === "all" ? "all items" : level}, ${pair.after} since ${pair.before}`;
  const facts = [
    ["Forgetting", estimate(cell.forgetting, " %")], ["Gain", estimate(cell.gain, " %")],
    [cell.graded ? "Mean score" : "Accuracy", `${percent(cell.before)} → ${percent(cell.after)} %`], ["Net change", estimate(cell.net, " points")],
    ["Items", count(cell.n)], ["Lost, gained", `${count(cell.lost)}, ${count(cell.gained)}`],
    ["No longer answered", cell.unanswered === null ? "–" : `${percent(cell.unanswered)} %`], ["Two draws of one checkpoint lose", cell.noise === null ? "not measured" : `${percent(cell.noise)} %`],
    ["Smallest forgetting it can show", cell.detectable === null ? "–" : `${percent(cell.detectable)} %`],
  ];
  $("facts").replaceChildren(...facts.flatMap(([term, said]) => [element("dt", {}, term), element("dd", {}, said)]));
  $("split").replaceChildren(...[splitBar(cell)].filter(Boolean));
  await drawItems(cell.name, level, +state.pair);
}

/* ---- items */
async function drawItems(name, level, pair) {
  const key = JSON.stringify([name, level, pair, state.cause, state.kind, state.search]);
  const { items, total, causes, why, more } = await source.items(pair, level, name);
  if (key !== JSON.stringify([state.cell, level, +state.pair, state.cause, state.kind, state.search])) return;
  $("cause").replaceChildren(element("option", { value: "" }, "every cause"), ...causes.map((cause) => element("option", { value: cause }, cause.replaceAll("_", " "))));
  $("cause").value = state.cause;
  $("items-said").textContent = why || (items.length === total ? `${count(total)} ${state.kind === "all" ? "changed" : state.kind} items` : `${count(items.length)} of ${count(total)} items`);
  $("items-tools").hidden = !causes.length && !source.live;
  const opened = state.item ? items.findIndex((item) => item.id === state.item) : -1, most = Math.max(20, opened + 1);
  $("items").replaceChildren(...items.slice(0, most).map(drawItem));
  addMore(items.slice(most), more);
  if (opened >= 0) { const one = $("items").children[opened]; one.open = true; one.scrollIntoView({ block: "nearest" }); }
}

/* A button for the items that are not shown yet: those at hand, then those to be asked for. */
function addMore(rest, more) {
  if (!rest.length && !more) return;
  const button = element("button", { type: "button" }, rest.length ? `Show ${rest.length} more` : "Show more");
  button.addEventListener("click", async () => {
    const next = rest.length ? { items: rest, more } : await more();
    button.remove();
    $("items").append(...next.items.map(drawItem));
    addMore([], next.more);
  });
  $("items").append(button);
}

function drawItem(item) {
  const body = element("div", { class: "item" });
  const about = [item.task, item.domain !== item.task ? item.domain : null, item.native ? `no. ${item.native}` : null, item.cause.replaceAll("_", " ")];
  const head = element("summary", {}, element("span", { class: "asked" }, (item.question || item.id).slice(0, 160)), element("span", { class: "about" }, about.filter(Boolean).join(" · ")));
  const whole = element("details", { id: `item-${item.id}` }, head, body);
  let asked = false;
  whole.addEventListener("toggle", async () => {
    if (!whole.open || body.childElementCount || asked) return;
    asked = true;
    item = await source.item(item);
    body.append(element("p", { class: "question", tabindex: 0 }, item.question ?? "The log has no text of the question."));
    if (item.choices) body.append(element("ol", { class: "options" }, ...item.choices.map((text) => {
      const signs = [item.golds.includes(text) ? "right" : "", item.before.choice === text ? "before" : "", item.after.choice === text ? "after" : ""].filter(Boolean);
      return element("li", { class: signs.join(" ") }, text, ...signs.map((sign) => element("span", { class: `tag ${sign}` }, sign)));
    })));
    else if (item.golds.length) body.append(element("p", {}, "Right: ", element("b", {}, item.golds.join(" or "))));
    const [left, right] = difference(item.before.response ?? "", item.after.response ?? "");
    body.append(element("div", { class: "both" }, answer("before", item.before, left), answer("after", item.after, right)));
    for (const side of ["before", "after"]) if (item[side].all?.length > 1) body.append(element("details", { class: "plain" }, element("summary", {}, `All ${item[side].all.length} draws ${side}`),
      element("div", { class: "both" }, ...item[side].all.map((one, n) => answer(`draw ${n + 1}`, one, [one.response])))));
    const link = element("a", { href: "#" }, "Link to this item");
    link.addEventListener("click", (event) => { event.preventDefault(); go({ item: item.id }); });
    body.append(element("p", {}, link));
  });
  return whole;
}

function answer(side, said, words) {
  const how = [said.outcome === "scored" ? (said.right >= 1 ? "right" : said.right > 0 ? `right in ${percent(1000 * said.right)} % of ${said.draws} draws` : "wrong") : said.outcome,
    said.choice !== null ? `chose ${said.choice}` : null, said.found ? `found by ${said.found}` : null].filter(Boolean).join("; ");
  const text = said.response === null ? element("p", { class: "quiet" }, "The log has no text of the answer.") : element("pre", { tabindex: 0 }, ...words);
  return element("section", {}, element("h4", {}, side), element("p", { class: "about" }, how), text);
}

/* Words of two texts, those of one side only marked; long texts are shown without marks. */
function difference(one, other) {
  const a = one.split(/(\s+)/), b = other.split(/(\s+)/);
  if (a.length * b.length > 4e6) return [[one], [other]];
  const wide = b.length + 1, best = new Uint16Array((a.length + 1) * wide);
  for (let i = a.length - 1; i >= 0; i--) for (let j = b.length - 1; j >= 0; j--)
    best[i * wide + j] = a[i] === b[j] ? best[(i + 1) * wide + j + 1] + 1 : Math.max(best[(i + 1) * wide + j], best[i * wide + j + 1]);
  const left = [], right = [], put = (side, text, marked) => {
    const last = side.at(-1);
    if (last && Boolean(last.tagName) === marked) last.tagName ? last.append(text) : (side[side.length - 1] += text);
    else side.push(marked ? element("mark", {}, text) : text);
  };
  let i = 0, j = 0;
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) { put(left, a[i++], false); put(right, b[j++], false); }
    else if (j >= b.length || (i < a.length && best[(i + 1) * wide + j] >= best[i * wide + j + 1])) put(left, a[i++], true);
    else put(right, b[j++], true);
  }
  return [left, right];
}

/* ---- start */
let grid, printing = false;
function show() {
  state = read();
  if (source.stale()) load(); else draw();
}
function draw() {
  for (const id of ["level", "show", "find"]) if ($(id).value !== state[id]) $(id).value = state[id];
  $("clear").checked = Boolean(state.clear);
  drawMap(); drawPair(); drawCell();
}
async function load() {
  const found = await source.map();
  if (!found || found === data) return;
  data = found;
  columns.clear();
  state = read();
  if (!data.pairs[+state.pair]) state.pair = "0";
  $("level").replaceChildren(...Object.keys(data.levels).map((level) => element("option", { value: level }, level === "all" ? "all items" : level)));
  $("pair-pick").replaceChildren(...data.pairs.map((pair, n) => element("option", { value: n }, `${pair.after} since ${pair.before}`)));
  $("pair-picker").hidden = data.pairs.length < 2;
  $("drawn").innerHTML = data.charts; /* made and escaped by the program that made this file */
  $("drawn").parentElement.hidden = !data.charts;
  source.loaded?.();
  draw();
  document.body.dataset.ready = "1";
}
function start() {
  grid = new Grid($("grid"));
  for (const id of ["level", "show"]) $(id).addEventListener("change", () => go({ [id]: $(id).value }));
  $("find").addEventListener("input", () => go({ find: $("find").value }, false));
  $("clear").addEventListener("change", () => go({ clear: $("clear").checked ? "1" : "" }));
  $("cause").addEventListener("change", () => go({ cause: $("cause").value, item: "" }));
  $("pair-pick").addEventListener("change", () => go({ pair: $("pair-pick").value, cell: "", item: "" }));
  $("pair-more").addEventListener("click", () => { $("pair-rows").dataset.all = "1"; drawPair(); });
  $("close").addEventListener("click", () => { go({ cell: "", item: "" }); grid.focus(); });
  addEventListener("popstate", show);
  addEventListener("hashchange", show);
  addEventListener("beforeprint", () => { printing = true; grid.seen = ""; grid.draw(); });
  addEventListener("afterprint", () => { printing = false; grid.seen = ""; grid.draw(); });
  show();
}
