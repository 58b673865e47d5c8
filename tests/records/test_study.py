"""The study folder: what is found in it, and what its study.toml says."""

from pathlib import Path

import pytest

from forgetmap.errors import SettingError, StudyError
from forgetmap.records.schema import Item, Row, Sample, Score
from forgetmap.records.settings import Settings
from forgetmap.records.store import write
from forgetmap.records.study import Study
from tests.records.made_up import files, rows, run_of


def said(folder: Path, text: str) -> Study:
    (folder / "study.toml").write_text(text, encoding="utf-8")
    return Study.open(folder)


def test_runs_are_found_by_looking(tmp_path: Path) -> None:
    for run_id in ("before", "after"):
        write(tmp_path, run_of(rows(5), run_id))
    (tmp_path / "runs" / "notes.txt").write_text("mine")
    (tmp_path / "runs" / "plots").mkdir()
    study = Study.open(tmp_path)
    assert list(study.runs()) == ["after", "before"]

    (tmp_path / "runs" / "after").rename(tmp_path / "runs" / "sft step 200")

    assert list(study.runs()) == ["before", "sft step 200"]
    assert study.run("sft step 200").info.run_id == "sft step 200"
    assert study.runs()["sft step 200"].info.checkpoint == "org/made-up"


def test_a_run_that_is_not_there_is_named_with_those_that_are(tmp_path: Path) -> None:
    write(tmp_path, run_of(rows(5), "mistral-7b"))

    with pytest.raises(StudyError, match=r"has no run mistral7b; it has: mistral-7b. Is mistral-7b meant\?"):
        Study.open(tmp_path).run("mistral7b")


def test_an_unfinished_run_is_told_apart_from_whole_ones(tmp_path: Path) -> None:
    def stop(run_id: str, count: int) -> None:
        if count == 1_000:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write(tmp_path, run_of(rows(1_400)), progress=stop)
    study = Study.open(tmp_path)

    assert study.runs() == {}
    assert study.unfinished()["made-up"].rows == 1_000
    with pytest.raises(StudyError, match=r"run made-up of .* is unfinished \(1000 rows so far\): give the command"):
        study.run("made-up")


def test_a_path_without_a_study_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    (tmp_path / "logs").mkdir()
    (tmp_path / "logs" / "runs" / "events").mkdir(parents=True)

    with pytest.raises(
        StudyError, match=r"there is no study at .*missing: check the path, or begin one with `forgetmap read"
    ):
        Study.open(tmp_path / "missing")
    with pytest.raises(StudyError, match=r"a study is a folder, and .*file is a file"):
        Study.open(tmp_path / "file")
    with pytest.raises(StudyError, match=r"logs is no study: it has neither a folder runs nor a study.toml"):
        Study.open(tmp_path / "logs")


def test_a_file_where_the_runs_should_be_is_told(tmp_path: Path) -> None:
    (tmp_path / "study.toml").touch()
    (tmp_path / "runs").touch()

    with pytest.raises(StudyError, match=r"runs cannot be read: Not a directory"):
        Study.open(tmp_path).runs()


@pytest.mark.parametrize("name", ["it's mine", "a%2", "x%zz", "größe"])
def test_a_run_is_found_under_whatever_name_the_user_gives_its_folder(tmp_path: Path, name: str) -> None:
    folder = write(tmp_path, run_of(rows(5))).folder
    folder.rename(folder.with_name(name))

    assert list(Study.open(tmp_path).runs()) == [name]
    assert len(list(Study.open(tmp_path).run(name).rows())) == 5


def test_a_study_without_study_toml_has_no_settings(tmp_path: Path) -> None:
    write(tmp_path, run_of(rows(5)))

    assert Study.open(tmp_path).settings() == Settings()


def test_study_toml_is_read(tmp_path: Path) -> None:
    study = said(
        tmp_path,
        """
        name = "SFT, five seeds"
        taxonomy = "mine.toml"
        [aliases]
        "gsm8k_cot" = "gsm8k"
        [tasks."mmlu_pro*"]
        k = "doc.options"
        [tasks."quiz_*"]
        k = 4
        [tasks."essay"]
        k = "open"
        [gate]
        max_forgetting = 0.02
        [gate.budgets]
        physics = 0.05
        """,
    )

    assert study.settings() == Settings(
        name="SFT, five seeds",
        taxonomy=tmp_path / "mine.toml",
        aliases={"gsm8k_cot": "gsm8k"},
        k=(("mmlu_pro*", "doc.options"), ("quiz_*", "4"), ("essay", "open")),
        max_forgetting=0.02,
        budgets={"physics": 0.05},
    )
    assert (study.taxonomy, study.aliases, study.k) == (
        study.settings().taxonomy,
        study.settings().aliases,
        study.settings().k,
    )


def test_study_toml_is_never_written(tmp_path: Path) -> None:
    text = '# mine\nname  =  "x"\n'
    said(tmp_path, text)

    write(tmp_path, run_of(rows(5)))

    assert files(tmp_path)["study.toml"].decode() == text


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (
            "taxonmy = 'x'",
            r"has an entry taxonmy, which is unknown; known here are: name, (.*)aliases, tasks, stages. Is taxonomy meant\?",
        ),
        ("[tasks.mmlu]\nchance = 1", r"has an entry tasks.mmlu.chance, which is unknown; known here are: k"),
        (
            '[tasks."mmlu*"]\nk = 0',
            r'tasks."mmlu\*".k in .*study.toml is 0: wanted is the number of options \(1 or more\)',
        ),
        ("[tasks.mmlu]\nk = true", r"tasks.mmlu.k in .* is True: wanted is the number of options"),
        ("[tasks.mmlu]\nk = [4]", r"tasks.mmlu.k in .* is \[4\]: wanted is the number of options"),
        ("[tasks]\nmmlu = 4", r"tasks.mmlu in .* is 4: wanted is tables such as"),
        ("aliases = 'gsm8k'", r"aliases in .* is 'gsm8k': wanted is a table of task"),
        ("[aliases]\na = 1", r"aliases.a in .* is 1: wanted is a table of task"),
        ("name = 1", r"name in .* is 1: wanted is a text"),
        ("taxonomy = []", r"taxonomy in .* is \[\]: wanted is the path of a taxonomy"),
        (
            "[gate]\nmax_forgeting = 0.1",
            r"entry gate.max_forgeting, .* known here are: max_forgetting, budgets. Is max_forgetting",
        ),
        ("[gate]\nmax_forgetting = 2", r"gate.max_forgetting in .* is 2: wanted is .* a share between 0 and 1"),
        ("[gate.budgets]\nphysics = '2 %'", r"gate.budgets.physics in .* is '2 %': wanted is "),
        ("[[stages]]\nname = 'sft'", r"stages.0.runs in .*: wanted is tables \[\[stages\]\]"),
        ("[[stages]]\nruns = []", r"stages.0.runs in .* is \[\]: wanted is"),
        ("[[stages]]\nruns = ['a', 'a']", r"stages.0.runs in .*each run once"),
        (
            "[[stages]]\nname = 's'\nruns = 'a'\n[[stages]]\nname = 's'\nruns = 'b'",
            r"several \[\[stages\]\] called s: ",
        ),
        ("[[stages]]\nruns = 'a'\n[[stages]]\nname = 'a'\nruns = 'b'", r"several \[\[stages\]\] called a: "),
        ("[[stages]]\nrun = 'a'\nruns = 'a'", r"entry stages.0.run, .* known here are: name, runs. Is runs meant"),
        ("stages = ['a']", r"stages.0 in .* is 'a': wanted is"),
        ("name = ", r"study.toml is not TOML: "),
    ],
)
def test_what_cannot_be_understood_in_study_toml_is_named(tmp_path: Path, text: str, sentence: str) -> None:
    study = said(tmp_path, text)

    with pytest.raises(SettingError, match=sentence):
        study.settings()


def test_stages_are_kept_in_order_and_named_by_their_first_run_where_they_have_no_name(tmp_path: Path) -> None:
    study = said(tmp_path, "[[stages]]\nname = 'base'\nruns = 'b'\n[[stages]]\nruns = ['s0', 's1']")

    assert [(stage.name, stage.runs) for stage in study.settings().stages] == [("base", ("b",)), ("s0", ("s0", "s1"))]


def test_a_study_toml_in_another_encoding_is_named(tmp_path: Path) -> None:
    (tmp_path / "study.toml").write_bytes("name = 'é'".encode("latin-1"))

    with pytest.raises(SettingError, match=r"study.toml is not UTF-8 text"):
        Study.open(tmp_path).settings()


def test_a_number_of_options_that_the_log_did_not_tell_is_filled_in_from_study_toml(tmp_path: Path) -> None:
    items = [
        Item("quiz_1", "0", question="Which?", golds=("a",)),
        Item("quiz_2", "0", question="Which?", golds=("a", "b")),
        Item("quiz_3", "0", question="Which?", golds=("a",), choices=("a", "b"), k=2, chance=0.5),
        Item("essay", "0", question="Why?"),
        Item("other", "0", question="Who?"),
    ]
    run = run_of(Row(item, Sample(), (Score("acc", value=1.0),)) for item in items)
    write(tmp_path, run)

    study = said(tmp_path, '[tasks."quiz*"]\nk = 4\n[tasks.essay]\nk = "open"\n[tasks.other]\nk = "doc.options"')
    mended = list(study.run("made-up").rows())

    assert [row.item.chance for row in mended] == [0.25, 0.5, 0.5, 0.0, None]
    assert [row.item.k for row in mended] == [4, 4, 2, None, None]
    assert [row.item_id for row in mended] == [row.item_id for row in run.rows()]
