"""How a learner follows an objective. A row is `(objective, start, times, **settings) -> Path`; time is learning rate × steps."""

LAB_DYNAMICS = {
    "flow": "forgetmap.theory.two_modes.dynamics.flow:flow",
    "natural": "forgetmap.theory.two_modes.dynamics.natural:natural",
    "sgd": "forgetmap.theory.two_modes.dynamics.sgd:sgd",
}
"""Each sits the exam of `tests/theory/two_modes/test_every_dynamics.py`."""
