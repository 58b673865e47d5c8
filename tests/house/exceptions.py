"""Every exception to a rule of the house, by name and with its reason; one that nothing needs any more fails."""

from collections.abc import Mapping

LONG_FILES: Mapping[str, str] = {}
LONG_FUNCTIONS: Mapping[str, str] = {}
MANY_PARAMETERS: Mapping[str, str] = {
    "src/forgetmap/measure/compare.py::compare": "the call behind a verb: its keywords are the verb's declared options",
    "src/forgetmap/measure/published_tables.py::published": "the call behind a verb: its keywords are the verb's declared options",
}
BANNED_NAMES: Mapping[str, str] = {}
BANNED_WORDS: Mapping[str, str] = {
    "docs/glossary.md": "names the words to avoid, in order to say what to write instead",
}


def unexplained(found: set[str], exceptions: Mapping[str, str]) -> set[str]:
    """What breaks a rule without a stated reason, and what is excepted without need.

    >>> sorted(unexplained({"a", "b"}, {"b": "because", "c": "no longer"}))
    ['a', 'c']
    """
    return found ^ set(exceptions)
