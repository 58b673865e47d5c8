"""Words: the glossary's, in names, comments, messages and pages."""

import ast
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.house.exceptions import BANNED_NAMES, BANNED_WORDS, unexplained
from tests.house.source import documents, python_files, tracked_files, tree, within

# Only words that are always wrong here: "base" is also a word of merging, "metric" and "run" are nouns of ours.
NAMES = {
    "ft tgt src": "before, after",
    "delta deltas": "net (change)",
    "acc": "accuracy, or score",
    "doc docs": "item",
    "df dfs": "what its rows are",
    "cfg": "the few values it holds",
    "epoch epochs replicate replicates": "draw",
    "flip flips flipped": "lost, gained",
    "degradation regression regressions": "forgetting",
    "baseline": "chance, or before",
    "leaderboard": "map",
    "skill skills": "capability",
    "algorithm technique": "recipe, objective, method or mitigation",
    "util utils": "the name of what it does",
}
PROSE = {
    "delta deltas Δacc": "net change",
    "epoch epochs replicate replicates": "draw",
    "flip flips flipped": "lost, gained",
    "degradation degradations regression regressions": "forgetting",
    "baseline baselines": "chance, or before",
    "leaderboard leaderboards": "map",
    "skill skills": "capability",
    "utils": "the name of what it does",
}
UNFINISHED = re.compile(r"\b(TODO|FIXME|XXX|raise NotImplementedError)\b")
MACHINE_PATH = re.compile(r"(?<![\w.~$})/-])/(?:work|root|home)\b")
CODE = re.compile(r"```.*?```|``[^`]*``|`[^`]*`", re.DOTALL)
FORMAT_LOSS = re.compile(r"\bformat loss\b", re.IGNORECASE)
BACKWARD_TRANSFER = re.compile(r"\bbackward transfer\b", re.IGNORECASE)


def words(table: dict[str, str]) -> set[str]:
    return {word.lower() for row in table for word in row.split()}


def names_given(module: ast.Module) -> Iterator[str]:
    """Every name that a module gives to something; what it only uses is named by others."""
    for node in ast.walk(module):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.arg):
            yield node.arg
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id


def parts(name: str) -> set[str]:
    """The words in a name.

    >>> sorted(parts("_known_beforeAfter"))
    ['after', 'before', 'known']
    """
    return {part.lower() for part in re.findall(r"[A-Z]?[a-z]+|[A-Z]+", name)}


def prose_of_code(path: Path) -> str:
    """Comments, docstrings, and strings that hold a space: what a person reads. Code within back-quotes is left out."""
    strings = (node.value for node in ast.walk(tree(path)) if isinstance(node, ast.Constant))
    said = [text for text in strings if isinstance(text, str) and " " in text]
    with tokenize.open(path) as source:
        said += [token.string for token in tokenize.generate_tokens(source.readline) if token.type == tokenize.COMMENT]
    return CODE.sub(" ", "\n".join(said))


def banned_words(text: str) -> set[str]:
    """Words of `text` that the glossary has another word for.

    >>> banned_words("The delta is a net change.")
    {'delta'}
    """
    found = {word.lower() for word in re.findall(r"\w+", text)} & words(PROSE)
    return found | set(FORMAT_LOSS.findall(text))


def test_names_in_the_package_are_the_glossary_s() -> None:
    given = {(within(path), name) for path in python_files("src") for name in names_given(tree(path))}
    banned = {f"{path}::{name}" for path, name in given if parts(name) & words(NAMES)}

    assert unexplained(banned, BANNED_NAMES) == set()


def test_comments_messages_and_pages_use_the_glossary_s_words() -> None:
    texts = {within(path): prose_of_code(path) for path in python_files("src")}
    texts |= {within(path): CODE.sub(" ", path.read_text(encoding="utf-8")) for path in documents()}
    banned = {f"{name}: {', '.join(sorted(found))}" for name, text in texts.items() if (found := banned_words(text))}
    excepted = {line for line in banned if line.split(":")[0] in BANNED_WORDS}

    assert banned - excepted == set()
    assert {line.split(":")[0] for line in excepted} == set(BANNED_WORDS), "an exception that nothing needs any more"


@pytest.mark.parametrize("page", documents(), ids=within)
def test_a_page_names_the_papers_word_for_gain_at_most_once(page: Path) -> None:
    assert len(BACKWARD_TRANSFER.findall(page.read_text(encoding="utf-8"))) <= 1


@pytest.mark.parametrize("path", python_files("src"), ids=within)
def test_nothing_in_the_package_is_left_for_later(path: Path) -> None:
    assert UNFINISHED.search(path.read_text(encoding="utf-8")) is None
    assert path.stem != "utils", "if it has no name, it has no place yet"


def test_no_tracked_file_names_a_path_of_one_machine() -> None:
    named = set()
    for path in tracked_files():
        content = path.read_bytes()
        if b"\0" not in content and MACHINE_PATH.search(content.decode("utf-8", "replace")):
            named.add(within(path))

    assert named == set()
