#!/bin/sh
# run_lighteval.sh WORK MODEL: the toy tasks with lighteval 0.10.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
cd "$1"
HF_HUB_OFFLINE=1 lighteval accelerate "model_name=$2,dtype=float32,batch_size=4" \
    "community|hm_mc|0|0,community|hm_gen|0|0,community|hm_pick|0|0" \
    --custom-tasks "$here/lighteval_tasks.py" --output-dir lighteval --save-details
