"""Pictures of the report for the README and the docs, made from the study of `forgetmap demo`.

    make demo && python experiments/screenshots.py forgetmap-demo/report.html docs/images

Needs Debian's Chromium and the `dev` extra.
"""

import argparse
import shutil
from pathlib import Path
from typing import Any

FLAGS = ("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking")
SHOTS: dict[str, dict[str, Any]] = {
    "report": {"address": "#level=domain", "viewport": {"width": 1180, "height": 980}},
    "report-dark": {"address": "#level=domain", "viewport": {"width": 1180, "height": 980}, "color_scheme": "dark"},
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("report", type=Path)
    parser.add_argument("folder", type=Path)
    said = parser.parse_args()
    said.folder.mkdir(parents=True, exist_ok=True)
    shoot(said.report.resolve(), said.folder)


def shoot(report: Path, folder: Path) -> None:
    """One PNG a shot."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as started:
        browser = started.chromium.launch(executable_path=shutil.which("chromium"), args=list(FLAGS))
        for name, how in SHOTS.items():
            context = browser.new_context(
                offline=True, **{key: value for key, value in how.items() if key != "address"}
            )
            page = context.new_page()
            page.goto(report.as_uri() + how["address"])
            page.wait_for_selector("body[data-ready]")
            page.screenshot(path=folder / f"{name}.png")
            context.close()
        browser.close()


if __name__ == "__main__":
    main()
