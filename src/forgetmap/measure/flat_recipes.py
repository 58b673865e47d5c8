"""Means over the seeds of a recipe as rows of a map's table."""

from typing import TYPE_CHECKING, Any

import orjson

from forgetmap.measure.seed_estimate import METRICS, SeedEstimate

if TYPE_CHECKING:
    from forgetmap.measure.recipes import RecipeCell

_SAME = ("level", "name", "parent", "task", "metric", "n")


def recipe_columns() -> dict[str, str]:
    """Name and type of the columns that only recipes have."""
    return {"recipe": "string", "seeds": "int64", **{f"{name}_sd": "float64" for name in METRICS}}


def recipe_row(cell: "RecipeCell") -> dict[str, Any]:
    """One row; a recipe's runs stand together in `before` and `after`."""
    runs = {side: " ".join(dict.fromkeys(getattr(cell, side))) for side in ("before", "after")}
    found = {name: value for metric in METRICS for name, value in _mean(metric, getattr(cell, metric)).items()}
    same = {name: getattr(cell, name) for name in _SAME}
    notes = orjson.dumps(cell.notes).decode()
    return {**runs, **same, **found, "notes": notes, "recipe": cell.recipe, "seeds": cell.seeds}


def _mean(name: str, found: SeedEstimate | None) -> dict[str, Any]:
    if found is None:
        return {}
    low, high = found.both or found.within or (None, None)
    method = f"mean over {found.seeds} seed{'' if found.seeds == 1 else 's'}"
    parts = {"low": low, "high": high, "n": found.n, "method": method, "sd": found.sd}
    return {name: found.value, **{f"{name}_{part}": value for part, value in parts.items()}}
