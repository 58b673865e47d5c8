"""Colours are read by everyone: contrast of text on every shade, and two hues that differ for every kind of colour vision."""

from itertools import pairwise

import pytest

from forgetmap.charts.spec import SHADES
from forgetmap.charts.svg import DARK, DARK_INK_UP_TO, LIGHT, MIX

THEMES = {"light": LIGHT, "dark": DARK}
Colour = tuple[float, float, float]


def linear(colour: str) -> Colour:
    """A colour by its light, each part between 0 and 1."""
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return red, green, blue


def luminance(colour: Colour) -> float:
    return 0.2126 * colour[0] + 0.7152 * colour[1] + 0.0722 * colour[2]


def contrast(one: Colour, other: Colour) -> float:
    """The ratio of WCAG 2."""
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


TO_LMS = (
    (0.4122214708, 0.5363325363, 0.0514459929),
    (0.2119034982, 0.6806995451, 0.1073969566),
    (0.0883024619, 0.2817188376, 0.6299787005),
)
FROM_LMS = (
    (4.0767416621, -3.3077115913, 0.2309699292),
    (-1.2684380046, 2.6097574011, -0.3413193965),
    (-0.0041960863, -0.7034186147, 1.707614701),
)
# Mixing in OKLab is mixing the cube roots of LMS, since what follows them is linear.


def mixed(colour: str, paper: str, share: float) -> Colour:
    """What `color-mix(in oklab, …)` makes of two colours."""
    roots = [
        [sum(w * part for w, part in zip(row, linear(one), strict=True)) ** (1 / 3) for row in TO_LMS]
        for one in (colour, paper)
    ]
    between = [share * one + (1 - share) * other for one, other in zip(*roots, strict=True)]
    red, green, blue = (sum(w * root**3 for w, root in zip(row, between, strict=True)) for row in FROM_LMS)
    return red, green, blue


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("role", ["ink", "muted", "loss", "gain"])
def test_text_is_read_on_the_page(theme: str, role: str) -> None:
    colours = THEMES[theme]

    assert contrast(linear(colours[role]), linear(colours["paper"])) >= 4.5


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("shade", range(1, SHADES + 1))
def test_text_is_read_on_every_shade(theme: str, shade: int) -> None:
    colours = THEMES[theme]
    text = colours["on"] if shade > DARK_INK_UP_TO else colours["ink"]

    assert contrast(linear(text), mixed(colours["loss"], colours["paper"], MIX[shade] / 100)) >= 4.5


def test_shades_grow_deeper_by_steps_that_are_seen() -> None:
    for colours in THEMES.values():
        deep = [
            contrast(mixed(colours["loss"], colours["paper"], share / 100), linear(colours["paper"])) for share in MIX
        ]

        assert all(later > 1.08 * earlier for earlier, later in pairwise(deep))


# Machado, Oliveira and Fernandes 2009, full deficiency, on linear light.
DEFICIENT = {
    "protan": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deutan": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.01182, 0.04294, 0.968881)),
    "tritan": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.3039)),
}


@pytest.mark.parametrize("vision", DEFICIENT)
@pytest.mark.parametrize("theme", THEMES)
def test_loss_and_gain_differ_for_every_kind_of_colour_vision(theme: str, vision: str) -> None:
    def seen(role: str) -> list[float]:
        light = linear(THEMES[theme][role])
        lms = [max(sum(w * p for w, p in zip(row, light, strict=True)), 0) for row in DEFICIENT[vision]]
        return [sum(w * p for w, p in zip(row, lms, strict=True)) ** (1 / 3) for row in TO_LMS]

    assert sum((one - other) ** 2 for one, other in zip(seen("loss"), seen("gain"), strict=True)) ** 0.5 > 0.15
