"""Two lm-eval logs of MMLU's size to a printed map, against the least that any reader of them must do.

    python benchmarks/reading.py [--quick]

Makes both logs (14,042 items in 57 tasks, four requests an item that each repeat a 5-shot prompt, about 157 MB a log), then runs, each
in a fresh interpreter and interleaved:

- ours: `forgetmap compare before after`, start of the program included,
- json: `json.loads` over every line of both logs, nothing else,
- pandas: `read_json(lines=True)`, a merge on the items' hash and a count of transitions, nothing else.

Last line: {"benchmark": "reading", "ratios": {map_over_json, map_over_pandas, memory_over_largest_line, disk}}.
"""

import argparse
import hashlib
import json
import random
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ITEMS, TASKS, SHOTS = 14_042, 57, 5
QUESTION, SHOT = 62, 52
"""Words of a question and of a few-shot example: 2.7 kB a prompt."""

JSON = """
import json, pathlib, sys
for folder in sys.argv[1:]:
    for path in sorted(pathlib.Path(folder).rglob("samples_*.jsonl")):
        with open(path, "rb") as lines:
            for line in lines:
                json.loads(line)
"""
PANDAS = """
import pathlib, sys
import pandas
def log(folder):
    files = sorted(pathlib.Path(folder).rglob("samples_*.jsonl"))
    return pandas.concat([pandas.read_json(path, lines=True).assign(task=path.name.rsplit("_", 1)[0]) for path in files])
before, after = map(log, sys.argv[1:])
both = before.merge(after, on=["task", "doc_hash", "doc_id"], suffixes=("_before", "_after"))
print(both.groupby(["acc_before", "acc_after"]).size())
"""
OURS = """
import resource, sys
from forgetmap.cli import main
sys.argv = ["forgetmap", "compare", *sys.argv[1:]]
try:
    main()
finally:
    peaks = [resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    print("PEAK", max(peaks), file=sys.stderr)
"""
START = """
import resource, sys
from forgetmap.measure import compare
import forgetmap.cli.compare
print("PEAK", resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, file=sys.stderr)
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="three repetitions instead of seven")
    quick = parser.parse_args().quick
    with tempfile.TemporaryDirectory() as folder:
        logs = [make_log(Path(folder) / name, seed) for seed, name in enumerate(("before", "after"))]
        report(logs, Path(folder) / "study", repetitions=3 if quick else 7)


def report(logs: list[Path], study: Path, *, repetitions: int) -> None:
    """Run everything, print a table and the ratios."""
    size = sum(path.stat().st_size for log in logs for path in log.rglob("*"))
    longest = max(len(line) for log in logs for path in log.rglob("*.jsonl") for line in path.open("rb"))
    print(f"two logs, {size / 2e6:.0f} MB each, longest line {longest / 1e3:.1f} kB")
    seconds: dict[str, list[float]] = {"ours": [], "json": [], "pandas": []}
    peaks = []
    for _ in range(repetitions):
        for name, program in (("ours", OURS), ("json", JSON), ("pandas", PANDAS)):
            taken, errors = run(program, *map(str, logs))
            seconds[name].append(taken)
            if name == "ours":
                peaks.append(peak(errors))
    medians = {name: median(times) for name, times in seconds.items()}
    grown = median(peaks) - peak(run(START)[1])
    run("import sys; from forgetmap.cli import main; main()", "read", *map(str, logs), "--study", str(study))
    stored = sum(path.stat().st_size for path in study.rglob("*") if path.is_file())
    for name, middle in medians.items():
        print(f"{name:8}{middle:8.2f} s")
    print(f"memory beyond the program's own: {grown / 1e6:.0f} MB; study on disk: {stored / 1e6:.1f} MB")
    ratios = {
        "map_over_json": round(medians["ours"] / medians["json"], 3),
        "map_over_pandas": round(medians["ours"] / medians["pandas"], 3),
        "memory_over_largest_line": round(grown / longest, 1),
        "disk": round(size / stored, 2),
    }
    print(json.dumps({"benchmark": "reading", "ratios": ratios}))


def median(values: list[Any]) -> Any:
    """The middle one (the standard library's module of that name is hidden by the benchmark beside this one)."""
    return sorted(values)[len(values) // 2]


def run(program: str, *arguments: str) -> tuple[float, str]:
    """Seconds and standard error of a program in a fresh interpreter."""
    timed = "import time; _start = time.perf_counter()\n"
    done = "\nimport time as _t, sys as _s; print('SECONDS', _t.perf_counter() - _start, file=_s.stderr)"
    wrapped = f"{timed}try:\n" + "".join(f"    {line}\n" for line in program.splitlines()) + "finally:\n    pass" + done
    if "main()" in program:
        wrapped = wrapped.replace(
            "finally:\n    pass", "except SystemExit as stop:\n    assert not stop.code, stop.code", 1
        )
    ended = subprocess.run([sys.executable, "-c", wrapped, *arguments], capture_output=True, text=True, check=False)
    if ended.returncode:
        raise SystemExit(f"a program of the benchmark failed:\n{ended.stderr}")
    return float(ended.stderr.rsplit("SECONDS", 1)[1]), ended.stderr


def peak(errors: str) -> int:
    """Greatest memory in bytes, as a program told it."""
    return int(errors.rsplit("PEAK", 1)[1].split()[0]) * 1024


def make_log(folder: Path, seed: int) -> Path:
    """One log of a 5-shot letter task in the layout of lm-evaluation-harness 0.4.13."""
    model = folder / f"model-{seed}"
    model.mkdir(parents=True)
    time = "2026-01-02T03-04-05.000006"
    for task in range(TASKS):
        with (model / f"samples_made_up_{task:02}_{time}.jsonl").open("w") as lines:
            lines.writelines(json.dumps(line) + "\n" for line in samples(task, seed))
    names = [f"made_up_{task:02}" for task in range(TASKS)]
    results = {
        "results": {name: {"alias": name} for name in names},
        "configs": {name: {"task": name, "output_type": "multiple_choice"} for name in names},
        "n-shot": dict.fromkeys(names, SHOTS),
        "config": {"model": "hf", "model_args": {"pretrained": model.name, "dtype": "bfloat16"}},
        "date": 1767322805.0,
    }
    (model / f"results_{time}.json").write_text(json.dumps(results))
    return folder


def samples(task: int, seed: int) -> Iterator[dict[str, Any]]:
    """The lines of one task; items are the same whatever the seed, answers are not."""
    items, answers = random.Random(task), random.Random(f"{task} {seed}")
    shots = "\n\n".join(
        f"{words(items, SHOT)}\nA. {words(items, 3)}\nB. {words(items, 3)}\nAnswer: A" for _ in range(SHOTS)
    )
    for place in range(ITEMS // TASKS + (task < ITEMS % TASKS)):
        question, choices = words(items, QUESTION), [words(items, 5) for _ in range(4)]
        doc = {"question": question, "subject": f"made_up_{task:02}", "choices": choices, "answer": items.randrange(4)}
        options = "\n".join(f"{letter}. {choice}" for letter, choice in zip("ABCD", choices, strict=True))
        prompt = f"{shots}\n\n{question}\n{options}\nAnswer:"
        likelihoods = [
            -abs(answers.gauss(2, 1)) - (answers.random() < 0.6) * (letter != doc["answer"]) for letter in range(4)
        ]
        told = [[str(value), str(value == max(likelihoods))] for value in likelihoods]
        yield {
            "doc_id": place,
            "doc": doc,
            "target": str(doc["answer"]),
            "arguments": {f"gen_args_{n}": {"arg_0": prompt, "arg_1": f" {letter}"} for n, letter in enumerate("ABCD")},
            "resps": [[one] for one in told],
            "filtered_resps": told,
            "filter": "none",
            "metrics": ["acc"],
            "doc_hash": hashlib.sha256(question.encode()).hexdigest(),
            "prompt_hash": hashlib.sha256(prompt.encode()).hexdigest(),
            "target_hash": hashlib.sha256(str(doc["answer"]).encode()).hexdigest(),
            "acc": float(likelihoods.index(max(likelihoods)) == doc["answer"]),
        }


def words(rng: random.Random, number: int) -> str:
    """So many words out of 2,000 made-up ones."""
    return " ".join(VOCABULARY[int(2000 * rng.random() ** 2)] for _ in range(number)).capitalize()


def _vocabulary() -> list[str]:
    rng = random.Random(0)
    syllables = ["ba", "ti", "lo", "ren", "sa", "mu", "ke", "vor", "ni", "dal", "es", "o"]
    return ["".join(rng.choices(syllables, k=rng.randint(1, 4))) for _ in range(2000)]


VOCABULARY = _vocabulary()

if __name__ == "__main__":
    main()
