"""What the Hub refuses, and what it takes: one sentence each."""

from typing import Any, NamedTuple

from forgetmap.errors import HubError
from forgetmap.formats.hub.place import Place

_RESUMES = "What was fetched is kept: the same command goes on from there."


class Wanted(NamedTuple):
    """What a request is about."""

    dataset: str
    what: str = ""
    """A file or a revision of it; "" for the dataset itself."""

    def __str__(self) -> str:
        return f"{self.what} of {self.dataset}" if self.what else self.dataset


class GatedError(HubError):
    """A form is to be accepted first."""


class MissingError(HubError):
    """There is no such dataset, as far as this user may know."""


class NoRevisionError(HubError):
    """The dataset is there, but not so."""


class NotHereError(HubError):
    """The user is offline, and this was not fetched before."""


class UnreachableError(HubError):
    """Nothing came, or not all of it."""


def of(response: Any, wanted: Wanted, place: Place, *, has_token: bool) -> HubError:
    """What is to be raised for an answer of the Hub that is an error."""
    code, status = response.headers.get("X-Error-Code", ""), response.status_code
    if code == "GatedRepo":
        return GatedError(gated(wanted.dataset, place, has_token=has_token))
    if code == "RepoNotFound" or (status in (401, 404) and not code and not _is_bad_token(response, has_token)):
        return MissingError(missing(wanted, place, has_token=has_token))
    if code == "RevisionNotFound":
        return NoRevisionError(
            f"{wanted.dataset} has no revision {wanted.what}: look at {place.web(wanted.dataset)}/commits/main."
        )
    return HubError(_refused(response, wanted, place, has_token))


def _is_bad_token(response: Any, has_token: bool) -> bool:
    """Whether it is the token that the Hub complains of: unknown, or no longer valid."""
    said = response.headers.get("X-Error-Message", "").lower()
    return response.status_code == 401 and has_token and ("invalid credentials" in said or "token" in said)


def _refused(response: Any, wanted: Wanted, place: Place, has_token: bool) -> str:
    code, said = response.headers.get("X-Error-Code", ""), response.headers.get("X-Error-Message", "")
    status = response.status_code
    if _is_bad_token(response, has_token):
        return (
            f"{place.endpoint} does not know the token that was sent for {wanted.dataset}: "
            "set HF_TOKEN to a valid one (or `hf auth login`), or unset it for what is public."
        )
    if code == "EntryNotFound":
        return f"{wanted.dataset} has no file {wanted.what}: look at {place.web(wanted.dataset)}/tree/main."
    if status == 403:
        return (
            f"{place.endpoint} forbids {wanted}{f' ({said})' if said else ''}: "
            f"HF_TOKEN wants a token that may read this dataset, and a form at {place.web(wanted.dataset)} may want to be accepted."
        )
    return f"{place.endpoint} refuses {wanted} with status {status}{f' ({said})' if said else ''}."


def gated(dataset: str, place: Place, *, has_token: bool) -> str:
    form = f"accept its form at {place.web(dataset)} while you are logged in"
    if has_token:
        return f"{dataset} is gated, and the account of your token may not read it yet: {form}."
    return f"{dataset} is gated: {form}, and set HF_TOKEN to a token of that account (or `hf auth login`)."


def missing(wanted: Wanted, place: Place, *, has_token: bool) -> str:
    private = "the account of your token may not read it" if has_token else "it is private and wants HF_TOKEN"
    if wanted.what:
        return f"{place.endpoint} has no {wanted}, or {private}: look at {place.web(wanted.dataset)}."
    return f"there is no dataset {wanted.dataset} at {place.endpoint}, or {private}: check the name."


def token_file(path: str, error: Exception) -> str:
    why = error.strerror if isinstance(error, OSError) else "it holds no text"
    return f"the token in {path} cannot be read: {why}. Set HF_HOME to a folder that can, or remove the file and set HF_TOKEN."


def offline(wanted: Wanted, place: Place) -> str:
    return (
        f"HF_HUB_OFFLINE is set, and {place.cache} does not hold all of {wanted}: "
        "unset it, or give the same command once while online."
    )


def no_hub(wanted: Wanted, place: Place) -> str:
    return f"{place.endpoint} did not answer for {wanted} as the Hub does: check HF_ENDPOINT and the network's proxy."


def too_many(wanted: Wanted, place: Place, asked: int | None, *, has_token: bool) -> str:
    wait = f"wait {asked} s" if asked else "wait a few minutes"
    token = "" if has_token else " (with HF_TOKEN set it allows more)"
    return f"{place.endpoint} has had too many requests and refuses {wanted}: {wait}{token}. {_RESUMES}"


def busy(wanted: Wanted, place: Place, status: int) -> str:
    return f"{place.endpoint} is out of order (status {status}) and does not give {wanted}: try later. {_RESUMES}"


def broken(wanted: Wanted, place: Place, error: Exception, *, cut: bool) -> str:
    if cut:
        return f"{place.endpoint} cut off {wanted} again and again: try later. {_RESUMES}"
    return (
        f"{place.endpoint} could not give {wanted} ({cause(error, place)}): check the network, or try later. {_RESUMES}"
    )


def cause(error: Exception, place: Place) -> str:
    """Why there was no answer, in words."""
    name = type(error).__name__
    if "Connect" in name and "Timeout" not in name:
        return "it cannot be reached"
    if "Timeout" in name:
        return f"it said nothing for {place.timeout:g} s"
    return str(error).rstrip(".") or name


def is_final(error: Exception) -> bool:
    """Whether no further try can help."""
    return type(error).__name__ in ("UnsupportedProtocol", "LocalProtocolError", "TooManyRedirects")
