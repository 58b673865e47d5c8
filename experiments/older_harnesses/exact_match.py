"""Stands in, offline, for the metric of this name that lm-eval fetches from the Hub: the share of equal texts."""

import datasets
import evaluate


class ExactMatch(evaluate.Metric):
    """Equal or not; of the options of the original only the case of letters is known."""

    def _info(self) -> evaluate.MetricInfo:
        text = datasets.Value("string")
        features = datasets.Features({"predictions": text, "references": text})
        return evaluate.MetricInfo(description="", citation="", inputs_description="", features=features)

    def _compute(
        self, predictions: list[str], references: list[str], *, ignore_case: bool = False, **others: object
    ) -> dict[str, float]:
        if any(others.values()):
            raise ValueError(f"only ignore_case is known here, not {sorted(others)}")
        pairs = [
            (a.lower(), b.lower()) if ignore_case else (a, b) for a, b in zip(predictions, references, strict=True)
        ]
        return {"exact_match": sum(a == b for a, b in pairs) / len(pairs)}
