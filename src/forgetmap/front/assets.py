"""The script and the style that report and view share; where a page gets its data is a script of its own (`source`)."""

import re
from pathlib import Path

from forgetmap.charts.svg import style as chart_style

_SHARED = Path(__file__).parent / "assets"
_COMMENTS = re.compile(r"^ *\/\*.*?\*\/ *$", re.DOTALL | re.MULTILINE)


def script(source: Path) -> str:
    """What draws a page, then the script that says where its data comes from; without comments and indents, which nobody reads here."""
    texts = [(_SHARED / "app.js").read_text("utf-8"), source.read_text("utf-8")]
    lines = (line.strip() for text in texts for line in _COMMENTS.sub("", text).splitlines())
    return "\n".join(line for line in lines if line)


def style(*more: Path) -> str:
    """The style without the blanks that mean nothing in it."""
    texts = [one.read_text("utf-8") for one in (_SHARED / "style.css", *more)]
    own = re.sub(r"\s*([{};,])\s*", r"\1", "".join(texts))
    return chart_style() + own.replace(": ", ":")
