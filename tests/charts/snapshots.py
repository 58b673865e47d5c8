"""Every chart of one made-up map, as JSON.

Write them anew with `python -m tests.charts.snapshots` after a change of a chart that you mean, and look at what it draws.
"""

import json
from pathlib import Path

from forgetmap.charts import CHARTS
from forgetmap.charts.spec import Spec
from forgetmap.tables import load
from tests.cli.maps import a_map

FOLDER = Path(__file__).parents[1] / "golden" / "charts"


def drawn(name: str) -> str:
    """One chart, a mark a line."""
    spec: Spec = load(CHARTS, name, group="charts")(a_map(after=("sft", "rl")), level="domain")
    head = spec._replace(marks=())._asdict()
    marks = [json.dumps([type(mark).__name__, *mark], ensure_ascii=False) for mark in spec.marks]
    return json.dumps(head, ensure_ascii=False) + "\n" + "\n".join(marks) + "\n"


if __name__ == "__main__":
    FOLDER.mkdir(parents=True, exist_ok=True)
    for row in CHARTS:
        (FOLDER / f"{row}.jsonl").write_text(drawn(row), encoding="utf-8")
