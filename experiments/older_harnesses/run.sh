#!/bin/sh
# run.sh WORK VERSION MODEL: the toy tasks with one release of lm-eval, which lies in WORK/lm_eval/VERSION.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$1/exact_match"
cp "$here/exact_match.py" "$1/exact_match/"
cd "$1"
PYTHONPATH=lm_eval/$2 HF_HUB_OFFLINE=1 HF_DATASETS_OFFLINE=1 HF_EVALUATE_OFFLINE=1 \
    python -m lm_eval --model hf --model_args "pretrained=$3,dtype=float32" --tasks hm_all --include_path "$here/tasks" \
    --output_path "out/$2" --log_samples --device cpu --batch_size 4
