"""What tests of every room share."""

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

ROOT = Path(__file__).parents[1]

# Time says nothing about correctness: a busy machine must not fail a property.
settings.register_profile("house", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("house")


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of real items and model outputs, beside the project or at $FORGETMAP_DATA."""
    folder = Path(os.environ.get("FORGETMAP_DATA") or ROOT / "../shared/data").resolve()
    if not folder.is_dir():
        pytest.skip(f"the real data is not at {folder}: put it there or name its folder in $FORGETMAP_DATA")
    return folder
