"""One dataset at one commit: which files it has, asked of the Hub once and known from then on."""

from typing import NamedTuple
from urllib.parse import quote

from forgetmap.errors import HubError
from forgetmap.formats.hub import refusals
from forgetmap.formats.hub.cache import Counts, Shelf, is_commit
from forgetmap.formats.hub.client import Client
from forgetmap.formats.hub.refusals import UnreachableError, Wanted

MAIN = "main"


class Dataset(NamedTuple):
    """A dataset at a commit."""

    name: str
    commit: str
    """"" where the Hub tells this user nothing but that there is a form."""
    gated: bool
    notes: tuple[str, ...] = ()

    @property
    def address(self) -> str:
        """What brings exactly this again."""
        return f"hub:datasets/{self.name}@{self.commit}"


def find(client: Client, name: str, revision: str | None) -> Dataset:
    """The dataset at a revision, by default its main branch. Where the Hub is out of reach, as it was last time."""
    shelf, revision = Shelf(client.place.cache, name), revision or MAIN
    known = revision if is_commit(revision) else shelf.commit(revision)
    if known is not None and shelf.sizes(known) is not None and (client.place.offline or known == revision):
        return Dataset(name, known, gated=False)
    try:
        found = _asked(client, name, revision)
    except UnreachableError:
        if known is None or shelf.sizes(known) is None:
            raise
        return Dataset(name, known, False, (f"The Hub cannot be reached: {name} is taken as it was fetched before",))
    shelf.keep_commit(revision, found.commit)
    return found


def _asked(client: Client, name: str, revision: str) -> Dataset:
    at = "" if revision == MAIN else f"/revision/{quote(revision, safe='')}"
    wanted = Wanted(name, "" if revision == MAIN else revision)
    said, _ = client.json(f"/api/datasets/{name}{at}", wanted)
    commit = said.get("sha") if isinstance(said, dict) else None
    if not is_commit(commit):
        raise HubError(refusals.no_hub(wanted, client.place))
    return Dataset(name, str(commit), gated=bool(said.get("gated")))


def is_listed(client: Client, dataset: Dataset) -> bool:
    """Whether its files were asked for before."""
    return Shelf(client.place.cache, dataset.name).sizes(dataset.commit) is not None


def may_be_read(client: Client, dataset: Dataset) -> bool:
    """Whether the user may have the files: of a gated dataset the Hub lists them to everybody."""
    if not dataset.commit or not dataset.gated:
        return bool(dataset.commit)
    try:
        client.get(f"/api/datasets/{dataset.name}/auth-check", Wanted(dataset.name))
    except refusals.GatedError:
        return False
    except refusals.MissingError:
        return True  # a mirror that knows no such question: the files themselves will tell
    except UnreachableError:
        if not is_listed(client, dataset):
            raise
    return True


def sizes(client: Client, dataset: Dataset) -> Counts:
    """Every file and its size, whatever its name."""
    shelf = Shelf(client.place.cache, dataset.name)
    known = shelf.sizes(dataset.commit)
    if known is None:
        known = _listed(client, dataset)
        shelf.keep_sizes(dataset.commit, known)
    return known


def _listed(client: Client, dataset: Dataset) -> Counts:
    found: Counts = {}
    seen = set[str]()
    page: str | None = f"/api/datasets/{dataset.name}/tree/{dataset.commit}?recursive=true&expand=false"
    while page is not None:
        seen.add(page)
        entries, page = client.json(page, Wanted(dataset.name, dataset.commit))
        if not isinstance(entries, list) or not all(map(_is_entry, entries)) or page in seen:
            raise HubError(refusals.no_hub(Wanted(dataset.name), client.place))
        found |= {one["path"]: one["size"] for one in entries if one["type"] == "file"}
    return found


def _is_entry(one: object) -> bool:
    """Whether this tells of a file what it must, or of something else that it is no file."""
    if not isinstance(one, dict) or not isinstance(one.get("type"), str):
        return False
    return one["type"] != "file" or (
        isinstance(one.get("path"), str) and type(one.get("size")) is int and one["size"] >= 0
    )
