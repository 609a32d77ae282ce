"""Generates with onnxruntime-genai, from its folder of the generated model."""

import sys

import numpy as np
import onnxruntime_genai as og

from contender import serve

model = og.Model(sys.argv[1])


def generate(prompts, max_tokens):
    length = len(prompts[0])
    params = og.GeneratorParams(model)
    params.set_search_options(max_length=length + max(max_tokens), batch_size=len(prompts), do_sample=False)
    generator = og.Generator(model, params)
    generator.append_tokens(np.array(prompts, dtype=np.int32))
    while not generator.is_done():
        generator.generate_next_token()
    return [[int(token) for token in generator.get_sequence(row)[length : length + count]] for row, count in enumerate(max_tokens)]


serve(og.__version__, generate)
