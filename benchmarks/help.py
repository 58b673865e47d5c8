"""How long `forgetmap --help` takes, over an empty typer app with as many verbs.

Both are modules with compiled bytecode, run by one interpreter in turns, so that a busy machine slows both sides; the
ratio is one of medians. The house wants at most 1.5.
"""

import argparse
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

OURS = "from forgetmap.cli import main; main()"
EMPTY = "from empty import app; app()"
COUNT = "from typer.main import get_command; from forgetmap.cli import app; print(len(get_command(app).commands))"


def empty_app(verbs: int) -> str:
    """Source of an app whose verbs do nothing."""
    head = 'import typer\n\napp = typer.Typer(help="Nothing at all.")\n'
    each = '\n\n@app.command()\ndef verb{n}() -> None:\n    """Do nothing, for the {n}th time."""\n'
    return head + "".join(each.format(n=n) for n in range(verbs))


def seconds(code: str, folder: str) -> float:
    """Wall time of one fresh interpreter that prints a help page."""
    start = time.perf_counter()
    subprocess.run([sys.executable, "-c", code, "--help"], cwd=folder, stdout=subprocess.DEVNULL, check=True)
    return time.perf_counter() - start


def measured(rounds: int, verbs: int) -> tuple[float, float]:
    """Median seconds of ours and of the empty app, measured in turns after one round that warms the caches."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "empty.py").write_text(empty_app(verbs), encoding="utf-8")
        times = [(seconds(OURS, folder), seconds(EMPTY, folder)) for _ in range(rounds + 1)][1:]
    return median(ours for ours, _ in times), median(empty for _, empty in times)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="5 rounds instead of 31")
    rounds = 5 if parser.parse_args().quick else 31
    counted = subprocess.run([sys.executable, "-c", COUNT], capture_output=True, check=True, text=True)
    verbs = int(counted.stdout)
    ours, empty = measured(rounds, verbs)
    print(
        f"forgetmap --help {ours * 1000:.0f} ms; an empty app with {verbs} verbs {empty * 1000:.0f} ms; {rounds} rounds"
    )
    print(json.dumps({"benchmark": "help", "ratios": {"help_over_empty": round(ours / empty, 3)}}))


if __name__ == "__main__":
    main()
