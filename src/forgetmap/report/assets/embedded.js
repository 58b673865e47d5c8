/* ---- embedded data */
const unpacked = new Map();
async function unpack(id) {
  if (!unpacked.has(id)) unpacked.set(id, (async () => {
    const bytes = Uint8Array.from(atob($(id).textContent.trim()), (sign) => sign.charCodeAt(0));
    return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).json();
  })());
  return unpacked.get(id);
}
const source = {
  map: () => unpack("data"),
  stale: () => !data,
  item: (item) => item,
  async items(pair, level, name) {
    const about = data.pairs[pair].items;
    if (!about) return { items: [], total: 0, causes: [], why: "No items lie in this file." };
    const every = about.chunk ? await unpack(about.chunk) : [];
    const within = (item) => level === "all" || item[level] === name || (level === "domain" && `${item.task} · ${item.domain}` === name);
    const items = every.filter(within), cut = about.total - every.length;
    const why = cut > 0 ? `${count(items.length)} lost items lie in this file; ${count(cut)} of this comparison were left out to keep it small.` : "";
    const causes = [...new Set(items.map((item) => item.cause))].sort(), shown = items.filter((item) => !state.cause || item.cause === state.cause);
    return { items: shown, total: items.length, causes, why };
  },
};
start();
