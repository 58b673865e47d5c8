"""Self-distillation as reverse KL to a teacher that reads the demonstrations: the learner before, shifted towards the new mode."""

from forgetmap.theory.two_modes.objectives.kl import towards
from forgetmap.theory.two_modes.terms import Objective
from forgetmap.theory.two_modes.world import Mixture, World


def distillation(world: World, before: Mixture, *, shift: float = -0.5) -> Objective:
    """Reverse KL to a frozen teacher whose log odds are off by `shift`; `taught` moves the teacher too."""
    return towards(before._replace(log_odds=before.log_odds + shift))
