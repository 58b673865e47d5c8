"""The exam that every built-in taxonomy sits, and the paper's tasks under the names that harnesses have for them."""

import csv
from collections import Counter
from pathlib import Path

import pytest

from forgetmap.tables import load
from forgetmap.taxonomy import TAXONOMIES
from forgetmap.taxonomy.paper import HIDDEN, IGNORED, paper_task, paper_tasks
from forgetmap.taxonomy.place import UNPLACED, Taxonomy, read_taxonomy


def taxonomy(name: str) -> Taxonomy:
    found: Taxonomy = load(TAXONOMIES, name, group="taxonomies")()
    return found


@pytest.mark.parametrize("name", TAXONOMIES)
def test_a_name_leads_to_its_taxonomy(name: str) -> None:
    assert read_taxonomy(name) == taxonomy(name)
    assert read_taxonomy(Path(name)).name == name


@pytest.mark.parametrize("name", TAXONOMIES)
def test_every_entry_places_its_own_task_and_its_own_domain(name: str) -> None:
    for category, patterns in taxonomy(name).categories.items():
        for pattern in patterns:
            family, _, leaf = pattern.rpartition("/")
            assert taxonomy(name).place(f"{family}_{leaf}", None) == category
            assert taxonomy(name).place(family, leaf) == category


def test_a_file_of_that_name_comes_before_a_built_in_taxonomy_and_a_folder_does_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "paper").mkdir()
    assert read_taxonomy("paper").categories["Culture"]

    (tmp_path / "paper").rmdir()
    (tmp_path / "paper").write_text('[categories]\nmine = ["a"]\n')
    assert list(read_taxonomy("paper").categories) == ["mine"]


@pytest.mark.parametrize(
    ("task", "domain", "category"),
    [
        ("community|bbh_reasoning_letter:sports_understanding", None, "Culture"),
        ("community|mmlu_reasoning_letter:anatomy|0|0", None, "Science/Tech"),
        ("community|arc_reasoning_custom_prompt_letter:challenge", None, HIDDEN),
        ("community|commonsense_qa_reasoning_letter:main", None, "Common Sense"),
        ("community|ifeval_reasoning", None, "Instruction"),
        ("bbh_cot_fewshot_causal_judgement", None, "Logic"),
        ("leaderboard_bbh_snarks", None, "Language"),
        ("lighteval|bigbench_hard:causal_judgment|3", None, "Logic"),
        ("hendrycksTest-abstract_algebra", None, "Math"),
        ("mmlu_anatomy_generative", None, "Science/Tech"),
        ("leaderboard|mmlu:world_religions|5", None, "Liberal Arts"),
        ("mmlu", "high school us history", "Liberal Arts"),
        ("arc_challenge", None, HIDDEN),
        ("gpqa_diamond_cot_zeroshot", None, "Science/Tech"),
        ("gpqa_diamond_zeroshot", "Biology", "Science/Tech"),
        ("leaderboard_musr_team_allocation", None, "Logic"),
        ("truthfulqa_mc1", None, "Safety"),
        ("bbh_fewshot_dyck_languages", None, IGNORED),
        ("piqa", None, "Common Sense"),
        ("anatomy", None, "Science/Tech"),
        ("mmlu_pro", "philosophy", UNPLACED),
        ("mmlu_pro_philosophy", None, UNPLACED),
        ("global_mmlu_full_de_anatomy", None, UNPLACED),
        ("cmmlu_anatomy", None, UNPLACED),
        ("ceval", "marketing", UNPLACED),
        ("truthfulqa_mc2", None, UNPLACED),
        ("gsm8k", None, UNPLACED),
    ],
)
def test_the_papers_tasks_are_known_by_the_names_of_any_harness_and_their_namesakes_are_not(
    task: str, domain: str | None, category: str
) -> None:
    assert read_taxonomy("paper").place(task, domain) == category


def test_the_paper_has_ninety_eight_tasks_in_nine_shown_categories() -> None:
    counts = Counter(task.category for task in paper_tasks())

    assert counts == {
        "Common Sense": 2, "Culture": 2, "Logic": 18, HIDDEN: 2, "Knowledge": 4, "Language": 7, "Liberal Arts": 19, "Math": 9,
        "Safety": 6, "Science/Tech": 25, "Instruction": 1, IGNORED: 3,
    }  # fmt: skip
    assert sum(task.code.startswith("bbh") for task in paper_tasks()) == 27
    assert {task.k_in_code for task in paper_tasks() if not task.code.startswith("bbh")} == {4}


def test_two_categories_have_four_options_in_the_code_and_in_truth() -> None:
    wrong = {task.category for task in paper_tasks() if (task.k_in_code, task.options) != (4, "4")}

    assert {task.category for task in paper_tasks()} - wrong == {"Liberal Arts", "Science/Tech"}


def test_every_task_is_what_the_digest_of_the_code_says(shared_data: Path) -> None:
    digest = shared_data.parent / "reference" / "post-forget-tasks.csv"
    if not digest.is_file():
        pytest.skip(f"the digest of the code is not at {digest}")
    with digest.open(encoding="utf-8") as lines:
        rows = {row["task_id"]: row for row in csv.DictReader(lines)}

    for code, row in rows.items():
        found = paper_task(code, None)
        assert found is not None
        assert f"community|{found.code}|0" == code
        assert found.k_in_code == int(row["k_in_code"])
        assert found.category in (HIDDEN, row["category_label"])
