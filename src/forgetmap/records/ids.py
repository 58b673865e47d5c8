"""Names of items: a hash of what an item says, plus the number of its occurrence in the task."""

from functools import lru_cache
from hashlib import blake2b

from forgetmap.records.schema import Item, Row

NATIVE = "n"
"""First letter of an id made from the native id, where a log has no content; content ids are hexadecimal."""


@lru_cache(maxsize=256)
def collapse(text: str) -> str:
    """White space runs become one space; case and everything else stay.

    >>> collapse("  What \\n is\\tit? ")
    'What is it?'
    """
    return " ".join(text.split())


def content_id(item: Item) -> str:
    """Name an item by its question, its options as a set, and the texts of its golds; by its native id where it has no question
    (options alone, such as yes and no, are those of many items).

    >>> a = Item("t", question="1+1?", choices=("2", "3"), golds=("2",))
    >>> b = Item("t", question="1+1? ", choices=("3", "2"), golds=("2",))
    >>> content_id(a) == content_id(b)
    True
    """
    digest = blake2b(digest_size=10)
    if item.question is None and (item.native_id is not None or item.choices is None):
        digest.update((item.native_id or "").encode("utf-8", "surrogatepass"))
        return NATIVE + digest.hexdigest()
    options = sorted({collapse(option) for option in item.choices or ()})
    golds = sorted({collapse(gold) for gold in item.golds})
    # A question comes once, so it would only push options out of the cache of `collapse`.
    parts = [" ".join((item.question or "").split()), str(len(options)), *options, *golds]
    digest.update("\x1f".join(parts).encode("utf-8", "surrogatepass"))
    return digest.hexdigest()


def prompt_id(prompt: str) -> str:
    """Name a prompt by its exact text."""
    return blake2b(prompt.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


class Namer:
    """Gives every row of one run its item id, in the order in which the rows come.

    Two rows with one content and different native ids are two occurrences (`…` and `…-1`). A row that repeats item, draw and scorer
    under the same native id is a duplicate and gets no name. Without native ids a repeat is another occurrence.
    """

    def __init__(self) -> None:
        self._tasks: dict[str, _Names] = {}

    def name(self, row: Row) -> str | None:
        names = self._tasks.get(row.item.task)
        if names is None:
            names = self._tasks[row.item.task] = _Names()
        content = content_id(row.item)
        draw, scorer = row.sample.draw, row.scores[0].scorer if row.scores else ""
        if row.item.native_id is None:
            return _numbered(content, names.repeat((content, draw, scorer)))
        name = _numbered(content, names.occurrence(content, row.item.native_id))
        return name if names.is_new(name, draw, scorer) else None


class _Names:
    """The names given in one task. Nearly all content comes once, so only repeats get tables of their own."""

    def __init__(self) -> None:
        self._first: dict[str, str] = {}
        self._again: dict[str, dict[str, int]] = {}
        self._repeats: dict[tuple[str, int, str], int] = {}
        self._seen: dict[tuple[int, str], set[str]] = {}

    def occurrence(self, content: str, native_id: str) -> int:
        """How many other native ids had this content before."""
        first = self._first.setdefault(content, native_id)
        if first == native_id:
            return 0
        natives = self._again.setdefault(content, {first: 0})
        return natives.setdefault(native_id, len(natives))

    def repeat(self, answer: tuple[str, int, str]) -> int:
        """How often this content, draw and scorer came before."""
        before = self._repeats.get(answer, 0)
        self._repeats[answer] = before + 1
        return before

    def is_new(self, name: str, draw: int, scorer: str) -> bool:
        """Whether this answer comes for the first time."""
        seen = self._seen.setdefault((draw, scorer), set())
        before = len(seen)
        seen.add(name)
        return len(seen) > before


def _numbered(content: str, occurrence: int) -> str:
    return content if occurrence == 0 else f"{content}-{occurrence}"
