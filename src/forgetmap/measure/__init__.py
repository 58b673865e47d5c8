"""Two runs in, a map out: pair, transitions, metrics, cells."""

METRICS = {
    "forgetting": "forgetmap.measure.forgetting:forgetting",
    "gain": "forgetmap.measure.forgetting:gain",
    "net": "forgetmap.measure.net:net",
    "unanswered_loss": "forgetmap.measure.unanswered:unanswered_loss",
    "unanswered_gain": "forgetmap.measure.unanswered:unanswered_gain",
    "noise_floor": "forgetmap.measure.noise:noise_floor",
    "excess": "forgetmap.measure.noise:excess",
}
"""What every cell shows."""

ESTIMATORS = {
    "table": "forgetmap.measure.alternatives:table",
    "score": "forgetmap.measure.alternatives:score",
    "published": "forgetmap.measure.alternatives:published",
    "raw": "forgetmap.measure.raw:raw",
}
"""Other estimators of forgetting, on request; gain is the same with before and after exchanged."""
