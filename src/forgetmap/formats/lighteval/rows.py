"""From lighteval's details to rows: the stored metrics decide, log-likelihoods and extracted letters tell the option chosen."""

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from forgetmap.formats.lighteval.content import Asked, are_labels, asked
from forgetmap.formats.lighteval.details_row import Details
from forgetmap.formats.lighteval.two_sets import first_set
from forgetmap.formats.lines import to_json
from forgetmap.formats.lm_eval import answers, choice
from forgetmap.formats.lm_eval import content as columns_of
from forgetmap.formats.lm_eval.hints import resolve
from forgetmap.formats.lm_eval.metrics import Metrics
from forgetmap.formats.lm_eval.options import Options, chosen, letter
from forgetmap.formats.lm_eval.requests import number
from forgetmap.records.ids import collapse
from forgetmap.records.mending import Said, mended
from forgetmap.records.schema import Item, Row, Sample, Score

_NORMALISED_OTHERWISE = re.compile(r"token|pmi|byte|unconditioned", re.IGNORECASE)
_PLAIN = re.compile(r"(?:loglikelihood_)?acc(?:_single_token)?|(?:truthfulqa_)?mc1")
_EXTRACTS = re.compile(r"extractive|pass@|avg@|maj@", re.IGNORECASE)
"""Metrics that first look for an answer in the text."""
UNCERTAIN = "which option was chosen depends on how its length is counted"
EXTRACTED = "extracted_predictions"


@dataclass(slots=True)
class TaskRows:
    """Makes the rows of one task."""

    task: str
    config: Mapping[str, Any]
    metrics: Metrics
    k: Said
    """The user's word on the number of options."""
    draw: int = 0
    seed: int | None = None
    limit: int | None = None
    """Tokens of an answer, where the row does not say."""
    unresolved: int = 0
    """Items for which the user's path to the number of options led nowhere."""
    contradicted: int = 0
    """Scores that the log-likelihoods speak against."""
    hidden: int = 0
    """Items whose gold is −1: the log does not tell the right option."""
    left_out: dict[str, str] = field(default_factory=dict)
    """Metrics met that say nothing item by item, and why."""

    def row(self, details: Details) -> Row | None:
        """One item; null where no metric says anything about it. ValueError says what is missing."""
        details = first_set(details)
        offered = _offered(details.choices)
        golds = _gold_places(details, offered)
        question, ranked = asked(details, offered), _loglikelihoods(details, len(offered))
        if ranked is None and not _shown(details, offered, len(golds)):
            question = question._replace(options=None)
        right = () if question.options is None else chosen(golds, question.options)
        texts = _gold_texts(question.options, right, [offered[place] for place in golds])
        scores = tuple(self._scores(details, question.options, right, ranked))
        if not scores:
            return None
        self.hidden += bool(offered) and not golds
        self.contradicted += any(score.found == choice.CONTRADICTED for score in scores)
        sample = Sample(
            draw=self.draw,
            seed=self.seed,
            prompt=_prompt(details.prompt),
            response=_first_text(details.answers),
            reasoning=_first_text(details.reasoning),
        )
        return Row(self._item(details, question, texts, len(golds) == len(offered)), sample, scores)

    def _item(self, details: Details, question: Asked, golds: tuple[str, ...], all_gold: bool) -> Item:
        options, known = question.options, columns_of.columns(details.specific)
        k = None if options is None else options.k
        item = Item(
            self.task,
            None if details.native is None else str(details.native),
            columns_of.domain(details.specific, known),
            question.question,
            None if options is None or options.texts is None else options.choices,
            golds,
            k,
            len(golds) / k if k and golds else None,
            source=self._origin,
            meta=columns_of.meta(details.specific, known),
        )
        if options is None and self.k is None and all_gold and any(map(str.strip, golds)):
            # Whether the golds of all its items form a closed set is known at the end of the task only.
            return item._replace(chance=0.0)
        return item if item.chance is not None or self.k is None else self._mended(item, details)

    def _mended(self, item: Item, details: Details) -> Item:
        said = resolve(self.k, details.cells)
        self.unresolved += said is None
        return mended(item, said)

    @property
    def _origin(self) -> str | None:
        """The data set."""
        path = self.config.get("hf_repo")
        return path if isinstance(path, str) and path else None

    def _scores(
        self, details: Details, options: Options | None, golds: tuple[int, ...], given: list[float] | None
    ) -> Iterator[Score]:
        values = details.metrics if isinstance(details.metrics, dict) else {}
        for metric, logged in values.items():
            why = self.metrics.left_out(metric)
            if why is not None:
                self.left_out[metric] = why
                continue
            value = number(logged)
            if value is None or value != value:
                yield Score(metric, "failed", found="the log holds no number")
            elif given is not None and options is not None:
                yield _ranked(metric, value, self._normalised(metric), choice.ranked(options, golds, given))
            elif given is None and _first_text(details.answers) is not None:
                yield answers.score(metric, value, self._answer(metric, details), options, golds)
            else:
                yield Score(metric, "scored", value)

    def _answer(self, metric: str, details: Details) -> answers.Answer:
        limit = details.limit if isinstance(details.limit, int) and details.limit > 0 else self.limit
        return answers.Answer(_first_text(details.answers), _found(metric, details), limit)

    def _normalised(self, metric: str) -> str | None:
        """How a metric ranks options: "acc" by their log-likelihoods, "acc_norm" by those a character; null for all others."""
        told = self._settings(metric)
        if _NORMALISED_OTHERWISE.search(metric) and "single_token" not in metric:
            return None
        if "CharNorm" in told or (not told and re.fullmatch(r"(?:loglikelihood_)?acc_norm(?:_nospace)?", metric)):
            return "acc_norm"
        if "logprob_normalization=None" in told or (not told and _PLAIN.fullmatch(metric)):
            return "acc"
        return None

    def _settings(self, metric: str) -> str:
        """How the task's settings spell the making of a metric, where they say how log-likelihoods are normalised."""
        listed = self.config.get("metrics") or self.config.get("metric")
        for one in listed if isinstance(listed, list) else []:
            if isinstance(one, Mapping) and one.get("metric_name") == metric:
                told = str(one.get("sample_level_fn"))
                return told if "logprob_normalization" in told else ""
        return ""


def _ranked(metric: str, value: float, how: str | None, rank: choice.Ranked) -> Score:
    """The stored score, with the option it means where that is certain. Spaces before options count in some versions only."""
    if how != "acc_norm":
        return choice.score(metric, how or "", value, rank)
    options = rank.options
    stripped = options._replace(shown=[text.lstrip() for text in options.shown])
    one, other = (choice.score(metric, how, value, rank._replace(options=each)) for each in (options, stripped))
    return one if one.choice == other.choice else one._replace(choice=None, margin=None, found=UNCERTAIN)


def _offered(given: Any) -> list[str]:
    """The row's choices as texts; none is an empty list."""
    if given is None:
        return []
    if not isinstance(given, list) or not all(isinstance(one, str | int | float) for one in given):
        raise ValueError("has choices that are no list of texts")
    return [str(one) for one in given]


def _gold_places(details: Details, offered: Sequence[str]) -> list[int]:
    """Indexes of the golds among the choices; none where the log does not tell. ValueError where an index is beyond them."""
    named = details.gold_index
    if named is None:
        texts = details.gold if isinstance(details.gold, list) else [details.gold]
        return [place for place, text in enumerate(offered) if text in texts]
    places = [number(one) for one in (named if isinstance(named, list) else [named])]
    found = {int(place) for place in places if place is not None and math.isfinite(place) and place.is_integer()}
    if len(found) < len(set(places)):
        raise ValueError(f"has the gold_index {named!r:.40}, which is no index")
    if any(place >= len(offered) for place in found) and offered:
        raise ValueError(f"has the gold_index {named!r:.40}, but {len(offered)} choices")
    return sorted(place for place in found if 0 <= place < len(offered))


def _gold_texts(options: Options | None, right: tuple[int, ...], listed: Sequence[str]) -> tuple[str, ...]:
    if options is not None:
        return tuple([options.choices[place] for place in right])
    return tuple(dict.fromkeys(text.strip() for text in listed))


def _loglikelihoods(details: Details, count: int) -> list[float] | None:
    """One number an option; null where the answer was generated."""
    given = details.logprobs
    if not isinstance(given, list) or len(given) != count or count == 0:
        return None
    values = [number(one) for one in given]
    return [value for value in values if value is not None] if all(_is_real(value) for value in values) else None


def _is_real(value: float | None) -> bool:
    return value is not None and value == value


def _shown(details: Details, offered: Sequence[str], golds: int) -> bool:
    """Whether choices were options to choose from: all that were ranked; of generated answers letters, or texts that the query shows."""
    if are_labels(offered):
        return True
    several = len({collapse(text) for text in offered}) > 1
    if _first_text(details.answers) is None:
        return several and golds < len(offered)
    query = collapse(details.query) if isinstance(details.query, str) else ""
    return several and all(text.strip() and collapse(text) in query for text in offered)


def _found(metric: str, details: Details) -> str | None:
    """The letter that was found in an answer; empty where none was, as in no text; null where the log does not tell, or it is no letter."""
    told = details.specific.get(EXTRACTED) if isinstance(details.specific, dict) else None
    if isinstance(told, list) and _EXTRACTS.search(metric):
        letters = {text.strip() for text in told if isinstance(text, str) and text.strip()}
        if not letters:
            return ""
        return found if len(letters) == 1 and letter(found := letters.pop()) >= 0 else None
    texts = details.answers if isinstance(details.answers, list) else [details.answers]
    first = _first_text(details.answers)
    if first is not None and len(texts) == 1 and not first.strip():
        return ""
    return first if first is not None and len(texts) == 1 and letter(first) >= 0 else None


def _prompt(given: Any) -> str | None:
    """The prompt as text; a chat is kept as JSON."""
    return given if given is None or isinstance(given, str) else to_json(given)


def _first_text(given: Any) -> str | None:
    texts = given if isinstance(given, list) else [given]
    first = texts[0] if texts else None
    if isinstance(first, list) and first:
        first = first[0]
    return first if isinstance(first, str) else None
