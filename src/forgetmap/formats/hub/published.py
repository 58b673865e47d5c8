"""Where the logs of a model are published: the two collections of the Open LLM project, and which of them a comparison uses.

    v2  June 2024 to March 2025, lm-evaluation-harness 0.4.x, gated     v1  2023 to June 2024, lighteval's flat details, open

Tasks of the two do not meet, so all models of one comparison are taken from the same.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from forgetmap.errors import HubError
from forgetmap.formats.hub import refusals
from forgetmap.formats.hub.client import Client
from forgetmap.formats.hub.dataset import Dataset, find, may_be_read
from forgetmap.formats.hub.refusals import MissingError, NoRevisionError, NotHereError, Wanted

LAYOUTS = {"v2": "open-llm-leaderboard/{}-details", "v1": "open-llm-leaderboard-old/details_{}"}
"""Datasets by layout, the one that is taken first where there are both."""

Places = Mapping[str, Dataset]
"""The datasets of one model, by layout."""


class Model(NamedTuple):
    """A model of an address, and the revision of its logs that is wanted."""

    name: str
    revision: str | None


def dataset_of(model: str, layout: str) -> str:
    """
    >>> dataset_of("org/model", "v1").rpartition("/")[2]
    'details_org__model'
    """
    return LAYOUTS[layout].format(model.replace("/", "__"))


def in_one_layout(client: Client, models: Sequence[Model]) -> dict[Model, Dataset]:
    """Each model's dataset, all of the same layout; a sentence where there is none that all have and the user may read."""
    places = {model: _places(client, model) for model in dict.fromkeys(models)}
    for model, found in places.items():
        if not found and client.place.offline:
            raise NotHereError(refusals.offline(Wanted(f"the logs of {model.name}"), client.place))
        if not found:
            raise HubError(_nowhere(client, model))
    common = [layout for layout in LAYOUTS if all(layout in found for found in places.values())]
    if not common:
        raise HubError(_apart(places))
    closed: dict[str, Dataset] = {}
    for layout in common:
        shut = next((found[layout] for found in places.values() if not may_be_read(client, found[layout])), None)
        if shut is None:
            return {model: _noted(model, found, layout, list(closed)) for model, found in places.items()}
        closed[layout] = shut
    shut = next(iter(closed.values()))
    raise refusals.GatedError(refusals.gated(shut.name, client.place, has_token=client.has_token))


def _places(client: Client, model: Model) -> Places:
    found = {}
    for layout in LAYOUTS:
        try:
            found[layout] = find(client, dataset_of(model.name, layout), model.revision)
        except refusals.GatedError:
            found[layout] = Dataset(dataset_of(model.name, layout), "", gated=True)
        except (MissingError, NoRevisionError, NotHereError):
            continue
    return found


def _noted(model: Model, found: Places, layout: str, closed: Sequence[str]) -> Dataset:
    """The dataset taken, with a word on one that would have been taken first."""
    said = [f"{model.name} has newer logs in {found[other].name}, which is gated for you" for other in closed]
    return found[layout]._replace(notes=(*found[layout].notes, *said))


def _nowhere(client: Client, model: Model) -> str:
    looked = " and ".join(dataset_of(model.name, layout) for layout in LAYOUTS)
    at = f" at revision {model.revision}" if model.revision else ""
    private = "" if client.has_token else ", or wants HF_TOKEN for them"
    return (
        f"{model.name} has no published logs that are known{at}{private}: looked for the datasets {looked} at "
        f"{client.place.endpoint}. If its logs are elsewhere, name them: hub:datasets/ORG/NAME."
    )


def _apart(places: Mapping[Model, Places]) -> str:
    said = ", ".join(f"{model.name} in {' and '.join(found)}" for model, found in places.items())
    return (
        f"the models have no collection of logs in common, and tasks of different ones do not meet: {said} "
        f"(v1 is {_owner('v1')}, v2 is {_owner('v2')})."
    )


def _owner(layout: str) -> str:
    return LAYOUTS[layout].partition("/")[0]
