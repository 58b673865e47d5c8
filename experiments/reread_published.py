"""Read the published cells of the post-training forgetting study again, and print the table of `docs/explain/published.md`.

    python experiments/reread_published.py post-forget-paper-tables.csv

The file has the cells of tables 2 to 23 of arXiv 2510.17776v1: experiment, metric, series, category, mean_pct, std_pct, ceiling_pct.
Only Liberal Arts and Science/Tech are read: there every item has the four options that the study's code divides by.
"""

import csv
import sys
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path

from forgetmap.measure.flat import percent
from forgetmap.measure.reread import Ends, Printed, Reread, reread

WORTH = {"Liberal Arts": 3817, "Science/Tech": 3832}
"""T²/Σ(1/n) over their T tasks: 19 subjects of MMLU; 24 subjects and the 198 items of GPQA diamond."""
EXPERIMENTS = {
    "Domain-Continual Pretraining": "domain pretraining",
    "Instruction Tuning": "instruction tuning",
    "Trained from Base": "reasoning from base",
    "Trained from Instruct - Low Data": "reasoning, low data",
    "Trained from Instruct - High Data": "reasoning, high data",
}


def cells(path: Path) -> dict[tuple[str, str, str], Printed]:
    """Four numbers by experiment, pair and category, as shares."""
    found: dict[tuple[str, str, str], dict[str, str]] = defaultdict(dict)
    with path.open(encoding="utf-8") as lines:
        for row in csv.DictReader(lines):
            if row["category"] in WORTH and row["experiment"] in EXPERIMENTS:
                side = found[row["experiment"], row["series"], row["category"]]
                side |= {row["metric"]: row["mean_pct"], f"{row['metric']} ceiling": row["ceiling_pct"]}
    names = ("forgetting", "backward_transfer", "forgetting ceiling", "backward_transfer ceiling")
    return {key: Printed(*(float(side[name]) / 100 for name in names)) for key, side in found.items()}


def allowed(ends: Ends) -> str:
    least, greatest, low, high = map(percent, ends)
    return f"{least} … {greatest} [{low}, {high}]"


def in_order(rows: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    """By pair as the paper prints them, both categories together."""
    every = list(rows)
    pairs = list(dict.fromkeys(series for series, _ in every))
    return sorted(every, key=lambda row: (pairs.index(row[0]), row[1]))


def main(path: str) -> None:
    every = cells(Path(path))
    read = {key: reread(printed, items=WORTH[key[2]]) for key, printed in every.items()}
    for experiment, name in EXPERIMENTS.items():
        print(f"**{name[0].upper()}{name[1:]}**\n")
        print(
            "| pair | category | printed forgetting (ceiling) | printed gain (ceiling) | forgetting allowed | gain allowed |"
        )
        print("|---|---|---|---|---|---|")
        for series, category in in_order(key[1:] for key in every if key[0] == experiment):
            printed, found = every[experiment, series, category], read[experiment, series, category]
            f, g, before, after = map(percent, printed)
            bands = f"{allowed(found.forgetting)} | {allowed(found.gain)}"
            print(f"| {series} | {category} | {f} ({before}) | {g} ({after}) | {bands} |")
        print()
    for experiment, name in EXPERIMENTS.items():
        rows: list[Reread] = [found for key, found in read.items() if key[0] == experiment]
        lost, gained = (sum(getattr(row, side).low > 0 for row in rows) for side in ("forgetting", "gain"))
        print(f"{name}: {len(rows)} cells, forgetting shown in {lost}, gain in {gained}")
    rest = [f"{key[1]}, {key[2]}" for key, found in read.items() if found.forgetting.low <= 0]
    print("forgetting not shown:", "; ".join(rest))
    print("largest clipping that shows:", max(abs(found.raw.clipped) for found in read.values()))


if __name__ == "__main__":
    main(*sys.argv[1:])
