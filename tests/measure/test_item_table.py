"""Items as rows: what the table says adds up to what the map says."""

from pathlib import Path
from typing import Any

import pyarrow.csv as csv
import pyarrow.parquet as parquet
import pytest

from forgetmap import KnowOrGuess, Map, compare
from forgetmap.errors import SettingError
from forgetmap.measure.item_table import item_table, save

LAW = KnowOrGuess(known=0.6, forgotten=0.1, gained=0.1, options=4, repeated_luck=0.5, unanswered_after=0.1)


def sums(rows: list[dict[str, Any]]) -> dict[str, float]:
    return {name: sum(row[name] or 0 for row in rows) for name in ("kept", "lost", "gained", "never")}


def counts(found: Map) -> dict[str, Any]:
    cell = found.cell()
    return {"kept": cell.n11, "lost": cell.n10, "gained": cell.n01, "never": cell.n00}


@pytest.mark.parametrize("draws", [1, 3])
def test_sums_over_items_are_the_counts_of_the_map(draws: int) -> None:
    law = KnowOrGuess(
        known=0.6, forgotten=0.1, gained=0.1, options=4, repeated_luck=0.5, draws=draws, slip=0.1 if draws > 1 else 0.0
    )
    pair = law.runs(items=300, seed=3, texts=False)

    rows = item_table(*pair).to_pylist()
    found = compare(*law.runs(items=300, seed=3, texts=False))

    assert len(rows) == found.cell().n == 300
    assert sums(rows) == pytest.approx(counts(found))
    assert all(row["right_before"] + row["wrong_before"] + row["unanswered_before"] == draws for row in rows)


def test_causes_are_given_to_lost_items_and_to_no_others() -> None:
    rows = item_table(*LAW.runs(items=400, seed=1, texts=False)).to_pylist()

    assert {row["cause"] is not None for row in rows if row["lost"]} == {True}
    assert {row["cause"] for row in rows if not row["lost"]} == {None}


def test_several_afters_stand_below_each_other() -> None:
    before, after = LAW.runs(items=50, seed=1, texts=False)
    _, other = LAW.runs(items=50, seed=1, texts=False)
    other.info = other.info.__class__(run_id="other", checkpoint="other")

    rows = item_table(before, after, other).to_pylist()

    assert [row["after"] for row in rows] == [after.info.run_id] * 50 + ["other"] * 50


def test_graded_scores_have_losses_and_gains_only(make_run: Any) -> None:
    values = ({"a": 0.5, "b": 0.25}, {"a": 0.25, "b": 1.0})
    pair = [
        make_run(name, [{"native_id": key, "question": key, "value": value} for key, value in said.items()])
        for name, said in zip(("before", "after"), values, strict=True)
    ]

    rows = {row["native_id"]: row for row in item_table(*pair).to_pylist()}

    assert [(rows[key]["lost"], rows[key]["gained"], rows[key]["kept"]) for key in "ab"] == [
        (0.25, 0, None),
        (0, 0.75, None),
    ]
    assert rows["a"]["cause"] == "lower_score"


def test_half_characters_in_names_are_no_obstacle(make_run: Any) -> None:
    rows = [{"native_id": "\ud800", "question": "?", "domain": "\udfff", "value": 1.0}]

    (row,) = item_table(make_run("before", rows), make_run("after", rows)).to_pylist()

    assert "\ufffd" in row["native_id"] and "\ufffd" in row["domain"]


def test_parquet_and_csv_hold_the_same_rows(tmp_path: Path) -> None:
    table = item_table(*LAW.runs(items=60, seed=1, texts=False))
    for name in ("pairs.parquet", "pairs.csv"):
        save(table, tmp_path / name)

    assert parquet.read_table(tmp_path / "pairs.parquet").equals(table)
    assert csv.read_csv(tmp_path / "pairs.csv").num_rows == 60
    assert sorted(path.name for path in tmp_path.iterdir()) == ["pairs.csv", "pairs.parquet"]


def test_another_ending_is_refused_with_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(SettingError, match=r"ends in \.parquet or \.csv is wanted, and .*pairs\.xlsx ends in neither"):
        save(item_table(*LAW.runs(items=5, seed=1, texts=False)), tmp_path / "pairs.xlsx")
