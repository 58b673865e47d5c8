"""Shares of paths by capability: every path, and the paths of one name together."""

from dataclasses import dataclass, field, fields
from typing import Any, NamedTuple

import numpy as np

from forgetmap.measure.cell import Estimate, Level
from forgetmap.measure.estimates import CLUSTERED, PADDED, Groups, fold_scores
from forgetmap.measure.grouping import LEVELS, Group, codes, group
from forgetmap.measure.numbers import number, whole
from forgetmap.measure.path_scores import PathEvidence, PathItems, keys
from forgetmap.measure.paths import KNOWN, all_paths
from forgetmap.measure.patterns import MOST_TUPLES, REASONS
from forgetmap.measure.seed_estimate import SeedEstimate, estimates_over_seeds
from forgetmap.measure.transitions import BAND, IDENTIFIED
from forgetmap.stats.arrays import Bools, Floats, totals
from forgetmap.stats.interval import bounds as interval
from forgetmap.stats.interval import mean


class PathShare(NamedTuple):
    """One path, or the paths of one name: how many items' right answers follow it, and its share with luck taken off."""

    items: float
    estimate: Estimate | None
    seeds: SeedEstimate | None = None
    """Where a stage has several seeds; `items` and `estimate` are then means over them."""

    def to_dict(self) -> dict[str, Any]:
        nothing = {"value": None, "low": None, "high": None, "n": 0, "method": None}
        shown = {"items": self.items, **(self.estimate.to_dict() if self.estimate else nothing)}
        return {**shown, "seeds": self.seeds.to_dict() if self.seeds else None}


@dataclass(slots=True, kw_only=True)
class PathCell:
    """One capability through all stages."""

    level: Level
    name: str
    parent: str | None
    task: str | None
    scorer: str | None
    n: int
    """Items answered at all stages."""
    dropped: dict[str, int]
    accuracy: list[float | None]
    """Share right at each stage, of all n."""
    known: list[float | None]
    """Share known at each stage, of the items that paths rest on."""
    paths: dict[str, PathShare]
    """By path, a letter a stage: K known, U not known."""
    names: dict[str, PathShare]
    """The paths of one name together: kept, lost, "lost, regained", gained, "gained, lost", never, "back and forth"."""
    notes: dict[str, str] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        plain = {one.name: getattr(self, one.name) for one in fields(self)}
        shares = {kind: {name: share.to_dict() for name, share in plain[kind].items()} for kind in ("paths", "names")}
        return {**plain, **shares}


def path_cells(evidence: PathEvidence, stages: int, confidence: float) -> list[PathCell]:
    """All cells, widest level first."""
    return [cell for level in LEVELS for cell in _level(evidence, level, stages, confidence)]


class Estimated(NamedTuple):
    """The estimates of one level, by key, and by group."""

    shares: dict[str, list[Estimate | None]]
    points: dict[str, Floats]
    """Means of the scores themselves; their sums over the paths known at a stage are known even where the paths are bands."""
    seeds: dict[str, list[SeedEstimate | None]]
    raw: Floats
    """Groups × paths: items."""
    right: Floats
    """Groups × stages: items answered right, from all draws."""
    sampled: Bools
    n: Floats
    lacking: dict[str, Floats]
    by_band: Bools


def _level(evidence: PathEvidence, level: Level, stages: int, confidence: float) -> list[PathCell]:
    groups = group(evidence.leaves, level, graded=False)
    coded = codes(groups, len(evidence.leaves), evidence.items.leaf)
    found = estimated(evidence.items, coded, stages, confidence)
    return [_cell(evidence, found, one, place, stages) for place, one in enumerate(groups)]


def estimated(items: PathItems, groups: Groups, stages: int, confidence: float) -> Estimated:
    def count(rows: Bools) -> Floats:
        return totals(groups.code, rows.astype(float), groups.size)

    one, some = count(items.status == IDENTIFIED), count(items.status == BAND)
    by_band = some > one
    used = (items.status == IDENTIFIED) | (by_band[groups.code] & (items.status == BAND))
    shares: dict[str, list[Estimate | None]] = {}
    points: dict[str, Floats] = {}
    seeds: dict[str, list[SeedEstimate | None]] = {}
    for place, key in enumerate(keys(stages)):
        ends = items.low_end[:, place], items.high_end[:, place]
        shares[key], points[key] = _shares(items, groups, (used, by_band), place, confidence)
        if items.by_seed.shape[1] > 1:
            by_seed = list(items.by_seed[:, :, place].T)
            seeds[key] = estimates_over_seeds(by_seed, items, groups, used, ends, confidence)
    raw, right = (
        np.stack([totals(groups.code, column, groups.size) for column in table.T], axis=1)
        for table in (items.raw, items.right)
    )
    lacking = {reason: count(items.status == status) for status, reason in REASONS.items()}
    n, sampled = count(items.status >= 0), count(items.sampled) > 0
    return Estimated(shares, points, seeds, raw, right, sampled, n, lacking, by_band)


def _shares(
    items: PathItems, groups: Groups, used: tuple[Bools, Bools], place: int, confidence: float
) -> tuple[list[Estimate | None], Floats]:
    """Values with intervals, or bands between the interval ends of the least and the most; and the means of the scores in any case."""
    rows, by_band = used
    ends = items.low_end[:, place], items.high_end[:, place]
    least = fold_scores(items.low[:, place], items, groups, rows, ends)
    most = fold_scores(items.high[:, place], items, groups, rows, ends) if by_band.any() else least
    points = mean(fold_scores(items.by_seed[:, :, place].mean(axis=1), items, groups, rows, ends))
    value = np.where(by_band, np.nan, points)
    low, high = interval(least, confidence).low, interval(most, confidence).high
    methods = [
        "band" if band else CLUSTERED if tied else PADDED for band, tied in zip(by_band, least.clusters, strict=True)
    ]
    return [
        Estimate(number(value[code]), number(low[code]), number(high[code]), int(n), methods[code]) if n else None
        for code, n in enumerate(least.n)
    ], points


def _cell(evidence: PathEvidence, found: Estimated, one: Group, place: int, stages: int) -> PathCell:
    n = found.n[place]
    raw = dict(zip(all_paths(stages), found.raw[place], strict=True))
    shares = {
        key: PathShare(
            whole(sum(raw[path] for path in paths)),
            found.shares[key][place],
            found.seeds[key][place] if key in found.seeds and not found.by_band[place] else None,
        )
        for key, paths in keys(stages).items()
    }
    lacking = {reason: int(counts[place]) for reason, counts in found.lacking.items()}
    lacking["failed"] = int(evidence.failed[list(one.leaves)].sum())
    if found.by_band[place]:
        lacking["band_only"] = 0
    paths = {key: share for key, share in shares.items() if key in raw}
    return PathCell(
        level=one.level,
        name=one.name,
        parent=one.parent,
        task=one.task,
        scorer=one.scorer,
        n=round(n),
        dropped={reason: items for reason, items in lacking.items() if items},
        accuracy=[float(right / n) if n else None for right in found.right[place]],
        known=_known(found, place, stages),
        paths=paths,
        names={key: share for key, share in shares.items() if key not in raw},
        notes=_sampled(bool(found.sampled[place]))
        | _notes(shares, lacking, stages, items=round(n), band=bool(found.by_band[place])),
    )


def _sampled(sampled: bool) -> dict[str, str]:
    said = f"paths, and what is known, rest on {MOST_TUPLES} of more tuples of draws, taken by a fixed shuffle; accuracy rests on all draws"
    return {"draws": said} if sampled else {}


def _known(found: Estimated, place: int, stages: int) -> list[float | None]:
    paths = all_paths(stages)
    return [
        number(sum(float(found.points[path][place]) for path in paths if path[stage] == KNOWN))
        for stage in range(stages)
    ]


def _notes(
    shares: dict[str, PathShare], lacking: dict[str, int], stages: int, *, items: int, band: bool
) -> dict[str, str]:
    """Why there is a band or nothing, and which items are left out."""
    why = {
        "band_only": f"fewer than {stages} wrong options",
        "not_identified": "no chosen option in the log, or several golds among few options",
    }
    notes = {
        reason: f"{lacking[reason]:,} items count in no share: {said}"
        for reason, said in why.items()
        if lacking[reason]
    }
    if band:
        notes["paths"] = (
            f"bands, not values: {stages} stages need {stages} wrong options to tell lucky answers from knowing, and these items have fewer"
        )
        notes.pop("band_only", None)
    elif shares["kept"].estimate is None:
        notes["paths"] = (
            "right answers alone, for the number of options is not known: say it with --k"
            if lacking["chance_unknown"]
            else "right answers alone, for luck cannot be taken off any item"
        )
        if not items:
            notes["paths"] = "no item was answered at every stage"
    return notes
