"""From lm-eval samples to rows: the lines of one item become one row with a score for each metric and filter."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from forgetmap.formats.closed import golds_of
from forgetmap.formats.lm_eval import answers, choice
from forgetmap.formats.lm_eval import content as content_of
from forgetmap.formats.lm_eval.filters import listed_filters
from forgetmap.formats.lm_eval.hints import resolve
from forgetmap.formats.lm_eval.metrics import Metrics
from forgetmap.formats.lm_eval.options import (
    Options,
    chosen,
    golds,
    golds_of_row,
    is_ambiguous,
    letter,
    lettered,
    offered,
    options_of,
)
from forgetmap.formats.lm_eval.requests import (
    Entry,
    Kind,
    Requests,
    filter_name,
    filtered,
    kind,
    loglikelihoods,
    metric_values,
    number,
    prompt,
    requests,
    responses,
)
from forgetmap.records.mending import Said, mended
from forgetmap.records.schema import Item, Row, Sample, Score

_LOADERS = frozenset({"json", "csv", "text", "parquet", "arrow"})
_STRICT = {"strict-match": 0, "flexible-extract": 1}
"""The usual filters of tasks with several, as such tasks list them."""
_VOTES = 25
"""Samples that may settle what digits in `target` mean."""


class Asked(NamedTuple):
    """One sample understood: how it was asked, its options where there are any, and its golds."""

    kind: Kind
    requests: Requests
    columns: content_of.Columns
    options: Options | None
    golds: tuple[int, ...]
    """Indexes in `options.choices`."""
    texts: tuple[str, ...]
    """What the golds say."""


@dataclass(slots=True)
class TaskRows:
    """Makes the rows of one task. `again` gives all its samples once more, for questions one sample cannot answer."""

    task: str
    config: Mapping[str, Any]
    metrics: Metrics
    k: Said
    """The user's word on the number of options."""
    again: Callable[[], Iterator[Entry]]
    unresolved: int = 0
    """Items for which the user's path to the number of options led nowhere."""
    left_out: dict[str, str] = field(default_factory=dict)
    """Metrics met that say nothing item by item, and why."""
    _digits: bool | None = None
    _closed: bool | None = None
    _listed: dict[str, int] = field(init=False)
    """Place of each filter that the task's settings list."""
    _scorers: dict[tuple[str, str], str | None] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._listed = {name: place for place, name in enumerate(listed_filters(self.config))}

    def row(self, native: int | str, entries: Sequence[Entry]) -> Row | None:
        """One item under one or several filters, in the order given; null where no metric says anything item by item."""
        first = entries[0]
        asked = self._understand(first)
        scores = [score for entry in entries for score in self._scores(entry, asked)]
        if not scores:
            return None
        response = answers.kept_response(responses(first), filtered(first)) if asked.kind == "text" else None
        sample = Sample(prompt=prompt(asked.requests), response=response)
        return Row(self._item(native, first, asked), sample, tuple(scores))

    def in_order(self, filters: Iterable[str]) -> list[str]:
        """Filters as the task's settings list them; others, the strict ones first, by name."""
        return sorted(filters, key=lambda name: (self._listed.get(name, len(self._listed)), _STRICT.get(name, 2), name))

    def says_something(self, entry: Entry) -> bool:
        """Whether a sample holds any metric that is a score of its item; the others are remembered as left out."""
        name = filter_name(entry)
        named = [self._scorer(metric, name) for metric in metric_values(entry)]
        return named.count(None) < len(named)

    def _understand(self, entry: Entry) -> Asked:
        asked, content, target = requests(entry), entry.get("doc"), entry.get("target")
        known, how = content_of.columns(content), kind(asked, entry)
        if how == "greedy" and any(len(texts) == 1 for texts in content_of.option_lists(content, known)):
            how = "choice"
        if how == "choice" and (options := offered(asked, content, known)) is not None:
            places = golds(target, options, lambda: self._digits_are_indexes(content)) or golds_of_row(content, options)
        elif how == "text" and (texts := next(content_of.option_lists(content, known), None)):
            options = options_of(texts)
            places = golds(target, options, lambda: bool(self.config.get("doc_to_choice")))
        else:
            return Asked(how, asked, known, None, (), answers.open_golds(target))
        right = chosen(places, options)
        return Asked(how, asked, known, options, right, tuple([options.choices[place] for place in right]))

    def _item(self, native: int | str, entry: Entry, asked: Asked) -> Item:
        content, known, options = entry.get("doc"), asked.columns, asked.options
        k, chance = self._chance(entry, asked)
        item = Item(
            self.task,
            str(native),
            content_of.domain(content, known),
            content_of.question(content, known),
            None if options is None or options.texts is None else options.choices,
            asked.texts or (answers.open_golds(entry.get("target"))[:1] if asked.kind == "text" else ()),
            k,
            chance,
            content_of.cluster(content, known),
            self._origin,
            content_of.meta(content, known),
        )
        return item if chance is not None or self.k is None else self._mended(item, entry)

    def _mended(self, item: Item, entry: Entry) -> Item:
        """The item with what the user says of its options."""
        said = resolve(self.k, entry)
        self.unresolved += said is None
        return mended(item, said)

    @property
    def _origin(self) -> str | None:
        """The data set; the name of a mere loader says nothing."""
        path = self.config.get("dataset_path")
        return path if isinstance(path, str) and path not in _LOADERS else None

    def _chance(self, entry: Entry, asked: Asked) -> tuple[int | None, float | None]:
        """Number of options and chance; both null where the log does not tell, and 0 for open answers."""
        if asked.options is not None:
            return asked.options.k, len(asked.golds) / asked.options.k if asked.golds else None
        if self.k is not None:
            # That a log shows no options only suggests an open answer, so the user's word counts for more.
            return None, None
        if asked.kind == "greedy":
            return None, 0.0
        known = asked.kind == "text" and any(map(str.strip, asked.texts))
        return None, 0.0 if known and not self._is_closed else None

    def _choosable(self, entry: Entry, asked: Asked) -> tuple[Options | None, tuple[int, ...]]:
        """Options that a generated answer may name, and the golds among them: the log's, else letters as far as the user says."""
        if asked.options is not None or self.k is None:
            return asked.options, asked.golds
        k, named = (
            resolve(self.k, entry),
            tuple([letter(text) for text in asked.texts or answers.open_golds(entry.get("target"))]),
        )
        if not isinstance(k, int) or not named or not all(0 <= place < k for place in named):
            return None, ()
        return lettered(k), named

    @property
    def _is_closed(self) -> bool:
        """Whether the task's golds are few and come again and again: then an answer can be guessed, though no options are shown."""
        if self._closed is None:
            told = ((str(entry.get("doc_id")), answers.open_golds(entry.get("target"))) for entry in self.again())
            self._closed = golds_of(told).closed
        return self._closed

    def _scores(self, entry: Entry, asked: Asked) -> Iterator[Score]:
        name, rank = filter_name(entry), None
        options, right = self._choosable(entry, asked) if asked.kind == "text" else (None, ())
        if asked.kind == "choice" and asked.options is not None:
            rank = choice.ranked(asked.options, asked.golds, loglikelihoods(entry))
        for metric, logged in metric_values(entry).items():
            scorer, value = self._scorer(metric, name), number(logged)
            if scorer is None:
                continue
            if value is None or value != value:
                yield Score(scorer, "failed", found="the log holds no number")
            elif rank is not None:
                yield choice.score(scorer, metric, value, rank)
            elif asked.kind == "text":
                yield answers.score(scorer, value, self._answer(entry, asked), options, right)
            else:
                yield Score(scorer, "scored", value)

    def _answer(self, entry: Entry, asked: Asked) -> answers.Answer:
        found = filtered(entry)
        settings = asked.requests.continuations[0] if asked.requests.continuations else None
        limit = answers.token_limit(settings) or answers.token_limit(self.config.get("generation_kwargs"))
        return answers.Answer(answers.kept_response(responses(entry), found), found, limit)

    def _scorer(self, metric: str, filter: str) -> str | None:
        """The name of a score; null where the metric says nothing item by item."""
        key = (metric, filter)
        if key not in self._scorers:
            why = self.metrics.left_out(metric)
            self._scorers[key] = f"{metric},{filter}" if why is None else None
            self.left_out |= {} if why is None else {metric: why}
        return self._scorers[key]

    def _digits_are_indexes(self, content: Any) -> bool:
        """Whether digits in `target` are an index, as the task's settings tell, else as most of its stored scores do."""
        if self._digits is None:
            told = _told_by(self.config.get("doc_to_target"), content)
            self._digits = _voted(self.again()) if told is None else told
        return self._digits


def _told_by(setting: Any, content: Any) -> bool | None:
    """`doc_to_target` is an index, a column of the row, or a template; digits that a template makes are an index."""
    if isinstance(setting, int):
        return True
    if not isinstance(setting, str):
        return None
    if isinstance(content, dict) and setting in content:
        return isinstance(content[setting], int)
    return True if setting.isdecimal() or "{{" in setting or "{%" in setting else None


def _voted(entries: Iterator[Entry]) -> bool:
    """Count the samples whose stored score fits only one of the two readings; without any, an index, as is usual."""
    for_index = against = 0
    for entry in entries:
        vote = _vote(entry)
        for_index, against = for_index + (vote is True), against + (vote is False)
        if for_index + against >= _VOTES:
            break
    return for_index >= against


def _vote(entry: Entry) -> bool | None:
    """Whether the stored accuracy fits digits as an index (true), as a text (false), or does not tell."""
    content, target = entry.get("doc"), entry.get("target")
    options, stored = offered(requests(entry), content, content_of.columns(content)), metric_values(entry).get("acc")
    given = loglikelihoods(entry)
    if options is None or not given or stored not in (0, 1) or not is_ambiguous(target, options):
        return None
    place = given.index(max(given[: len(options.places)]))
    fits = [(place in golds(target, options, reading)) == bool(stored) for reading in (_yes, _no)]
    return None if fits[0] == fits[1] else fits[0]


def _yes() -> bool:
    return True


def _no() -> bool:
    return False
