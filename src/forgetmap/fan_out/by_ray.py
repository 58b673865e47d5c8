"""Jobs as tasks of Ray, on this machine or on the cluster that $RAY_ADDRESS names."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

from forgetmap.errors import SettingError
from forgetmap.fan_out import Progress, silent

Job = TypeVar("Job")
Answer = TypeVar("Answer")


def by_ray(
    jobs: Sequence[Job], work: Callable[[Job, Progress], Answer], progress: Progress | None = None
) -> list[Answer]:
    """What `work` makes of each job. Files that jobs read or write must lie where every machine sees them.

    `progress` is told of jobs that ended, not of rows.
    """
    ray = _ray()
    with _connected(ray):
        done = ray.remote(_done)
        work_there = ray.put(work)
        answers = [done.remote(work_there, job) for job in jobs]
        try:
            return [_heard(ray, answer, place, progress or silent) for place, answer in enumerate(answers, start=1)]
        except BaseException:
            for answer in answers:
                ray.cancel(answer)
            raise


def _ray() -> Any:
    try:
        import ray
    except ImportError:
        raise SettingError("work by Ray needs Ray, which is not installed: pip install 'forgetmap[ray]'.") from None
    return ray


@contextmanager
def _connected(ray: Any) -> Iterator[None]:
    """Ray as it runs already, or begun and ended here."""
    if ray.is_initialized():
        yield
        return
    ray.init(log_to_driver=False, include_dashboard=False, configure_logging=False)
    try:
        yield
    finally:
        ray.shutdown()


def _done(work: Callable[[Job, Progress], Answer], job: Job) -> Answer:
    return work(job, silent)


def _heard(ray: Any, answer: Any, place: int, tell: Progress) -> Any:
    """One answer; what `work` raised is raised as it was, without Ray's own words around it."""
    try:
        found = ray.get(answer)
    except ray.exceptions.RayTaskError as error:
        raise error.cause from None
    tell("jobs done", place)
    return found
