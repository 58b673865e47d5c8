"""Where the logs of a model are published: the two collections of the Open LLM project, and which of them a comparison uses.

    v2  June 2024 to March 2025, lm-evaluation-harness 0.4.x, gated     v1  2023 to June 2024, lighteval's flat details, open

Tasks of the two do not meet, so all models of one comparison are taken from the same.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from forgetmap.errors import HubError
from forgetmap.formats.hub import refusals
from forgetmap.formats.hub.client import Client
from forgetmap.formats.hub.dataset import Dataset, find, is_listed, may_be_read
from forgetmap.formats.hub.refusals import MissingError, NoRevisionError, NotHereError, UnreachableError, Wanted

LAYOUTS = {"v2": "open-llm-leaderboard/{}-details", "v1": "open-llm-leaderboard-old/details_{}"}
"""Datasets by layout, the one that is taken first where there are both."""

Places = dict[str, Dataset | UnreachableError]
"""The datasets of one model, by layout; an error where the Hub did not say whether there is one."""


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
    """Each model's dataset, all of the same layout; a sentence where there is none that all have and the user may read.

    Where the Hub does not say whether all are in a layout, the next stands in for it as far as it was taken before.
    """
    places: dict[Model, Places] = {model: {} for model in models}
    refused: dict[str, HubError] = {}
    for layout in LAYOUTS:
        for model, found in places.items():
            found.update(_place(client, model, layout))
        if not all(layout in found for found in places.values()):
            continue
        sets = {model: found[layout] for model, found in places.items()}
        why = next(filter(None, (_refusal(client, one) for one in sets.values())), None)
        if why is None:
            return {
                model: _noted(client, model, one, refused) for model, one in sets.items() if isinstance(one, Dataset)
            }
        refused[layout] = why
    unanswered = [one for found in places.values() for one in found.values() if isinstance(one, UnreachableError)]
    for why in [*refused.values(), *unanswered]:
        raise why
    for model, found in places.items():
        if not found:
            raise _nowhere(client, model)
    raise HubError(_apart(places))


def _place(client: Client, model: Model, layout: str) -> Places:
    name = dataset_of(model.name, layout)
    try:
        return {layout: find(client, name, model.revision)}
    except refusals.GatedError:
        return {layout: Dataset(name, "", gated=True)}
    except UnreachableError as error:
        return {layout: error}
    except (MissingError, NoRevisionError, NotHereError):
        return {}


def _refusal(client: Client, place: Dataset | UnreachableError) -> HubError | None:
    """Why it cannot be taken."""
    if isinstance(place, UnreachableError):
        return place
    if may_be_read(client, place):
        return None
    return refusals.GatedError(refusals.gated(place.name, client.place, has_token=client.has_token))


def _noted(client: Client, model: Model, taken: Dataset, refused: Mapping[str, HubError]) -> Dataset:
    """The dataset taken, with a word on those that would have been taken first."""
    said = []
    for layout, why in refused.items():
        other = dataset_of(model.name, layout)
        if not isinstance(why, UnreachableError):
            said.append(f"{model.name} has newer logs in {other}, which is gated for you")
        elif is_listed(client, taken):
            said.append(f"Whether there are newer logs in {other} could not be asked: those fetched before are taken")
        else:
            raise why
    return taken._replace(notes=(*taken.notes, *said))


def _nowhere(client: Client, model: Model) -> HubError:
    if client.place.offline:
        return NotHereError(refusals.offline(Wanted(f"the logs of {model.name}"), client.place))
    looked = " and ".join(dataset_of(model.name, layout) for layout in LAYOUTS)
    at = f" at revision {model.revision}" if model.revision else ""
    private = "" if client.has_token else ", or wants HF_TOKEN for them"
    return HubError(
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
