"""Independent work done side by side, here or on many machines. Whoever asks for it cannot tell where it was done.

A row is a function `(jobs, work, progress) -> answers`: it calls `work(job, tell)` once for each job and returns what came of them, in the
order of the jobs. What `work` raises is raised here, and the jobs still waiting are not begun. `tell(what, rows)` says how far a job is.
"""

from collections.abc import Callable, Sequence
from typing import Any

FAN_OUTS = {
    "local": "forgetmap.fan_out.local:local",
    "ray": "forgetmap.fan_out.by_ray:by_ray",
}

Progress = Callable[[str, int], None]
"""Called now and then with what is being done and how many rows were."""
FanOut = Callable[[Sequence[Any], Callable[[Any, Progress], Any], Progress | None], list[Any]]


def silent(what: str, rows: int) -> None:
    """A progress that nobody hears."""
