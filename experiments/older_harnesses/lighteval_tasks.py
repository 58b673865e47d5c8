"""Our toy tasks for lighteval 0.10."""

from lighteval.metrics.metrics import Metrics
from lighteval.tasks.lighteval_task import LightevalTaskConfig
from lighteval.tasks.requests import Doc

LETTERS = "ABCD"


def letters(line, task_name=None):
    shown = "".join(f"{letter}. {text}\n" for letter, text in zip(LETTERS, line["choices"], strict=True))
    query = f"Question: {line['question']}\n{shown}Answer:"
    specific = {"id": line["id"], "subject": line["subject"]}
    return Doc(
        task_name=task_name,
        query=query,
        choices=[f" {one}" for one in LETTERS],
        gold_index=line["answer"],
        specific=specific,
    )


def number(line, task_name=None):
    query = f"Question: {line['question']}\nAnswer with a number:"
    return Doc(task_name=task_name, query=query, choices=[line["answer"]], gold_index=0)


def pick(line, task_name=None):
    """A letter is generated instead of ranked."""
    shown = "\n".join(f"{letter}) {text}" for letter, text in zip(LETTERS, line["choices"], strict=True))
    said = "Answer with a letter.\n\n"
    query = f"{said}{line['question']}\n\n{shown}\nAnswer:"
    return Doc(task_name=task_name, query=query, choices=list(LETTERS), gold_index=line["answer"], instruction=said)


def config(name, ask, metrics, size):
    return LightevalTaskConfig(
        name=name,
        prompt_function=ask,
        suite=["community"],
        hf_repo=f"task_le/{name}",
        hf_subset="default",
        hf_avail_splits=["test"],
        evaluation_splits=["test"],
        few_shots_split=None,
        few_shots_select=None,
        metric=metrics,
        generation_size=size,
        stop_sequence=["\n\n"],
        version=1,
        trust_dataset=True,
    )


TASKS_TABLE = [
    config("hm_mc", letters, [Metrics.loglikelihood_acc], 1),
    config("hm_gen", number, [Metrics.quasi_exact_match, Metrics.expr_gold_metric], 12),
    config("hm_pick", pick, [Metrics.gpqa_instruct_metric], 12),
]
