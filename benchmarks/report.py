"""The report of a map of 30 comparisons and 100 domains against the same map by Plotly: what they weigh, and how soon they can be read.

    python benchmarks/report.py [--quick]

Makes one BEFORE and 30 AFTERs over 20,000 items in 100 domains, and of their map

- ours: the report without items, every number with its interval,
- plotly: a heat map with the same intervals in its hover texts, as one file with its library in it,

and opens both from disk in Debian's Chromium without a network, in turns. Ready is ours when the map is drawn and takes keys, Plotly's when
its heat map is in the page.

Last line: {"benchmark": "report", "ratios": {size_vs_plotly, ready_vs_plotly, bytes}}.
"""

import argparse
import json
import shutil
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
from _engine_data import RUNS, answers, columns, sides, world

from forgetmap import Map
from forgetmap.measure.columns import Folded
from forgetmap.measure.compare import Asked, mapped
from forgetmap.measure.pair import pair
from forgetmap.measure.reading import Joined, reading
from forgetmap.records.schema import RunInfo
from forgetmap.report.page import page
from forgetmap.taxonomy.place import read_taxonomy

AFTERS, ITEMS = 30, 20_000
FLAGS = ("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking")
READY = {"ours": "body[data-ready]", "plotly": ".plotly .heatmaplayer image, .plotly .heatmaplayer .hm"}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="five openings instead of fifteen")
    quick = parser.parse_args().quick
    with tempfile.TemporaryDirectory() as folder:
        files = write(Path(folder), made_map())
        seconds = opened(files, repetitions=5 if quick else 15)
        sizes = {name: path.stat().st_size for name, path in files.items()}
    for name in files:
        print(f"{name:8}{sizes[name]:12,} bytes{1000 * seconds[name]:10.0f} ms until it can be read")
    ratios = {
        "size_vs_plotly": round(sizes["plotly"] / sizes["ours"], 1),
        "ready_vs_plotly": round(seconds["plotly"] / seconds["ours"], 2),
        "bytes": sizes["ours"],
    }
    print(json.dumps({"benchmark": "report", "ratios": ratios}))


def made_map() -> Map:
    """The map of one BEFORE and 30 AFTERs that were asked the same items."""
    items = world(ITEMS * RUNS)._replace(task=np.zeros(ITEMS, np.int64))
    own = sides(items, [f"{number:020x}" for number in range(items.size)])
    runs = []
    for number, told in enumerate(answers(items)):
        if number == 0 or number % 2:
            name = "base" if number == 0 else f"recipe-{number // 2:02}"
            runs.append(Folded(RunInfo(run_id=name, checkpoint=name), columns(items, own, told), [], 0, []))
    before, *afters = runs
    joined = Joined([pair(before, after) for after in afters[:AFTERS]], None, {})
    return mapped(joined, reading(), read_taxonomy(), Asked(0.95))


def write(folder: Path, found: Map) -> dict[str, Path]:
    """Both pages."""
    ours, plotly = folder / "ours.html", folder / "plotly.html"
    ours.write_text(page(found), encoding="utf-8")
    drawn(found).write_html(plotly, include_plotlyjs=True)
    return {"ours": ours, "plotly": plotly}


def drawn(found: Map) -> Any:
    """The map as Plotly draws it."""
    import plotly.graph_objects as go

    rows = list(dict.fromkeys(cell.name for cell in found.select(level="domain")))
    names = [pair.after for pair in found.comparisons]
    cells = {(cell.name, cell.after): cell for cell in found.select(level="domain")}
    shown = [[cells[row, name].forgetting for name in names] for row in rows]
    values = [[None if one is None or one.value is None else 100 * one.value for one in row] for row in shown]
    texts = [
        [
            ""
            if one is None or one.low is None or one.high is None
            else f"[{100 * one.low:.1f}, {100 * one.high:.1f}] of {one.n}"
            for one in row
        ]
        for row in shown
    ]
    return go.Figure(
        go.Heatmap(
            z=values, x=names, y=rows, text=texts, texttemplate="%{z:.1f}", hovertemplate="%{y} %{x}: %{z:.1f} %{text}"
        )
    )


def opened(files: dict[str, Path], *, repetitions: int) -> dict[str, float]:
    """The middle of the seconds from asking for a file to its being ready."""
    from playwright.sync_api import sync_playwright

    taken: dict[str, list[float]] = {name: [] for name in files}
    with sync_playwright() as started:
        browser = started.chromium.launch(executable_path=shutil.which("chromium"), args=list(FLAGS))
        for _ in range(repetitions):
            for name, path in files.items():
                context = browser.new_context(offline=True, viewport={"width": 1280, "height": 900})
                shown = context.new_page()
                shown.goto(path.as_uri(), wait_until="commit")
                shown.wait_for_selector(READY[name], state="attached", timeout=60_000)
                taken[name].append(shown.evaluate("performance.now()") / 1000)
                context.close()
        browser.close()
    return {name: sorted(times)[len(times) // 2] for name, times in taken.items()}


if __name__ == "__main__":
    main()
