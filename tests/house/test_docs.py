"""The documentation names everything public, and its links lead somewhere."""

import re
import tomllib
from pathlib import Path

import pytest

import forgetmap
from tests.house.source import ROOT, documents, within

LINK = re.compile(r"(?<!!)\[[^\]]*\]\(([^)\s]+)\)|!\[[^\]]*\]\(([^)\s]+)\)")
CODE = re.compile(r"```.*?```|`[^`\n]+`", re.DOTALL)
HEADING = re.compile(r"^#+ +(.+?) *$", re.MULTILINE)
PUBLIC = sorted(set(getattr(forgetmap, "__all__", ())) - {"__version__"})


def code_in_docs() -> str:
    """All that stands as code in docs/, where a name or a verb is shown in use."""
    pages = sorted((ROOT / "docs").rglob("*.md"))
    return "\n".join(code for page in pages for code in CODE.findall(page.read_text(encoding="utf-8")))


def anchors(page: Path) -> set[str]:
    """What a link may name after `#`, by the rule of common Markdown hosts."""
    headings = HEADING.findall(CODE.sub(lambda code: code[0].strip("`"), page.read_text(encoding="utf-8")))
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def links(page: Path) -> list[str]:
    """Where a page leads, other than out of the project."""
    text = CODE.sub("", page.read_text(encoding="utf-8"))
    return [target for match in LINK.findall(text) if "://" not in (target := match[0] or match[1])]


@pytest.mark.parametrize("name", PUBLIC)
def test_every_public_name_is_in_the_documentation(name: str) -> None:
    assert re.search(rf"\b{name}\b", code_in_docs())


@pytest.mark.parametrize("page", documents(), ids=within)
def test_links_lead_somewhere(page: Path) -> None:
    for link in links(page):
        file, _, anchor = link.partition("#")
        target = (page.parent / file).resolve() if file else page
        assert target.exists(), f"{within(page)} links to {link}, which is not there"
        if anchor and target.suffix == ".md":
            assert anchor in anchors(target), f"{within(page)} links to {link}, a heading that is not there"


def test_every_page_of_the_documentation_can_be_reached_from_its_index() -> None:
    index = ROOT / "docs" / "README.md"
    reached, waiting = set(), [index]
    while waiting:
        page = waiting.pop()
        reached.add(page)
        nearby = {(page.parent / link.partition("#")[0]).resolve() for link in links(page)}
        waiting += [other for other in nearby if other.suffix == ".md" and other.is_file() and other not in reached]

    assert {within(page) for page in set(documents()) - reached if page.parent != ROOT} == set()


def test_the_changelog_has_a_section_for_what_is_unreleased() -> None:
    headings = HEADING.findall((ROOT / "CHANGELOG.md").read_text(encoding="utf-8"))

    assert "Unreleased" in headings


def test_every_dependency_has_its_line_among_the_decisions() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    wanted = [
        *project["dependencies"],
        *(name for extra in project["optional-dependencies"].values() for name in extra),
    ]
    names = {re.split(r"[\[<>=!~; ]", line)[0] for line in wanted} - {project["name"]}
    said = (ROOT / "docs" / "decisions" / "0002-dependencies.md").read_text(encoding="utf-8")

    assert {name for name in names if f"`{name}`" not in said} == set()
