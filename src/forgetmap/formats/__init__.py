"""Readers of evaluation logs: one file knows one format, both ways where that makes sense."""

FORMATS = {
    "lm_eval": "forgetmap.formats.lm_eval:FORMAT",
    "mmlu_pro": "forgetmap.formats.mmlu_pro:FORMAT",
    "table": "forgetmap.formats.table:FORMAT",
    "records": "forgetmap.formats.records:FORMAT",
}
