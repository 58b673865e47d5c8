"""What is claimed of the two modes, each claim with its formula, its simulation and a verdict.

A row is a `Claim`. Another one is one file and one row here, or an entry point of the group `forgetmap.claims`.
"""

CLAIMS = {
    "misassignment_bounds": "forgetmap.theory.two_modes.laws.overlap:MISASSIGNMENT",
    "sft_mass": "forgetmap.theory.two_modes.laws.sft:MASS",
    "sft_overlap": "forgetmap.theory.two_modes.laws.sft:OVERLAP",
    "sft_capture": "forgetmap.theory.two_modes.laws.capture:CAPTURE",
    "em_tail": "forgetmap.theory.two_modes.laws.em:TAIL",
    "em_geometric": "forgetmap.theory.two_modes.laws.em:GEOMETRIC",
    "reverse_kl_mass": "forgetmap.theory.two_modes.laws.reverse:MASS",
    "old_mean_force": "forgetmap.theory.two_modes.laws.drift:FORCE",
    "drift_gate": "forgetmap.theory.two_modes.laws.drift:GATE",
    "conditioning": "forgetmap.theory.two_modes.laws.conditioning:CONDITIONING",
    "four_quadrants": "forgetmap.theory.two_modes.laws.quadrants:QUADRANTS",
    "reward_with_kl": "forgetmap.theory.two_modes.laws.reward:WITH_KL",
    "reward_without_kl": "forgetmap.theory.two_modes.laws.reward:WITHOUT_KL",
    "replay_plateau": "forgetmap.theory.two_modes.laws.replay:PLATEAU",
    "replay_relaxation": "forgetmap.theory.two_modes.laws.replay:RELAXATION",
    "forward_anchor": "forgetmap.theory.two_modes.laws.penalties:FORWARD",
    "reverse_anchor": "forgetmap.theory.two_modes.laws.penalties:REVERSE",
    "ewc": "forgetmap.theory.two_modes.laws.penalties:EWC",
    "averaging": "forgetmap.theory.two_modes.laws.averaging:AVERAGING",
    "dft": "forgetmap.theory.two_modes.laws.averaging:DFT",
    "starvation": "forgetmap.theory.two_modes.laws.batches:STARVATION",
    "weighted_replay": "forgetmap.theory.two_modes.laws.batches:WEIGHTED",
    "starved_batches": "forgetmap.theory.two_modes.laws.waiting:WAITING",
    "extinction": "forgetmap.theory.two_modes.laws.extinction:EXTINCTION",
    "teacher_stability": "forgetmap.theory.two_modes.laws.teachers:STABILITY",
    "teacher_shift": "forgetmap.theory.two_modes.laws.teachers:SHIFT",
    "teacher_leak": "forgetmap.theory.two_modes.laws.slopes:LEAK",
    "reward_slope": "forgetmap.theory.two_modes.laws.slopes:SLOPE",
    "teacher_noise": "forgetmap.theory.two_modes.laws.teachers:NOISE",
    "entropic_without_anchor": "forgetmap.theory.two_modes.laws.entropic:WITHOUT_ANCHOR",
    "entropic_anchor": "forgetmap.theory.two_modes.laws.entropic:ANCHOR",
    "adaptive_tilt": "forgetmap.theory.two_modes.laws.entropic:ADAPTIVE",
    "oapl_syncs": "forgetmap.theory.two_modes.laws.oapl:SYNCS",
    "oapl_mismatch": "forgetmap.theory.two_modes.laws.oapl:MISMATCH",
    "oapl_drift": "forgetmap.theory.two_modes.laws.oapl:DRIFT",
}
"""Each sits the exam of `tests/theory/two_modes/test_every_claim.py`."""
