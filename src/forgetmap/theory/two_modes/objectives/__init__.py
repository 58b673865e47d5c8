"""What a learner can be trained on. A row is `(world, before, **settings) -> Objective`: one function, and no class to inherit.

`before` is the learner that training starts from, which anchors refer to. An objective of your own is one file and one row here, or an
entry point of the group `forgetmap.lab_objectives`.
"""

LAB_OBJECTIVES = {
    "forward_kl": "forgetmap.theory.two_modes.objectives.kl:forward_kl",
    "reverse_kl": "forgetmap.theory.two_modes.objectives.kl:reverse_kl",
    "replay": "forgetmap.theory.two_modes.objectives.replay:replay",
    "weighted_replay": "forgetmap.theory.two_modes.objectives.replay:weighted_replay",
    "forward_anchor": "forgetmap.theory.two_modes.objectives.anchors:forward_anchor",
    "reverse_anchor": "forgetmap.theory.two_modes.objectives.anchors:reverse_anchor",
    "ewc": "forgetmap.theory.two_modes.objectives.anchors:ewc",
    "dft": "forgetmap.theory.two_modes.objectives.dft:dft",
    "reward": "forgetmap.theory.two_modes.objectives.reward:reward",
    "entropic": "forgetmap.theory.two_modes.objectives.entropic:entropic",
    "oapl": "forgetmap.theory.two_modes.objectives.oapl:oapl",
    "distillation": "forgetmap.theory.two_modes.objectives.distillation:distillation",
}
"""Each sits the exam of `tests/theory/two_modes/test_every_objective.py`."""
