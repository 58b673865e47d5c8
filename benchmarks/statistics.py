"""How right the statistics are: bias, coverage, sizes of tests and false discoveries in worlds of which the truth is known.

8,000 studies are simulated in every world with --quick, 40,000 without. The ratios and their goals:

worst_bias      largest |mean estimate − truth| at 500 items                                              ≤ .002
coverage_low    lowest coverage of any 95 % interval or band in any world                                 ≥ .935
coverage_high   highest coverage of an interval where every score that occurs is expected 5 times or more ≤ .985
test_size       rejections at 5 % where nothing is to be found, mean over worlds, the test with most      ≤ .055
bh_false_share  share of false discoveries at q ≤ .05, mean over maps, the test with more                 ≤ .05
self_zero       largest |value| that any default gives a run against itself                               = 0
"""

import argparse
import json
import os
import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from typing import Any, NamedTuple

from _against_itself import against_itself
from _checks import Finding, coverage, false_share, published_bias, size_of_p_luck, size_of_p_net
from _settings import ITEMS, Setting, law, null_settings, passage_settings, single_settings, unchanged_settings

from forgetmap import KnowOrGuess

SHOWN = 4
BIAS_AT, ENOUGH = 500, 5


class Found(NamedTuple):
    """Everything that was simulated."""

    findings: list[Finding]
    sizes: dict[str, dict[str, float]]
    """Rejection rates by world, by test."""
    false_shares: dict[str, float]
    published: dict[str, float]
    against_itself: dict[str, float]


def settings_of_bias() -> list[Setting]:
    """Where the published formula's bias law holds: one gold, one k, all answered, luck that never repeats."""
    one_k = ("k=2;", "k=3;", "k=4;", "k=10;")
    return [s for s in single_settings() if s.name.startswith(one_k) and s.items == 3000 and not s.law.repeated_luck]


def maps(test: str) -> tuple[Setting, Setting]:
    """Cells without and with something to find."""
    if test == "p_net":
        return Setting("even", law("even", **ITEMS["k=4"]), 200, 41), Setting(
            "much", law("much", **ITEMS["k=4"]), 200, 42
        )
    noisy: dict[str, Any] = {"options": 4, "draws": 2, "slip": 0.2, "known": 0.7}
    return Setting("unchanged", KnowOrGuess(**noisy), 200, 43), Setting(
        "lost", KnowOrGuess(forgotten=0.2, **noisy), 200, 44
    )


def simulate(tables: int, workers: int) -> Found:
    """All worlds, shared among processes."""
    with ProcessPoolExecutor(workers) as pool:

        def each(check: Callable[[Setting, int], Any], settings: Iterable[Setting]) -> dict[str, Any]:
            listed = list(settings)
            return {s.name: got for s, got in zip(listed, pool.map(partial(check, tables=tables), listed), strict=True)}

        # Maps of 75 cells are few where a world has 8,000 studies; those of single draws cost next to nothing.
        wanted = {"p": tables, "p_net": 5 * tables}
        shares = {test: pool.submit(false_share, test, *maps(test), number) for test, number in wanted.items()}
        findings = each(coverage, [*passage_settings(), *unchanged_settings(), *single_settings()])
        every = [finding for some in findings.values() for finding in some]
        return Found(
            findings=every,
            sizes={
                "p": {f.setting: f.rejected for f in every if f.metric == "excess"},
                "p_net": each(size_of_p_net, null_settings("even")),
                "p_luck": each(size_of_p_luck, null_settings("none")),
            },
            false_shares={test: share.result() for test, share in shares.items()},
            published=each(published_bias, settings_of_bias()),
            against_itself=dict(against_itself()),
        )


def ratios(found: Found) -> dict[str, float]:
    """The figures that goals are set for."""
    sizes = [sum(rates.values()) / len(rates) for rates in found.sizes.values()]
    return {
        "worst_bias": max(abs(f.bias) for f in biased(found)),
        "coverage_low": min(f.coverage for f in found.findings),
        "coverage_high": max(f.coverage for f in found.findings if f.fewest >= ENOUGH),
        "test_size": max(sizes),
        "bh_false_share": max(found.false_shares.values()),
        "self_zero": max(found.against_itself.values()),
    }


def biased(found: Found) -> list[Finding]:
    """What bias is asked of."""
    return [finding for finding in found.findings if finding.items == BIAS_AT]


def report(found: Found) -> None:
    """The worst worlds of every check."""
    show("bias at 500 items", biased(found), lambda f: -abs(f.bias), lambda f: f"{f.bias:+.4f}")
    show("lowest coverage", found.findings, lambda f: f.coverage, lambda f: f"{f.coverage:.4f}")
    enough = [f for f in found.findings if f.fewest >= ENOUGH]
    show("highest coverage, every score expected 5 times", enough, lambda f: -f.coverage, lambda f: f"{f.coverage:.4f}")
    for test, rates in found.sizes.items():
        mean = sum(rates.values()) / len(rates)
        print(f"\nsize of {test} at .05: mean {mean:.4f} over {len(rates)} worlds; the largest:")
        for name in sorted(rates, key=lambda name: -rates[name])[:SHOWN]:
            print(f"  {rates[name]:.4f}  {name}")
    print(
        "\nshare of false discoveries: "
        + ", ".join(f"{test} {share:.4f}" for test, share in found.false_shares.items())
    )
    worst = max(found.published, key=lambda name: abs(found.published[name]))
    print(f"published, unclipped, less its bias law: at most {found.published[worst]:+.5f}  {worst}")
    print(f"a run against itself, {len(found.against_itself)} kinds: at most {max(found.against_itself.values())}")


def show(
    title: str, found: Sequence[Finding], key: Callable[[Finding], float], figure: Callable[[Finding], str]
) -> None:
    print(f"\n{title}, {len(found)} estimates; the worst:")
    for finding in sorted(found, key=key)[:SHOWN]:
        print(f"  {figure(finding)}  {finding.metric:<16}  {finding.setting}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="8,000 studies a world instead of 40,000")
    tables = 8_000 if parser.parse_args().quick else 40_000
    start = time.perf_counter()
    found = simulate(tables, os.cpu_count() or 1)
    print(f"{tables:,} studies in each world; {time.perf_counter() - start:.0f} s")
    report(found)
    print(json.dumps({"benchmark": "statistics", "ratios": {name: round(x, 6) for name, x in ratios(found).items()}}))


if __name__ == "__main__":
    main()
