"""Generates with Hugging Face transformers on PyTorch, from the weights of the generated model."""

import json
import sys

import numpy as np
import torch
import transformers
from transformers import AutoConfig, AutoModelForCausalLM

from contender import serve

model_path, manifest = sys.argv[1:]
torch.set_num_threads(1)
torch.set_num_interop_threads(1)


def weights():
    """The graph's names and layout are an exporter's: x @ W, where PyTorch has W @ x."""
    for weight in json.load(open(manifest)):
        name, dims = weight["name"], weight["dims"]
        if not name.startswith(("model.", "lm_head.")):
            continue
        data = np.fromfile(weight["file"], dtype=np.float32, count=int(np.prod(dims)), offset=weight["offset"]).reshape(dims)
        if ".MatMul." in name:
            data = np.ascontiguousarray(data.T)
        yield name.replace(".attn.", ".self_attn.").replace(".MatMul.weight", ".weight"), torch.from_numpy(data)


model = AutoModelForCausalLM.from_config(AutoConfig.from_pretrained(model_path), dtype=torch.float32)
# Norms of a small model stay in its graph; they are 1 there as here.
missing, unexpected = model.load_state_dict(dict(weights()), strict=False)
if unexpected or any("norm" not in name for name in missing):
    raise SystemExit(f"weights do not fit: missing {missing}, unexpected {unexpected}")
model.eval()


def generate(prompts, max_tokens):
    ids = torch.tensor(prompts)
    with torch.inference_mode():
        output = model.generate(ids, attention_mask=torch.ones_like(ids), max_new_tokens=max(max_tokens), do_sample=False)
    return [output[row, ids.shape[1] : ids.shape[1] + count].tolist() for row, count in enumerate(max_tokens)]


serve(f"transformers {transformers.__version__}, torch {torch.__version__}", generate)
