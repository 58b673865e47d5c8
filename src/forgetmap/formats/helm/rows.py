"""From requests of HELM and their results to rows: the stored stats decide where they were kept, else quasi-exact match."""

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from forgetmap.formats.helm import answers
from forgetmap.formats.helm.keys import Key
from forgetmap.formats.helm.offered import SEPARATE, Asked, Options, asked_in, item_of, options_of
from forgetmap.formats.helm.ranking import Ranking, ranking, shared_prompt
from forgetmap.formats.helm.stats import PREDICTED, Stats
from forgetmap.formats.inspect_log.plain import listed, mapping, text, whole
from forgetmap.formats.lines import to_json
from forgetmap.formats.lm_eval.hints import resolve
from forgetmap.records.mending import Said, mended
from forgetmap.records.schema import Item, Row, Sample, Score
from forgetmap.scorers.quasi_exact import SCORER, quasi_exact_match

RANKED = "highest log-probability"
_ONE_BY_ONE = ("ranking_binary", "language_modeling")
"""Ways of asking that give an item no single answer."""

State = Mapping[str, Any]


class Setting(NamedTuple):
    """What the answers of one task share."""

    task: str
    domain: str | None
    adapter: Mapping[str, Any]
    stats: Stats | None
    """Null where none were kept, or they do not tell several tries of an item apart."""
    k: Said
    """The user's word on the number of options."""
    closed: bool = False
    """Whether the golds of its items without options form a closed set."""

    @property
    def method(self) -> str:
        return text(self.adapter.get("method")) or ""


def row(states: Sequence[State], key: Key, draw: int, setting: Setting) -> Row:
    """One answer to one item as a row; `states` are all requests it took. ValueError says what is missing."""
    first = states[0]
    instance = first.get("instance")
    if not isinstance(instance, Mapping):
        raise ValueError("has no instance")
    if setting.stats is None and setting.method in _ONE_BY_ONE:
        raise ValueError(f"was asked as {setting.method}, and no stats say how right it is")
    asked = asked_in(instance)
    method = SEPARATE if first.get("reference_index") is not None else setting.method
    shown = None if method == SEPARATE else first.get("output_mapping")
    options = options_of(asked, method, shown, _prefixes(setting.adapter))
    item = _mended(item_of(setting.task, key, asked, options, instance), setting, first)
    error = next((why for state in states if (why := _error(state)) is not None), None)
    if method == SEPARATE:
        ranks = ranking(states, asked.references, calibrated=setting.method.endswith("calibrated"))
        sample = _ranked_sample(states, asked, draw, error)
        scores = _failed(setting) if error else tuple(_ranked(setting, key, item, options, ranks))
    else:
        sample, scores = _told(first, key, draw, setting, (item, options, error))
    if not scores:
        raise ValueError("has no stat that says how right it is")
    return Row(item, sample, scores)


def _mended(item: Item, setting: Setting, state: State) -> Item:
    if setting.adapter.get("multi_label") is True and len(item.golds) > 1:
        item = item._replace(chance=None)
    if setting.closed and item.k is None:
        item = item._replace(chance=None)
    return mended(item._replace(domain=item.domain or setting.domain), resolve(setting.k, state))


def _prefixes(adapter: Mapping[str, Any]) -> list[str]:
    """The letters before the references, where they are not A, B, C, ..."""
    named = [one for one in listed(adapter.get("reference_prefix_characters")) if isinstance(one, str)]
    if named:
        return named
    signs = [sign for sign in text(adapter.get("reference_prefix")) or "" if sign.isalnum()]
    return [chr(ord(signs[0]) + place) for place in range(26)] if signs and ord(signs[0]) < 1 << 16 else []


def _error(state: State) -> str | None:
    """Why a request got no answer. That it got one says nothing about whether it is right."""
    result = state.get("result")
    if not isinstance(result, Mapping):
        return "the request was never answered"
    if result.get("success") is False:
        return text(result.get("error")) or "the request failed, and the log does not say why"
    return None


def _names(setting: Setting) -> tuple[str, ...]:
    return (SCORER,) if setting.stats is None else setting.stats.scorers


def _failed(setting: Setting) -> tuple[Score, ...]:
    return tuple(Score(name, "failed") for name in _names(setting))


def _told(
    state: State, key: Key, draw: int, setting: Setting, about: tuple[Item, Options | None, str | None]
) -> tuple[Sample, tuple[Score, ...]]:
    """An answer in words, with its scores."""
    item, options, error = about
    result, request = mapping(state.get("result")), mapping(state.get("request"))
    told = answers.completion(result)
    given = answers.answer(
        told, options, setting.adapter, whole(request.get("max_tokens") or setting.adapter.get("max_tokens"))
    )
    sample = Sample(
        draw,
        prompt=_prompt(request),
        response=given.response,
        reasoning=text(mapping(told.get("thinking")).get("text")),
        finish_reason=answers.finish_reason(told),
        tokens=len(listed(told.get("tokens"))) or None if request.get("echo_prompt") is not True else None,
        seconds=_seconds(result),
        error=error,
    )
    if error is not None:
        return sample, _failed(setting)
    if setting.stats is None:
        return sample, (answers.judged(item, given) if given.response is not None else Score(SCORER, "failed"),)
    values = setting.stats.values.get(key, {})
    golds = options.golds if options else ()
    return sample, tuple(answers.stored(name, values.get(name), given, golds) for name in setting.stats.scorers)


def _prompt(request: Mapping[str, Any]) -> str | None:
    messages = request.get("messages")
    return text(request.get("prompt")) or (to_json(messages) if messages else None)


def _seconds(result: Mapping[str, Any]) -> float | None:
    seconds = result.get("request_time")
    return float(seconds) if isinstance(seconds, float) and math.isfinite(seconds) else None


def _ranked_sample(states: Sequence[State], asked: Asked, draw: int, error: str | None) -> Sample:
    requests = [mapping(state.get("request")) for state in states if state.get("reference_index") == 0]
    prompts = [said for request in requests if (said := _prompt(request)) is not None]
    return Sample(draw, prompt=shared_prompt(prompts, asked.references), error=error)


def _ranked(setting: Setting, key: Key, item: Item, options: Options | None, ranks: Ranking | None) -> Iterator[Score]:
    """Scores of ranked options; the option is known as long as it agrees with the stored score."""
    places = options.places if options else ()
    if setting.stats is None:
        yield _best(item, places, ranks)
        return
    values = setting.stats.values.get(key, {})
    first = values.get(PREDICTED)
    given = places[int(first)] if first is not None and 0 <= first < len(places) else _alone(places, ranks)
    chosen = answers.Answer(None, given, given, False, "unparsed", False)
    for name in setting.stats.scorers:
        score = answers.stored(name, values.get(name), chosen, options.golds if options else ())
        known = score.choice is not None
        yield score._replace(
            found=RANKED if known else score.found,
            margin=ranks.margin if ranks and known else None,
            logprobs=_by_choice(item, places, ranks),
        )


def _alone(places: Sequence[int], ranks: Ranking | None) -> int | None:
    """The one option ranked first; null where several are."""
    best = {places[place] for place in ranks.best} if ranks else set()
    return best.pop() if len(best) == 1 else None


def _best(item: Item, places: Sequence[int], ranks: Ranking | None) -> Score:
    """What the option ranked first is worth, where no stat says so; of several it is the share that is right, as HELM counts."""
    if ranks is None or item.choices is None or not item.golds:
        return Score(SCORER, "failed", found="the log-probabilities of its options are not known")
    single = _alone(places, ranks)
    scores = [quasi_exact_match(item, item.choices[places[place]]) for place in ranks.best]
    value = sum(score.value or 0.0 for score in scores) / len(scores)
    found = RANKED if single is not None else "several options share the highest log-probability"
    margin = ranks.margin if single is not None else None
    return scores[0]._replace(
        value=value, choice=single, found=found, margin=margin, logprobs=_by_choice(item, places, ranks)
    )


def _by_choice(item: Item, places: Sequence[int], ranks: Ranking | None) -> tuple[float, ...] | None:
    """One log-probability an option: the best of those that say the same."""
    if ranks is None or item.choices is None:
        return None
    return tuple(
        max(value for at, value in zip(places, ranks.logprobs, strict=True) if at == place)
        for place in range(len(item.choices))
    )
