"""Readers of evaluation logs: one file knows one format, both ways where that makes sense."""

FORMATS = {
    "lighteval": "forgetmap.formats.lighteval:FORMAT",
    "lm_eval": "forgetmap.formats.lm_eval:FORMAT",
    "inspect": "forgetmap.formats.inspect_log:FORMAT",
    "inspect_partial": "forgetmap.formats.inspect_log:PARTIAL",
    "captrack": "forgetmap.formats.captrack:FORMAT",
    "helm": "forgetmap.formats.helm:FORMAT",
    "mmlu_pro": "forgetmap.formats.mmlu_pro:FORMAT",
    "zero_eval": "forgetmap.formats.zero_eval:FORMAT",
    "bbh_outputs": "forgetmap.formats.bbh_outputs:FORMAT",
    "llmdrift": "forgetmap.formats.llmdrift:FORMAT",
    "cruxeval": "forgetmap.formats.cruxeval:FORMAT",
    "table": "forgetmap.formats.table:FORMAT",
    "records": "forgetmap.formats.records:FORMAT",
}
