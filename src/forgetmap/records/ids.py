"""Names of items: a hash of what an item says, plus the number of its occurrence in the task."""

from hashlib import blake2b

from forgetmap.records.schema import Item, Row

NATIVE = "n"
"""First letter of an id made from the native id, where a log has no content; content ids are hexadecimal."""


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
    parts = [collapse(item.question or ""), str(len(options)), *options, *golds]
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
        self._natives: dict[tuple[str, str], dict[str, int]] = {}
        self._seen: set[tuple[str, str, int, int, str]] = set()
        self._repeats: dict[tuple[str, str, int, str], int] = {}

    def name(self, row: Row) -> str | None:
        item, draw, scorer = row.item, row.sample.draw, row.scores[0].scorer
        content = content_id(item)
        if item.native_id is None:
            repeat = (item.task, content, draw, scorer)
            occurrence = self._repeats.get(repeat, 0)
            self._repeats[repeat] = occurrence + 1
        else:
            natives = self._natives.setdefault((item.task, content), {})
            occurrence = natives.setdefault(item.native_id, len(natives))
            key = (item.task, content, occurrence, draw, scorer)
            if key in self._seen:
                return None
            self._seen.add(key)
        return content if occurrence == 0 else f"{content}-{occurrence}"
