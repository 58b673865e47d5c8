"""Writing a run into a study, and what comes back."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from forgetmap.errors import FormatError, InternalError, SettingError, StudyError
from forgetmap.records.batches import Sizes, content_hash
from forgetmap.records.run import Run
from forgetmap.records.schema import Item, Problem, Row, Sample, Score
from forgetmap.records.store import write
from forgetmap.records.study import Study, folder_name
from tests.records.made_up import files, rows, run_of, without_item_id

SMALL = Sizes(batch=10, shard=40)


def test_rows_come_back_as_they_were_written_with_the_same_item_ids(tmp_path: Path) -> None:
    run = run_of(rows(100, draws=2))

    written = write(tmp_path, run, sizes=SMALL)
    back = Study.open(tmp_path).run("made-up")

    assert list(back.rows()) == list(run.rows())
    assert list(back.rows()) == list(run.rows()), "a stored run can be read again"
    assert written.rows == 200
    assert written.items == len({(row.item.task, row.item_id) for row in run.rows()}) == 100


def test_repeated_contents_keep_their_occurrence_numbers(tmp_path: Path) -> None:
    same = Item("quiz", question="Which?", choices=("a", "b"), golds=("a",), k=2, chance=0.5)
    with_ids = [same._replace(native_id=str(n)) for n in range(3)]
    told = [Row(item, Sample(draw), (Score("acc", value=1.0),)) for item in with_ids for draw in (0, 1)]
    without = [Row(same._replace(task="other"), Sample(), (Score("acc", value=1.0),)) for _ in range(3)]
    run = run_of([*told, *without])

    write(tmp_path, run, sizes=Sizes(batch=2, shard=2))
    ids = [row.item_id for row in Study.open(tmp_path).run("made-up").rows()]

    assert ids == [row.item_id for row in run.rows()]
    assert len(set(ids)) == 3
    assert ids[-1].endswith("-2")


def test_answers_that_nobody_has_judged_are_stored_among_others(tmp_path: Path) -> None:
    told = [row._replace(scores=()) if number % 3 else row for number, row in enumerate(rows(50, draws=2))]
    again = [row._replace(scores=()) for row in told if row.scores]
    run = run_of([*told, *again])

    written = write(tmp_path, run, sizes=SMALL)
    stored = Study.open(tmp_path).run("made-up")

    assert list(stored.rows()) == list(run.rows())
    assert (written.rows, run.duplicates) == (len(told) + len(again), 0)
    assert write(tmp_path, run, sizes=SMALL).how == "already there"


def test_a_run_without_any_score_has_no_scorers(tmp_path: Path) -> None:
    run = run_of(row._replace(scores=()) for row in rows(30))

    write(tmp_path, run, sizes=SMALL)

    assert list(Study.open(tmp_path).run("made-up").rows()) == list(run.rows())
    assert {task.scorers for task in Study.open(tmp_path).runs()["made-up"].tasks.values()} == {()}


def test_the_same_answer_again_is_a_duplicate_though_nobody_has_judged_it(tmp_path: Path) -> None:
    run = run_of(Row(Item("quiz", "0", question="Which?"), Sample(draw), ()) for draw in (0, 1, 0))

    assert len(list(run.rows())) == 2
    assert run.duplicates == 1


def test_rows_that_differ_only_by_scorer_keep_their_own_samples(tmp_path: Path) -> None:
    item = Item("quiz", "0", question="Which?", choices=("a", "b"), golds=("a",))
    answers = [Sample(response="a"), Sample(response="a"), Sample(response="a, I think")]
    run = run_of(Row(item, said, (Score(f"scorer {n}", value=1.0),)) for n, said in enumerate(answers))

    written = write(tmp_path, run)

    assert list(Study.open(tmp_path).run("made-up").rows()) == list(run.rows())
    assert pq.read_table(written.folder / "samples-0000.parquet")["row"].to_pylist() == [0, 2]


def test_rows_of_one_draw_may_fall_into_two_shards(tmp_path: Path) -> None:
    item = Item("quiz", "0", question="Which?", choices=("a", "b"), golds=("a",))
    scores = [Score(f"scorer {n}", value=1.0) for n in range(3)]
    run = run_of(Row(item, Sample(prompt="Which?", response="a"), (score,)) for score in scores)

    write(tmp_path, run, sizes=Sizes(batch=1, shard=2))
    study = Study.open(tmp_path)

    assert list(study.run("made-up").rows()) == list(run.rows())
    assert study.runs()["made-up"].tasks["quiz"].samples == 1


def test_items_that_are_shown_otherwise_in_another_draw_come_back_as_they_were(tmp_path: Path) -> None:
    one = Item("quiz", "0", question="Which?", choices=("a", "b"), golds=("a",), k=2, chance=0.5)
    shown = [one, one._replace(choices=("b", "a")), one._replace(choices=("b", "a")), one, one._replace(meta={"n": 1})]
    run = run_of(Row(item, Sample(draw), (Score("acc", value=1.0, choice=0),)) for draw, item in enumerate(shown))

    write(tmp_path, run, sizes=Sizes(batch=1, shard=2))

    assert list(Study.open(tmp_path).run("made-up").rows()) == list(run.rows())


def test_an_item_and_a_prompt_are_stored_once_a_run(tmp_path: Path) -> None:
    told = rows(50, draws=4)
    by_draw = sorted(told, key=lambda row: row.sample.draw)

    written = write(tmp_path, run_of(by_draw), sizes=SMALL)
    shards = sorted(written.folder.glob("items-*.parquet"))
    ids = [name for path in shards for name in pq.read_table(path)["item_id"].to_pylist()]
    prompts = [
        name for path in written.folder.glob("prompts-*") for name in pq.read_table(path)["prompt_id"].to_pylist()
    ]

    assert len(shards) == 5
    assert len(ids) == 50
    assert len(prompts) == len(set(prompts)) == len({row.sample.prompt for row in told})
    assert list(Study.open(tmp_path).run("made-up").rows()) == list(run_of(by_draw).rows())


def test_a_study_folder_holds_nothing_but_tables_and_run_json_once_a_run_is_whole(tmp_path: Path) -> None:
    write(tmp_path, run_of(rows(60)), sizes=SMALL)

    names = {f"{table}-000{n}.parquet" for table in ("items", "prompts", "samples", "scores") for n in (0, 1)}
    assert set(files(tmp_path)) == {f"runs/made-up/{name}" for name in (*names, "run.json")}


def test_what_is_said_of_a_run_comes_back(tmp_path: Path) -> None:
    unread = [Problem("samples_quiz.jsonl line 3", "is not whole JSON")]
    twice = rows(20)
    run = run_of([*twice, *twice[:4]], problems=unread)

    written = write(tmp_path, run)
    back = Study.open(tmp_path).run("made-up")
    assert len(list(back.rows())) == 20

    assert (written.problems, written.duplicates, written.how) == (1, 4, "written")
    assert (back.problems, back.duplicates, back.notes) == (unread, 4, run.notes)
    assert back.info.hashes == {"weights": "0f", "content": written.content_hash}
    assert replace(back.info, hashes=run.info.hashes) == run.info


def test_a_summary_counts_items_samples_and_scorers_of_each_task(tmp_path: Path) -> None:
    write(tmp_path, run_of(rows(60, draws=2)), sizes=SMALL)

    found = Study.open(tmp_path).runs()["made-up"]

    assert set(found.tasks) == {"quiz_0", "quiz_1", "quiz_2"}
    assert all((task.items, task.samples, task.scorers) == (20, 40, ("acc", "strict")) for task in found.tasks.values())
    assert found.bytes == sum(path.stat().st_size for path in found.folder.glob("*.parquet"))


def test_the_content_hash_is_that_of_the_rows_whatever_batches_and_shards_they_come_in(tmp_path: Path) -> None:
    run = run_of(rows(90, draws=2))

    hashes = {
        write(tmp_path / str(n), run, sizes=sizes).content_hash
        for n, sizes in enumerate(
            (Sizes(), SMALL, Sizes(batch=7, shard=21), Sizes(batch=50, shard=10_000, bytes=9_000))
        )
    }

    assert hashes == {content_hash(run.rows())}
    assert content_hash(run_of(rows(90, draws=2, seed=1)).rows()) not in hashes


def test_large_rows_fill_a_shard_before_their_number_does(tmp_path: Path) -> None:
    written = write(tmp_path, run_of(rows(60)), sizes=Sizes(batch=10, shard=1_000, bytes=1))

    assert len(list(written.folder.glob("scores-*.parquet"))) == 6
    assert list(Study.open(tmp_path).run("made-up").rows()) == list(run_of(rows(60)).rows())


def test_a_stored_run_written_to_another_study_has_the_same_content_hash(tmp_path: Path) -> None:
    written = write(tmp_path / "one", run_of(rows(30, draws=2)))
    again = write(tmp_path / "two", Study.open(tmp_path / "one").run("made-up"))

    assert again.content_hash == written.content_hash


def test_the_same_run_again_is_already_there_and_nothing_is_touched(tmp_path: Path) -> None:
    run = run_of(rows(60))
    first = write(tmp_path, run, sizes=SMALL)
    before = {path: (path.stat().st_mtime_ns, path.read_bytes()) for path in tmp_path.rglob("*") if path.is_file()}

    again = write(tmp_path, run)

    assert again == first._replace(how="already there")
    assert before == {
        path: (path.stat().st_mtime_ns, path.read_bytes()) for path in tmp_path.rglob("*") if path.is_file()
    }


def test_other_rows_under_a_name_that_is_taken_are_refused(tmp_path: Path) -> None:
    write(tmp_path, run_of(rows(60)))
    before = files(tmp_path)

    with pytest.raises(
        StudyError, match=r"has a run made-up already, and its rows are not those of samples_quiz.jsonl.*--as NAME"
    ):
        write(tmp_path, run_of(rows(60, seed=1)))

    assert files(tmp_path) == before


def test_of_a_run_without_rows_nothing_is_written(tmp_path: Path) -> None:
    with pytest.raises(
        FormatError, match=r"run made-up \(samples_quiz.jsonl\) holds no row: was it written to its end"
    ):
        write(tmp_path / "study", run_of([]))
    with pytest.raises(
        FormatError, match=r"no row of run made-up .* the first of 2 problems, at line 1: is not whole JSON"
    ):
        write(tmp_path / "study", run_of([], problems=[Problem("line 1", "is not whole JSON"), Problem("line 2", "x")]))

    assert not (tmp_path / "study").exists()


def test_a_folder_with_something_else_in_it_is_left_alone(tmp_path: Path) -> None:
    folder = tmp_path / "runs" / "made-up"
    folder.mkdir(parents=True)
    (folder / "events.out").write_text("of another program")

    with pytest.raises(StudyError, match=r"is wanted for a run, but it holds other files \(events.out\)"):
        write(tmp_path, run_of(rows(5)))

    assert files(tmp_path) == {"runs/made-up/events.out": b"of another program"}


def test_progress_ends_at_the_number_of_rows(tmp_path: Path) -> None:
    told: list[tuple[str, int]] = []

    write(tmp_path, run_of(rows(1234)), progress=lambda run_id, count: told.append((run_id, count)))

    assert told == [("made-up", 500), ("made-up", 1000), ("made-up", 1234)]


@pytest.mark.parametrize(
    "run_id", ["org/model", "..", ".hidden", "a:b", "完了 v1.0", "50%", "50%25", "a\\b", "x" * 200, "tail."]
)
def test_a_run_may_have_any_name_that_is_not_too_long(tmp_path: Path, run_id: str) -> None:
    written = write(tmp_path, run_of(rows(3), run_id))

    assert written.folder.parent == tmp_path / "runs"
    assert list(Study.open(tmp_path).runs()) == [run_id]
    assert Study.open(tmp_path).run(run_id).info.run_id == run_id


@given(st.lists(st.text(st.characters(), min_size=1, max_size=20), min_size=2, max_size=6, unique=True))
def test_different_names_have_different_folders(names: list[str]) -> None:
    assert len({folder_name(name) for name in names}) == len(names)


@pytest.mark.parametrize("run_id", ["", "x" * 300])
def test_no_name_and_a_name_too_long_are_refused(tmp_path: Path, run_id: str) -> None:
    with pytest.raises(SettingError, match="choose another with `--as NAME`"):
        write(tmp_path, run_of(rows(3), run_id))


@pytest.mark.parametrize(
    ("score", "said"),
    [
        (Score("acc", value=float("nan")), "the value nan of scorer acc"),
        (Score("acc", value=float("inf")), "the value inf of scorer acc"),
        (Score("acc", value=None), "the value None where acc says scored"),
        (Score("acc", outcome="unparsed", value=0.0), "the value 0.0 where acc says unparsed"),
        (Score("acc", outcome="lost"), "the outcome 'lost' of scorer acc"),  # type: ignore[arg-type]
    ],
)
def test_a_score_that_no_record_can_hold_is_a_bug_of_its_writer(tmp_path: Path, score: Score, said: str) -> None:
    with pytest.raises(InternalError, match=f"{said} for item 7 of task quiz"):
        write(tmp_path, run_of([Row(Item("quiz", "7", question="?"), Sample(), (score,))]))


def test_a_chance_that_is_no_number_is_a_bug_of_its_writer(tmp_path: Path) -> None:
    item = Item("quiz", "7", question="?", chance=float("nan"))

    with pytest.raises(InternalError, match="a chance of nan for item 7"):
        write(tmp_path, run_of([Row(item, Sample(), (Score("acc", value=1.0),))]))


def test_a_value_of_another_type_than_its_column_is_a_bug_of_its_writer_and_reaches_no_journal(tmp_path: Path) -> None:
    sample = Sample(seed=1 << 70)

    with pytest.raises(
        InternalError, match=r"something as seed that the column of samples cannot hold \(int64 is wanted\)"
    ):
        write(tmp_path, run_of([Row(Item("quiz", "7", question="?"), sample, (Score("acc", value=1.0),))]))

    assert Study.at(tmp_path).unfinished()["made-up"].rows == 0


def test_an_error_of_the_reader_passes_and_what_was_read_is_kept(tmp_path: Path) -> None:
    told = rows(60)

    def torn(problems: list[Problem]) -> Iterator[Row]:
        yield from told[:35]
        raise FormatError("the log ends in the middle of a line")

    run = run_of(told)
    with pytest.raises(FormatError, match="ends in the middle"):
        write(tmp_path, Run(run.info, torn), sizes=SMALL)

    assert Study.at(tmp_path).unfinished()["made-up"].rows == 30
    assert write(tmp_path, run, sizes=SMALL).how == "resumed"
    assert without_item_id(Study.open(tmp_path).run("made-up").rows()) == told


def test_a_stored_run_whose_bytes_changed_is_not_called_already_there(tmp_path: Path) -> None:
    written = write(tmp_path, run_of(rows(30)))
    scores = next(written.folder.glob("scores-*.parquet"))
    content = bytearray(scores.read_bytes())
    middle = len(content) // 3
    content[middle : middle + 8] = bytes(byte ^ 0xFF for byte in content[middle : middle + 8])
    scores.write_bytes(content)

    with pytest.raises(StudyError):
        write(tmp_path, run_of(rows(30)))
