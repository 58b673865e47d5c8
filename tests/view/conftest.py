"""The study of the report's tests is that of the view's too."""

from tests.report.conftest import study

__all__ = ["study"]
