"""Where tasks and domains are placed."""

from pathlib import Path

import pytest

from forgetmap.errors import SettingError
from forgetmap.taxonomy.place import UNPLACED, read_taxonomy


@pytest.mark.parametrize(
    ("task", "domain", "category"),
    [
        ("mmlu_anatomy", None, "science_technology_engineering"),
        ("hendrycksTest-abstract_algebra", None, "math"),
        ("leaderboard|mmlu:world_religions|5", None, "liberal_arts"),
        ("lighteval|gsm8k|8|0", None, "math"),
        ("leaderboard_bbh_sports_understanding", None, "culture"),
        ("mmlu_pro", "computer science", "science_technology_engineering"),
        ("agieval_gaokao_mathqa", None, "multilingual_exams"),
        ("gsm8k_cot", None, "math"),
        ("econometrics", None, "math"),
        ("a_task_nobody_knows", "x", UNPLACED),
    ],
)
def test_common_names_find_their_category(task: str, domain: str | None, category: str) -> None:
    assert read_taxonomy().place(task, domain) == category


def test_every_shared_domain_is_placed_as_its_table_says(shared_data: Path) -> None:
    import csv

    taxonomy = read_taxonomy()
    with (shared_data / "domains.csv").open() as lines:
        rows = list(csv.DictReader(lines))

    assert {row["domain"]: taxonomy.place(row["benchmark"], row["domain"]) for row in rows} == {
        row["domain"]: row["category"] for row in rows
    }


def test_the_logs_own_category_beats_the_built_in_table_and_the_users_file_beats_both(tmp_path: Path) -> None:
    ours = tmp_path / "ours.toml"
    ours.write_text('[categories]\nbody = ["mmlu_anatomy", "*heart*"]\n')

    assert read_taxonomy().place("mmlu_anatomy", None, said="medicine") == "medicine"
    assert read_taxonomy(ours).place("mmlu_anatomy", None, said="medicine") == "body"
    assert read_taxonomy(ours).place("the heart of it", None) == "body"
    assert read_taxonomy(ours).place("mmlu_virology", None, said="medicine") == "medicine"
    assert read_taxonomy(ours).name == "ours"


def test_of_two_fitting_entries_the_closer_wins(tmp_path: Path) -> None:
    ours = tmp_path / "ours.toml"
    ours.write_text('[categories]\nbroad = ["mmlu*"]\nnarrow = ["mmlu_law"]\n')

    assert read_taxonomy(ours).place("mmlu_law", None) == "narrow"
    assert read_taxonomy(ours).place("mmlu_art", None) == "broad"


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        ("categories = 3", "needs a table"),
        ("[categories]\nmath = 'x'", "needs a table"),
        ("[categories\n", "could not be read as TOML"),
    ],
)
def test_a_broken_taxonomy_gets_one_sentence(tmp_path: Path, content: str, complaint: str) -> None:
    path = tmp_path / "bad.toml"
    path.write_text(content)

    with pytest.raises(SettingError, match=complaint):
        read_taxonomy(path)


def test_a_missing_taxonomy_gets_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(SettingError, match=r"neither a file nor a built-in one \(default, paper\)"):
        read_taxonomy(tmp_path / "none.toml")
