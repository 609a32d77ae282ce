"""What the programs in Python have in common: the lines that src/engine/program-contender.ts describes."""

import json
import os
import resource
import sys
import time


def serve(ready, generate):
    """Answers calls with generate(prompts, max_tokens), which gets one batch of prompts of the same length."""
    answers.write(json.dumps({"ready": ready}) + "\n")
    for line in sys.stdin:
        call = json.loads(line)
        prompts, max_tokens, rows = call["prompts"], call["max_tokens"], call["rows"]
        cpu, wall = _cpu_seconds(), time.perf_counter()
        tokens = []
        for start in range(0, len(prompts), rows):
            tokens += generate(prompts[start : start + rows], max_tokens[start : start + rows])
        times = {"cpu_s": _cpu_seconds() - cpu, "wall_s": time.perf_counter() - wall}
        answers.write(json.dumps({"tokens": tokens, **times}) + "\n")


def _cpu_seconds():
    parts = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(part.ru_utime + part.ru_stime for part in parts)


# Libraries may print; what they print goes to standard error.
answers = os.fdopen(os.dup(1), "w", buffering=1)
os.dup2(2, 1)
