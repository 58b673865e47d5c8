"""What a user is likely to give that cannot be used, or not as it is: the one sentence each of them gets, and that nothing is lost."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Ran, Run
from tests.cli.logs import quiz, table


def refused(ran: Ran, *words: str) -> None:
    """One sentence on standard error, nothing on standard output, exit code 2."""
    assert ran.code == 2 and ran.out == ""
    assert "Traceback" not in ran.err and 0 < len(ran.err.strip()) < 500
    for word in words:
        assert word in ran.err.replace("\n", " "), ran.err


def found(ran: Ran) -> dict[str, Any]:
    assert ran.code == 0, ran.err
    told: dict[str, Any] = json.loads(ran.out)
    return told


def test_a_wrong_folder_is_told_what_was_looked_for(run: Run, tmp_path: Path) -> None:
    (tmp_path / "weights").mkdir()
    (tmp_path / "weights" / "model.safetensors").write_bytes(b"\0" * 100)

    refused(run("compare", tmp_path / "weights", quiz(tmp_path, "after")), "weights")
    refused(run("compare", tmp_path / "nowhere", quiz(tmp_path, "after")), "nowhere")


def test_results_without_samples_are_told_of_log_samples(run: Run, tmp_path: Path) -> None:
    log = tmp_path / "log" / "model"
    log.mkdir(parents=True)
    (log / "results_2026-01-02T03-04-05.000006.json").write_text(
        json.dumps({"results": {"gsm8k": {"exact_match,none": 0.5}}, "n-shot": {"gsm8k": 5}})
    )

    refused(run("compare", tmp_path / "log", quiz(tmp_path, "after")), "--log_samples")


def test_no_common_items_names_both_sides(run: Run, tmp_path: Path) -> None:
    other = quiz(tmp_path, "other")
    other.write_text(other.read_text().replace("quiz_", "exam_"))

    refused(run("compare", quiz(tmp_path, "before"), other), "no task is in both runs", "quiz_0", "exam_0", "aliases")


def test_another_languages_items_do_not_pair_and_their_text_survives(run: Run, tmp_path: Path) -> None:
    def quiz_in(name: str, question: str) -> Path:
        rows = [
            {"task": "t", "question": f"{question} {n}", "k": 4, "gold": "A", "choice": "BA"[n % 2]} for n in range(6)
        ]
        return table(tmp_path / f"{name}.csv", rows)

    chinese, again = quiz_in("chinese", "法国的首都是什么？"), quiz_in("again", "法国的首都是什么？")

    refused(run("compare", quiz_in("english", "What is the capital of France?"), chinese), "no item is in both runs")
    assert found(run("compare", chinese, again, "--json"))["cells"][0]["n"] == 6


def test_an_empty_run_is_named(run: Run, tmp_path: Path) -> None:
    before = quiz(tmp_path, "before")
    bare, header = tmp_path / "bare.csv", tmp_path / "header.csv"
    bare.write_text("")
    header.write_text(before.read_text().splitlines()[0] + "\n")

    refused(run("compare", before, bare), "bare.csv")
    refused(run("compare", before, header), "header")


def test_two_runs_where_one_is_wanted_are_listed_with_how_to_name_one(run: Run, tmp_path: Path) -> None:
    rows = [{"run": name, "item_id": n, "correct": 1, "k": 4} for name in ("base", "tuned") for n in range(5)]
    both = table(tmp_path / "both.csv", rows)

    refused(run("compare", both, quiz(tmp_path, "after")), "base", "tuned", "::")
    assert found(run("compare", f"{both}::base", f"{both}::tuned", "--json"))["cells"][0]["n"] == 5


def test_without_k_the_raw_loss_is_shown_and_the_way_to_mend_it(run: Run, tmp_path: Path) -> None:
    rows = [{"item_id": n, "correct": n % 2} for n in range(30)]
    log = table(tmp_path / "log.csv", rows)

    cell = found(run("compare", log, log, "--json"))["cells"][0]
    mended = found(run("compare", log, log, "--json", "--k", "items=4"))["cells"][0]

    assert cell["forgetting"] is None and cell["dropped"] == {"chance_unknown": 30} and cell["n11"] == 15
    assert "--k" in run("compare", log, log).out
    assert mended["dropped"] == {} and mended["forgetting"]["n"] == 30


def test_duplicate_rows_are_counted_and_the_first_is_kept(run: Run, tmp_path: Path) -> None:
    before = quiz(tmp_path, "before")
    lines = before.read_text().splitlines()
    before.write_text("\n".join([*lines, *lines[1:4]]) + "\n")

    told = found(run("compare", before, quiz(tmp_path, "after"), "--json"))

    assert told["comparisons"][0]["duplicate"] == 3 and told["cells"][0]["n"] == 40
    assert "3 rows" in run("compare", before, quiz(tmp_path, "after")).out


def test_nan_scores_are_failures_not_zeros(run: Run, tmp_path: Path) -> None:
    rows = [{"item_id": n, "correct": "nan" if n < 4 else 1, "k": 4} for n in range(40)]
    after = table(tmp_path / "after.csv", rows)
    before = table(tmp_path / "before.csv", [row | {"correct": 1} for row in rows])

    cell = found(run("compare", before, after, "--json"))["cells"][0]

    assert (cell["n"], cell["n10"], cell["dropped"]["failed"]) == (36, 0, 4)


def test_zero_or_one_against_graded_scores_is_said(run: Run, tmp_path: Path) -> None:
    rows = [{"item_id": n, "correct": 1} for n in range(40)]
    before = table(tmp_path / "before.csv", rows)
    after = table(tmp_path / "after.csv", [row | {"correct": 0.25} for row in rows])

    told = found(run("compare", before, after, "--json"))

    assert told["cells"][0]["metric"] == "graded" and told["cells"][0]["forgetting"]["value"] == 0.75
    assert any("graded after" in line for line in told["comparisons"][0]["differs"])


def test_windows_line_ends_and_a_byte_order_mark_change_nothing(run: Run, tmp_path: Path) -> None:
    plain, windows = quiz(tmp_path, "plain", forget=[3]), tmp_path / "windows.csv"
    windows.write_bytes(b"\xef\xbb\xbf" + plain.read_bytes().replace(b"\r\n", b"\n").replace(b"\n", b"\r\n"))

    cell = found(run("compare", plain, windows, "--json"))["cells"][0]

    assert (cell["n"], cell["n11"], cell["n00"]) == (40, 39, 1)


def test_a_log_cut_in_the_middle_is_read_as_far_as_it_is_whole(run: Run, tmp_path: Path) -> None:
    before, cut = quiz(tmp_path, "before"), quiz(tmp_path, "cut")
    cut.write_bytes(cut.read_bytes()[:-30])

    told = found(run("compare", before, cut, "--json", "--allow-unpaired"))

    assert told["comparisons"][0]["problems"] == 1 and told["cells"][0]["n"] == 39
    refused(run("compare", before, cut), "--allow-unpaired")


@pytest.mark.parametrize("inside", [b"\x89PNG\r\n\x1a\n" + bytes(range(256)), b"", b"just a letter to a friend"])
def test_gzip_of_the_wrong_thing_is_named(run: Run, tmp_path: Path, inside: bytes) -> None:
    wrong = tmp_path / "wrong.jsonl.gz"
    wrong.write_bytes(gzip.compress(inside))

    refused(run("compare", wrong, quiz(tmp_path, "after")), "wrong.jsonl.gz")


def test_what_is_called_gzip_and_is_not_is_named(run: Run, tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.csv.gz"
    wrong.write_bytes(quiz(tmp_path, "plain").read_bytes())

    ran = run("compare", wrong, quiz(tmp_path, "after"), "--json")

    assert ran.code == 0 or "wrong.csv.gz" in ran.err
