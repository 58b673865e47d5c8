"""Numbers as the reader meets them: estimates with their intervals, counts, and – for what is absent."""

from collections.abc import Iterable, Sequence

from forgetmap.measure.cell import Estimate
from forgetmap.measure.flat import percent

ABSENT = "–"


def count(number: float | None) -> str:
    """A number of items; with several draws an item may count in part.

    >>> count(12032), count(3.25), count(2.0), count(None)
    ('12,032', '3.2', '2', '–')
    """
    if number is None:
        return ABSENT
    return f"{number:,.0f}" if float(number).is_integer() else f"{number:,.1f}"


def estimate(found: Estimate | None, unit: str = "") -> str:
    """A value with its interval, or a band, or – for what cannot be had; `unit` follows the value.

    >>> estimate(Estimate(0.085, 0.079, 0.09, 12, "padded")), estimate(Estimate(0.085, 0.079, 0.09, 12, "padded"), " %")
    ('8.5 [7.9, 9.0]', '8.5 % [7.9, 9.0]')
    >>> estimate(Estimate(None, -0.004, 0.129, 12, "band")), estimate(Estimate(0.1, None, None, 9, "published")), estimate(None)
    ('−0.4 … 12.9', '10.0 [no interval]', '–')
    """
    if found is None or (found.value is None and found.low is None):
        return ABSENT
    if found.value is None:
        return f"{percent(found.low)} … {percent(found.high)}{unit}"
    if found.low is None or found.high is None:
        return f"{percent(found.value)}{unit} [no interval]"
    return f"{percent(found.value)}{unit} [{percent(found.low)}, {percent(found.high)}]"


def is_band(found: Estimate | None) -> bool:
    return found is not None and found.value is None and found.low is not None


def clear_of_zero(found: Estimate | None) -> bool:
    """Whether the whole interval lies above 0."""
    return found is not None and found.low is not None and found.low > 0


def p_value(p: float | None) -> str:
    """
    >>> p_value(0.03), p_value(1e-9), p_value(None)
    ('= 0.03', '< 0.001', '–')
    """
    if p is None:
        return ABSENT
    return "< 0.001" if p < 0.001 else f"= {p:.2g}"


def plural(number: float, one: str, many: str | None = None) -> str:
    """
    >>> plural(1, "item"), plural(2000, "item"), plural(2, "category", "categories")
    ('1 item', '2,000 items', '2 categories')
    """
    return f"{count(number)} {one if number == 1 else many or one + 's'}"


def listed(names: Iterable[str], most: int = 5) -> str:
    """
    >>> listed(["a"]), listed(["a", "b", "c"]), listed("abcdefgh", most=2)
    ('a', 'a, b and c', 'a, b and 6 more')
    """
    every: Sequence[str] = list(names)
    shown = [*every[:most], f"{len(every) - most} more"] if len(every) > most else [*every]
    return " and ".join([", ".join(shown[:-1]), shown[-1]]) if len(shown) > 1 else "".join(shown)
