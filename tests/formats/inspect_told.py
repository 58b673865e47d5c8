"""Logs of Inspect as it writes them: a zip with a member for each sample, or one JSON object."""

import json
import struct
import zlib
from pathlib import Path
from typing import Any

import pyarrow as pa

Entry = dict[str, Any]
STORED, DEFLATED, ZSTANDARD = 0, 8, 93
FRAMES = -93
"""Zstandard, in several frames."""


def header(task: str = "quiz", model: str = "org/some-model", **more: Any) -> Entry:
    said = {
        "run_id": "r1",
        "created": more.pop("created", "2026-01-02T03:04:05+00:00"),
        "task": task,
        "task_args": more.pop("task_args", {}),
        "dataset": {"name": "made"},
        "model": model,
        "model_args": more.pop("model_args", {}),
        "model_generate_config": more.pop("generation", {"max_tokens": 24}),
        "config": {"epochs": more.pop("tries", 1)},
        "packages": {"inspect_ai": "0.3.285"},
    }
    steps = more.pop("steps", [{"solver": "multiple_choice", "params": {"multiple_correct": False}}])
    return {"version": 2, "status": "success", "eval": said, "plan": {"name": "plan", "steps": steps}, **more}


def sample(native: Any, value: Any = "C", answer: str | None = "B", number: int = 1, **more: Any) -> Entry:
    """A sample on a question with four options, of which the second is right."""
    stop = more.pop("stop", "stop")
    asked = f"Which word is number {native}?"
    said = more.pop("said", f"ANSWER: {answer}")
    message = {"role": "assistant", "content": said, "source": "generate"}
    score = {"value": value, "answer": answer, "explanation": said, "history": []}
    return {
        "id": native,
        "epoch": number,
        "input": asked,
        "choices": ["this", "that", "those", "these"],
        "target": "B",
        "messages": [{"role": "user", "content": f"Answer with a letter.\n\n{asked}", "source": "input"}, message],
        "output": {
            "choices": [{"message": message, "stop_reason": stop}],
            "completion": said,
            "usage": {"output_tokens": 3},
        },
        "scores": {"choice": score},
        "metadata": {"subject": "words"},
        "attachments": {},
        "total_time": 0.5,
        **more,
    }


def written(folder: Path, entries: list[Any], *, method: int = ZSTANDARD, name: str = "log.eval", **head: Any) -> Path:
    """A log in a folder, as `.eval` or `.json` by its name."""
    folder.mkdir(parents=True, exist_ok=True)
    path, top = folder / name, header(**head)
    if name.endswith(".json"):
        path.write_text(json.dumps({**top, "samples": entries}), encoding="utf-8")
        return path
    members = {f"samples/{_name(entry, place)}.json": entry for place, entry in enumerate(entries)}
    path.write_bytes(zipped({**members, "header.json": top}, method))
    return path


def _name(entry: Any, place: int) -> str:
    if isinstance(entry, dict) and isinstance(entry.get("id"), str | int):
        return (
            f"{entry['id']}_epoch_{entry.get('epoch')}" if isinstance(entry.get("epoch"), int) else f"{place}_epoch_1"
        )
    return f"{place}_epoch_1"


def zipped(members: dict[str, Any], method: int = ZSTANDARD) -> bytes:
    """A zip file; zipfile of Python 3.11 writes no Zstandard."""
    body, directory = b"", b""
    for name, content in members.items():
        raw = content if isinstance(content, bytes) else json.dumps(content).encode()
        packed, called = _packed(raw, method), name.encode()
        fields = (abs(method), 0, 0, zlib.crc32(raw), len(packed), len(raw), len(called), 0)
        directory += struct.pack("<4s6H3I5H2I", b"PK\1\2", 20, 20, 0, *fields[:3], *fields[3:], 0, 0, 0, 0, len(body))
        directory += called
        body += struct.pack("<4s5H3I2H", b"PK\3\4", 20, 0, *fields) + called + packed
    count = len(members)
    return body + directory + struct.pack("<4s4H2IH", b"PK\5\6", 0, 0, count, count, len(directory), len(body), 0)


def _packed(raw: bytes, method: int) -> bytes:
    zstandard = pa.Codec("zstd")
    half = len(raw) // 2
    if method == STORED:
        return raw
    if method == DEFLATED:
        packer = zlib.compressobj(wbits=-zlib.MAX_WBITS)
        return packer.compress(raw) + packer.flush()
    parts = [raw[:half], raw[half:]] if method == FRAMES else [raw]
    return b"".join(zstandard.compress(part, asbytes=True) for part in parts)
