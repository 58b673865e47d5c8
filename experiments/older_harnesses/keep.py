"""Keep what the harnesses wrote as golden files, without what describes the machine and the hours.

python experiments/older_harnesses/keep.py WORK tests/golden
"""

import json
import shutil
import sys
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

OF_THE_MACHINE = {"pretty_env_info", "upper_git_hash", "git_hash", "start_time", "end_time", "job_id"}
OF_THE_HOUR = {"total_evaluation_time_seconds", "total_evaluation_time_secondes"}
OF_ALL_TASKS = {"groups", "all", "summary_general"}
LEFT_OUT = OF_THE_MACHINE | OF_THE_HOUR | OF_ALL_TASKS


def without(content: Any) -> Any:
    if not isinstance(content, dict):
        return content
    return {name: without(value) for name, value in content.items() if name not in LEFT_OUT}


def keep_results(path: Path, kept: Path) -> None:
    content = json.loads(path.read_text(encoding="utf-8"))
    kept.write_text(json.dumps(without(content), ensure_ascii=False, separators=(",", ":")) + "\n", encoding="utf-8")


def keep_lm_eval(written: Path, kept: Path) -> None:
    kept.mkdir(parents=True, exist_ok=True)
    for path in written.iterdir():
        if path.name.startswith("results"):
            keep_results(path, kept / path.name)
        else:
            shutil.copy(path, kept)


def keep_lighteval(written: Path, side: str, kept: Path) -> None:
    kept.mkdir(parents=True, exist_ok=True)
    for path in (written / "details" / side).rglob("*.parquet"):
        table = pq.read_table(path).replace_schema_metadata(None)
        plain = kept / f"{path.name.split('|')[1]}.parquet"
        options = {"compression": "zstd", "compression_level": 19, "use_dictionary": False}
        pq.write_table(table, plain, write_statistics=False, store_schema=False, **options)
    (results,) = (written / "results" / side).glob("*.json")
    keep_results(results, kept / "results.json")


def main(work: Path, golden: Path) -> None:
    keep_lm_eval(work / "out" / "0.4.2", golden / "lm_eval_older" / "before")
    keep_lm_eval(work / "out" / "0.4.5" / "tiny-after", golden / "lm_eval_older" / "after")
    for side in ("before", "after"):
        keep_lighteval(work / "lighteval", f"tiny-{side}", golden / "lighteval_flat" / side)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
