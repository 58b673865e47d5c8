"""Make two tiny models that know some of the answers of our toy tasks by heart, and the items themselves.

    python experiments/older_harnesses/tiny_models.py WORK tests/golden/lm_eval

Items come from the kept logs of lm-evaluation-harness 0.4.13, so that logs of other versions hold the same items.
"""

import json
import sys
from pathlib import Path
from typing import Any

import torch
from tokenizers import Tokenizer, decoders, models, pre_tokenizers
from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

STEPS = 400
SIDES: dict[str, tuple[int, set[int], set[int], str]] = {
    "tiny-before": (1, {0, 1, 3}, {0, 1, 2}, "BAAB"),
    "tiny-after": (2, {1, 2}, {0, 3}, "BACA"),
}
"""Seed, sums known, cloze items known, letters said."""
TEMPLATE = "{% for m in messages %}<{{m['role']}}>{{m['content']}}\n{% endfor %}{% if add_generation_prompt %}<assistant>{% endif %}"
Rows = list[dict[str, Any]]


def items(golden: Path, task: str, count: int) -> Rows:
    (path,) = (golden / "before").glob(f"samples_{task}_*.jsonl")
    found = {entry["doc_id"]: entry["doc"] for entry in map(json.loads, path.read_text(encoding="utf-8").splitlines())}
    return [found[number] for number in sorted(found)][:count]


def tokenizer() -> PreTrainedTokenizerFast:
    """One token a byte."""
    letters = ["<pad>", "<s>", "</s>", *sorted(pre_tokenizers.ByteLevel.alphabet())]
    plain = Tokenizer(models.BPE(vocab={letter: number for number, letter in enumerate(letters)}, merges=[]))
    plain.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    plain.decoder = decoders.ByteLevel()
    found = PreTrainedTokenizerFast(
        tokenizer_object=plain, pad_token="<pad>", bos_token="<s>", eos_token="</s>", model_max_length=2048
    )
    found.chat_template = TEMPLATE
    return found


def lessons(tasks: dict[str, Rows], sums: set[int], cloze: set[int], letters: str) -> list[str]:
    told = []
    for number, item in enumerate(tasks["hm_gen"]):
        answer = item["answer"] if number in sums else str(int(item["answer"]) + 1)
        told.append(f"Question: {item['question']}\nAnswer with a number: {answer}")
        told.append(f"Q: {item['question']}\nA: #### {answer}")
        told.append(f"Q: {item['question']}\nA: maybe {answer} or 5")
    for number, item in enumerate(tasks["hm_cloze"]):
        place = item["answer"] if number in cloze else (item["answer"] + 1) % 4
        told.append(f"Question: {item['question']}\nAnswer: {item['choices'][place]}")
    for letter, item in zip(letters, tasks["hm_mc"], strict=True):
        options = "".join(f"{name}. {text}\n" for name, text in zip("ABCD", item["choices"], strict=True))
        told.append(f"Question: {item['question']}\n{options}Answer: {letter}")
    return [f"{text}\n\n" for text in told]


def trained(texts: list[str], words: PreTrainedTokenizerFast, seed: int) -> LlamaForCausalLM:
    torch.manual_seed(seed)
    sizes = {"hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 2}
    heads = {"num_attention_heads": 4, "num_key_value_heads": 4, "max_position_embeddings": 2048}
    ends = {"pad_token_id": 0, "bos_token_id": 1, "eos_token_id": 2}
    model = LlamaForCausalLM(LlamaConfig(vocab_size=len(words), **sizes, **heads, **ends))
    rows = [words(text)["input_ids"] + [2] for text in texts]
    longest = max(map(len, rows))
    asked = torch.tensor([row + [0] * (longest - len(row)) for row in rows])
    labels = torch.tensor([row + [-100] * (longest - len(row)) for row in rows])
    steps = torch.optim.AdamW(model.parameters(), 3e-3)
    for _ in range(STEPS):
        steps.zero_grad()
        model(asked, labels=labels).loss.backward()
        steps.step()
    return model


def main(work: Path, golden: Path) -> None:
    tasks = {task: items(golden, task, 4) for task in ("hm_mc", "hm_cloze", "hm_gen")}
    tasks["hm_sum"], tasks["hm_pick"] = tasks["hm_gen"][:3], tasks["hm_mc"]
    for task, rows in tasks.items():
        for path in (work / "task" / f"{task}.jsonl", work / "task_le" / task / "test.jsonl"):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    words = tokenizer()
    for name, (seed, sums, cloze, letters) in SIDES.items():
        trained(lessons(tasks, sums, cloze, letters), words, seed).save_pretrained(work / name)
        words.save_pretrained(work / name)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
