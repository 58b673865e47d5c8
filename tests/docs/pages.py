"""The code of the documentation's pages, to be run."""

import re
from pathlib import Path

DOCS = Path(__file__).parents[2] / "docs"


def code(page: str, language: str) -> list[str]:
    """Every block of one language on a page ("" = none is named), in order."""
    blocks = re.findall(r"^```(\w*)\n(.*?)^```$", (DOCS / page).read_text("utf-8"), re.DOTALL | re.MULTILINE)
    return [text for named, text in blocks if named == language]
