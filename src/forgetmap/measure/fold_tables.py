"""A stored run folded from its tables, column by column: the same columns that its rows would give."""

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from forgetmap.measure.arrow import numbers, packed, valid, whole
from forgetmap.measure.coding import Words
from forgetmap.measure.columns import (
    NO_CHOICE,
    RIGHT,
    STATE_OF,
    WRONG,
    Answered,
    Columns,
    Gathered,
    Items,
    Prompts,
    table,
)
from forgetmap.measure.item_lines import ItemLines
from forgetmap.records.parquet import columns_in, damaged
from forgetmap.records.summary import RunSummary, shard_file
from forgetmap.records.surrogates import unspell
from forgetmap.scorers.text import looping
from forgetmap.stats.arrays import Bools, Floats, Ints, in_order

SCORES = ("row", "task", "item_id", "draw", "scorer", "outcome", "value", "choice")
SAMPLES = ("row", "task", "seed", "prompt_id", "response")
_NO_SEED = np.iinfo(np.int64).min


class _Part(NamedTuple):
    """The answers of one shard, one entry a score."""

    key: Ints
    """Task and scorer, coded together."""
    line: Ints
    """The line of the item as it stood at this answer."""
    draw: Ints
    seed: Ints
    prompt: Prompts
    state: NDArray[np.uint8]
    choice: NDArray[np.int32]
    value: Floats
    loops: Bools


def fold_tables(summary: RunSummary, progress: Callable[[int], None] | None = None) -> Gathered:
    """The columns of every task and scorer of a stored run, with chances as they are in the records; `progress` hears rows read."""
    reader = _Reader(summary.folder)
    parts, read = [], 0
    for number, shard in enumerate(summary.shards):
        if progress is not None:
            progress(read)
        try:
            parts.append(reader.part(number, (read, read + shard.rows)))
        except (LookupError, pa.ArrowInvalid):
            why = f"the tables of its shard {number} do not belong together"
            raise damaged(shard_file(summary.folder, "scores", number), why) from None
        read += shard.rows
    if not parts:
        return Gathered({}, {})
    return Gathered(
        _tables(_Part._make(np.concatenate(column) for column in zip(*parts, strict=True)), reader),
        dict(reader.unscored),
    )


class _Reader:
    """Goes through the shards of a run in order and knows the items and words of those that it read."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.items = ItemLines()
        self.keys: dict[tuple[str, str], int] = {}
        self._outcomes = Words()
        self.unscored: Counter[str] = Counter()

    def part(self, number: int, rows: tuple[int, int]) -> _Part:
        """The answers of a shard, which holds these rows of the run."""
        self.items.add(shard_file(self._folder, "items", number))
        scores = columns_in(shard_file(self._folder, "scores", number), "scores", SCORES)
        samples = columns_in(shard_file(self._folder, "samples", number), "samples", SAMPLES)
        row = whole(scores["row"])
        line = self.items.lines_of(row, scores["task"], scores["item_id"])
        sample = np.searchsorted(whole(samples["row"]), row, side="right") - 1
        if len(sample) and sample.min() < 0:
            raise LookupError("an answer without a sample")
        seen = np.zeros(rows[1] - rows[0], bool)
        seen[row - rows[0]] = True
        self._count_unscored(rows[0] + np.flatnonzero(~seen), samples)
        value = numbers(scores["value"])
        state = self._states(scores["outcome"], value)
        return _Part(
            key=self._keys(scores["task"], scores["scorer"]),
            line=line,
            draw=whole(scores["draw"]),
            seed=whole(samples["seed"], _NO_SEED)[sample],
            prompt=_hashes(samples["prompt_id"])[sample],
            state=state,
            choice=self._choices(scores["choice"], state, line),
            value=value,
            loops=_loops(samples["response"], sample, state),
        )

    def _count_unscored(self, rows: Ints, samples: dict[str, pa.Array]) -> None:
        """Rows that nobody has judged, by the task of their samples."""
        if len(rows):
            sample = np.searchsorted(whole(samples["row"]), rows, side="right") - 1
            if sample.min() < 0:
                raise LookupError("a row without a sample")
            self.unscored.update(map(unspell, samples["task"].take(packed(sample)).to_pylist()))

    def _keys(self, task: pa.Array, scorer: pa.Array) -> Ints:
        tasks, scorers = task.dictionary_encode(), scorer.dictionary_encode()
        size = len(scorers.dictionary)
        pairs = whole(tasks.indices) * size + whole(scorers.indices)
        named = [(unspell(t), unspell(s)) for t in tasks.dictionary.to_pylist() for s in scorers.dictionary.to_pylist()]
        number, first = in_order(pairs)
        codes = [self.keys.setdefault(named[pair], len(self.keys)) for pair in pairs[first].tolist()]
        return np.array(codes, np.int64)[number]

    def _states(self, outcome: pa.Array, value: Floats) -> NDArray[np.uint8]:
        codes = self._outcomes.codes(outcome)
        by_code = np.array([STATE_OF.get(word, WRONG) for word in self._outcomes.known], np.uint8)
        scored = np.array([word not in STATE_OF for word in self._outcomes.known], bool)
        return np.where(scored[codes] & (value >= 1.0), RIGHT, by_code[codes]).astype(np.uint8)

    def _choices(self, choice: pa.Array, state: NDArray[np.uint8], line: Ints) -> NDArray[np.int32]:
        """Ranks of the options of wrong answers; of others it matters whether the log names their option."""
        said = whole(choice, NO_CHOICE)
        wrong = np.flatnonzero((state == WRONG) & (said != NO_CHOICE))
        found = np.where(said == NO_CHOICE, NO_CHOICE, 0).astype(np.int32)
        found[wrong] = self.items.ranks(line[wrong], said[wrong])
        return found


def _loops(response: pa.Array, sample: Ints, state: NDArray[np.uint8]) -> Bools:
    """Which answers that are not right repeat themselves; each response is looked at once."""
    found = np.zeros(len(state), bool)
    if response.null_count == len(response):
        return found
    asked = np.zeros(len(response), bool)
    asked[sample[state != RIGHT]] = True
    places = np.flatnonzero(asked)
    texts = response.take(packed(places)).to_pylist()
    repeats = np.zeros(len(response), bool)
    repeats[places] = [text is not None and looping(unspell(text)) for text in texts]
    return np.asarray(repeats[sample] & (state != RIGHT))


def _hashes(prompt: pa.Array) -> Prompts:
    """Hexadecimal hashes as numbers, 0 for null."""
    found = np.zeros(len(prompt), np.uint64)
    told = np.flatnonzero(valid(prompt))
    if len(told):
        digits = np.frombuffer("".join(prompt.drop_null().to_pylist()).encode(), np.uint8).reshape(len(told), 16)
        halves = np.where(digits >= ord("a"), digits - ord("a") + 10, digits - ord("0")).astype(np.uint8)
        found[told] = (halves[:, 0::2] << 4 | halves[:, 1::2]).view(">u8").ravel()
    return found


def _tables(said: _Part, reader: _Reader) -> dict[tuple[str, str], Columns]:
    order = np.argsort(said.key, kind="stable")
    ends = np.searchsorted(said.key[order], np.arange(len(reader.keys) + 1))
    item = reader.items.items()
    sides: dict[str, tuple[Ints, Items]] = {}
    found = {}
    for name, code in reader.keys.items():
        found[name] = _table(name, said, order[ends[code] : ends[code + 1]], item, (reader, sides))
    return found


def _table(
    name: tuple[str, str],
    said: _Part,
    rows: Ints,
    item: Ints,
    shared: tuple[_Reader, dict[str, tuple[Ints, Items]]],
) -> Columns:
    """One task and scorer; its items come in the order in which they were first answered, as they stood then."""
    reader, sides = shared
    place, first = in_order(item[said.line[rows]])
    lines = said.line[rows[first]]
    side = sides.get(name[0])
    if side is None or not np.array_equal(side[0], lines):
        side = sides[name[0]] = (lines, reader.items.take(lines))
    answered = Answered(
        place=place,
        draw=said.draw[rows],
        state=said.state[rows],
        choice=said.choice[rows],
        value=said.value[rows],
        loops=said.loops[rows],
    )
    return table(name, side[1], said.prompt[rows[first]], _seeds(said.draw[rows], said.seed[rows]), answered)


def _seeds(draw: Ints, seed: Ints) -> dict[int, int | None]:
    """Each draw's seed: that of its first answer."""
    numbers, first = np.unique(draw, return_index=True)
    seeds = seed[first].tolist()
    return {number: None if one == _NO_SEED else one for number, one in zip(numbers.tolist(), seeds, strict=True)}
