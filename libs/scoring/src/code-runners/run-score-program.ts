/**
 * Runs a suite's `score()` over one answer.
 *
 * In: `{"token", "code", "values": {"final_message", "trace", "reference_data", "task_input"}}`. Out:
 * one line of the token and `{"scores": [[key, type, value]]}`, or `{"failed": …}`.
 */
export const RUN_SCORE_PROGRAM = String.raw`
import asyncio, inspect, json, os, sys, traceback

request = json.loads(sys.stdin.buffer.read())
out = os.dup(1)
null = os.open(os.devnull, os.O_RDWR)
# What the code prints is its own business.
os.dup2(null, 0)
os.dup2(null, 1)


def report(**facts):
    line = (request["token"] + json.dumps(facts) + "\n").encode()
    while line:
        line = line[os.write(out, line):]


def number(value):
    try:
        value = float(value)
    except OverflowError:
        return None
    return value if value - value == 0 else None


def call(score, values):
    """The first parameter is the answer, whatever its name; the others are told by theirs."""
    positional, named = [], {}
    for number, parameter in enumerate(inspect.signature(score).parameters.values()):
        name = parameter.name
        if parameter.kind is parameter.VAR_KEYWORD:
            named.update((key, value) for key, value in values.items() if key not in named and not (positional and key == "final_message"))
        elif parameter.kind is parameter.VAR_POSITIONAL:
            continue
        elif name in values and parameter.kind is not parameter.POSITIONAL_ONLY:
            named[name] = values[name]
        elif number == 0 and parameter.kind is not parameter.KEYWORD_ONLY:
            positional.append(values["final_message"])
        elif parameter.default is parameter.empty:
            raise TypeError(f"score() asks for {name}; there are {', '.join(values)}")
    result = score(*positional, **named)
    return asyncio.run(result) if inspect.iscoroutine(result) else result


def measure():
    scope = {"__name__": "code_eval"}
    exec(compile(request["code"], "score.py", "exec", dont_inherit=True), scope)
    result = call(scope["score"], request["values"])
    if not isinstance(result, dict):
        raise TypeError(f"score() returned {type(result).__name__}, not a dict")
    scores = []
    for key, value in result.items():
        kind = type(value).__name__
        counts = isinstance(value, (int, float)) and not isinstance(value, bool)
        scores.append([str(key), kind, number(value) if counts else None])
    return {"scores": scores}


try:
    facts = measure()
except BaseException as error:
    line = next((frame.lineno for frame in reversed(traceback.extract_tb(error.__traceback__)) if frame.filename == "score.py"), None)
    text = traceback.format_exception_only(type(error), error)[-1].strip()
    facts = {"failed": text[:2000], "line": line}
report(**facts)
os._exit(0)
`;
