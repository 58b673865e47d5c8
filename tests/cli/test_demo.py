"""`forgetmap demo`: the whole way."""

import json
from pathlib import Path

from tests.cli.conftest import Run


def test_the_demo_goes_the_whole_way_and_what_it_says_to_type_works(run: Run, tmp_path: Path) -> None:
    ran = run("demo", "--study", tmp_path / "demo")

    assert (ran.code, ran.err) == (0, "")
    assert "1. A real pair" in ran.out
    assert "12,032 items in 1 task" in ran.out
    assert "2. A simulated pair, with texts" in ran.out
    assert ran.out.count("✓") == 3
    typed = [line.strip().split()[1:] for line in ran.out.splitlines() if line.startswith("  forgetmap ")]
    assert [run(*words).code for words in typed[:2]] == [0, 0]


def test_the_demo_for_programs_holds_both_maps_and_the_truth(run: Run, tmp_path: Path) -> None:
    page = json.loads(run("demo", "--study", tmp_path / "demo", "--json").out)

    assert set(page) == {"schema", "study", "real", "simulated", "truth", "lost"}
    found = page["simulated"]["cells"][0]["forgetting"]
    assert found["low"] <= page["truth"]["forgetting"] <= found["high"]
    assert len(page["lost"]) == 3
