"""Verdicts as JUnit XML, which build servers show as tests."""

from collections.abc import Sequence
from xml.etree import ElementTree

from forgetmap.measure.flat import percent
from forgetmap.measure.gate import Verdict
from forgetmap.measure.visible import visible
from forgetmap.measure.words import estimate
from forgetmap.pages.gate_page import named


def junit_xml(verdicts: Sequence[Verdict], *, strict: bool) -> bytes:
    """One test a budget. BLOCK fails, and with `strict` all but PASS; otherwise what is neither is skipped, with its reasons."""
    failed = sum(_fails(verdict, strict=strict) for verdict in verdicts)
    skipped = sum(verdict.decision != "PASS" for verdict in verdicts) - failed
    counts = {"tests": str(len(verdicts)), "failures": str(failed), "errors": "0", "skipped": str(skipped)}
    suites = ElementTree.Element("testsuites", counts)
    suite = ElementTree.SubElement(suites, "testsuite", {"name": "forgetmap gate", **counts})
    for verdict in verdicts:
        _add(suite, verdict, strict=strict)
    ElementTree.indent(suites)
    text: bytes = ElementTree.tostring(suites, encoding="utf-8", xml_declaration=True)
    return text


def _add(suite: ElementTree.Element, verdict: Verdict, *, strict: bool) -> None:
    name = f"{named(verdict)}: forgetting of at most {percent(verdict.budget)} %"
    runs = f"{verdict.after} since {verdict.before}"
    case = ElementTree.SubElement(suite, "testcase", {"classname": visible(runs), "name": visible(name), "time": "0"})
    if verdict.decision != "PASS":
        kind = "failure" if _fails(verdict, strict=strict) else "skipped"
        said = f"{verdict.decision}: forgetting {estimate(verdict.forgetting, ' %')}"
        mark = ElementTree.SubElement(case, kind, {"message": said})
        mark.text = visible("; ".join(verdict.reasons)) or None


def _fails(verdict: Verdict, *, strict: bool) -> bool:
    return verdict.decision == "BLOCK" or (strict and verdict.decision != "PASS")
