"""Names under which harnesses know one task, and one scorer."""

import tomllib
from itertools import combinations

import pytest

from forgetmap.taxonomy.aliases import SOURCE, alike, plain_task, same_kind

ONE_TASK = [
    [
        "mmlu_abstract_algebra",
        "leaderboard|mmlu:abstract_algebra|5",
        "leaderboard|mmlu:abstract_algebra",
        "harness|hendrycksTest-abstract_algebra|5|0",
        "hendrycksTest-abstract_algebra",
        "community|mmlu_reasoning_letter:abstract_algebra|0",
        "mmlu:subject=abstract_algebra,method=multiple_choice_joint,model=openai_gpt2,data_augmentation=canonical",
        "mmlu_flan_cot_zeroshot_abstract_algebra",
        "mmlu_abstract_algebra_generative",
    ],
    ["mmlu", "inspect_evals/mmlu_0_shot", "mmlu_5_shot"],
    ["mmlu_pro", "leaderboard_mmlu_pro", "mmlu_pro:subset=all,use_chain_of_thought=true", "inspect_evals/mmlu_pro"],
    [
        "leaderboard_bbh_causal_judgement",
        "lighteval|bigbench:causal_judgment|3|0",
        "bigbench_hard:causal_judgment",
        "bbh_cot_fewshot_causal_judgement",
        "bbh_zeroshot_causal_judgement",
        "community|bbh_reasoning_letter:causal_judgment|0",
    ],
    ["arc_challenge", "arc:challenge", "leaderboard|arc:challenge|25", "ai2_arc:ARC-Challenge", "ARC-Challenge"],
    ["gsm8k", "gsm8k_cot", "gsm8k_cot_zeroshot", "leaderboard|gsm8k|5", "gsm:model=openai_gpt2"],
    ["gpqa_main_n_shot", "leaderboard_gpqa_main", "gpqa:main", "gpqa:subset=gpqa_main,use_few_shot=false"],
    ["gpqa_diamond_cot_zeroshot", "inspect_evals/gpqa_diamond", "gpqa:diamond"],
    ["leaderboard_musr_team_allocation", "musr:team_allocation", "musr(domain=team_allocation)"],
    ["hellaswag", "commonsense:dataset=hellaswag,method=multiple_choice_joint", "harness|hellaswag|10"],
    ["commonsense_qa", "lighteval|commonsenseqa|0", "community|commonsense_qa_reasoning_letter:main|0"],
    ["piqa", "community|piqa_reasoning_letter:main|0"],
    ["winogrande", "leaderboard|winogrande|5"],
    ["truthfulqa_mc1", "truthful_qa:task=mc_single", "community|truthfulqa_reasoning_letter:mc1|0"],
    ["truthfulqa_mc2"],
    ["leaderboard|truthfulqa:mc|0"],
    ["gsm8k_platinum"],
    ["gpqa_extended_zeroshot"],
    ["mmlu_redux_abstract_algebra_generative"],
    ["mmlu_continuation_abstract_algebra"],
    ["mmlu_pro_biology"],
    ["mmlu:subject=anatomy"],
    ["arc_easy"],
    ["leaderboard_math_algebra_hard"],
    ["hendrycks_math_algebra", "minerva_math_algebra", "lighteval|math:algebra|4"],
    ["math:subject=algebra,level=1"],
    ["musr(domain=team_allocation, seed=3)"],
    ["a task of mine"],
]


@pytest.mark.parametrize("names", ONE_TASK, ids=lambda names: str(names[0]))
def test_names_of_one_task_have_one_plain_name(names: list[str]) -> None:
    assert len(set(map(plain_task, names))) == 1


def test_different_tasks_have_different_plain_names() -> None:
    plain = [plain_task(names[0]) for names in ONE_TASK]

    assert [pair for pair in combinations(plain, 2) if pair[0] == pair[1]] == []


@pytest.mark.parametrize("name", ["", "|", "|5", ":", "x:y=z=1", "()", "a(b", "_", "leaderboard_", "A" * 5000, "任务"])
def test_any_name_has_a_plain_name_that_stays_as_it_is(name: str) -> None:
    plain = plain_task(name)

    assert plain_task(plain) == plain
    assert bool(plain) == bool(name)


def test_every_name_of_the_table_ends_at_one_name_and_none_stands_twice() -> None:
    rows = tomllib.loads(SOURCE.read_text("utf-8"))["tasks"]
    known = [name for names in rows.values() for name in names]

    assert len(known) == len(set(known))
    for row, names in rows.items():
        for name in names:
            assert name.count("*") == row.count("*") <= 1
            assert plain_task(name.replace("*", "xyz")) == plain_task(row.replace("*", "xyz"))


def test_scorers_of_one_kind_are_told_from_others() -> None:
    assert same_kind("em", "exact_match,strict-match")
    assert same_kind("extractive_match", "exact_match,flexible-extract")
    assert not same_kind("acc", "acc_norm,none")
    assert not same_kind("acc_norm", "acc_norm_token")
    assert same_kind("one of mine", "one of mine")
    assert not same_kind("one of mine", "another")


def test_kinds_come_in_the_order_of_the_table() -> None:
    strict, flexible = "exact_match,strict-match", "exact_match,flexible-extract"

    assert next(alike(["extractive_match"], [strict, flexible])) == (["extractive_match"], [flexible])
    assert next(alike(["acc_norm", "acc"], ["acc_norm,none", "acc,none"])) == (["acc"], ["acc,none"])
