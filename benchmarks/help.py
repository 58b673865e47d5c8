"""How long `forgetmap --help` takes, over an empty typer app with as many verbs.

All are modules with compiled bytecode, run by one interpreter in turns, so that a busy machine slows every side; the ratios are of
medians. `help_over_empty` has typer's own pages on the other side (the house wants at most 1.5), `help_over_plain` pages without
rich, as ours are: what is above 1 there is the weight of our own modules.
"""

import argparse
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

OURS = "from forgetmap.cli import main; main()"
EMPTY = "from empty import app; app()"
PLAIN = "from plain import app; app()"
COUNT = "from typer.main import get_command; from forgetmap.cli import app; print(len(get_command(app).commands))"


def empty_app(verbs: int, settings: str = "") -> str:
    """Source of an app whose verbs do nothing."""
    head = f'import typer\n\napp = typer.Typer(help="Nothing at all."{settings})\n'
    each = '\n\n@app.command()\ndef verb{n}() -> None:\n    """Do nothing, for the {n}th time."""\n'
    return head + "".join(each.format(n=n) for n in range(verbs))


def seconds(code: str, folder: str) -> float:
    """Wall time of one fresh interpreter that prints a help page."""
    start = time.perf_counter()
    subprocess.run([sys.executable, "-c", code, "--help"], cwd=folder, stdout=subprocess.DEVNULL, check=True)
    return time.perf_counter() - start


def median(times: tuple[float, ...]) -> float:
    """The middle of an odd number of times; the standard library's is out of reach beside a benchmark called statistics."""
    return sorted(times)[len(times) // 2]


def measured(rounds: int, verbs: int) -> list[float]:
    """Median seconds of ours, the empty app and the plain one, in turns, after one round that warms the caches."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "empty.py").write_text(empty_app(verbs), encoding="utf-8")
        (Path(folder) / "plain.py").write_text(empty_app(verbs, ", rich_markup_mode=None"), encoding="utf-8")
        times = [[seconds(code, folder) for code in (OURS, EMPTY, PLAIN)] for _ in range(rounds + 1)][1:]
    return [median(side) for side in zip(*times, strict=True)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="5 rounds instead of 31")
    rounds = 5 if parser.parse_args().quick else 31
    counted = subprocess.run([sys.executable, "-c", COUNT], capture_output=True, check=True, text=True)
    verbs = int(counted.stdout)
    ours, empty, plain = measured(rounds, verbs)
    print(
        f"{verbs} verbs, {rounds} rounds: forgetmap {1e3 * ours:.0f} ms, empty {1e3 * empty:.0f} ms, plain {1e3 * plain:.0f} ms"
    )
    ratios = {"help_over_empty": round(ours / empty, 3), "help_over_plain": round(ours / plain, 3)}
    print(json.dumps({"benchmark": "help", "ratios": ratios}))


if __name__ == "__main__":
    main()
