/**
 * Runs a suite's `score()` over one answer.
 *
 * In: `{"token", "code", "values": {"final_message", "trace", "reference_data", "task_input"}}`; `score` gets those that it names. Out:
 * one line of the token and `{"scores": [[key, type, value]]}`, or `{"failed": …}`.
 */
export const RUN_SCORE_PROGRAM = String.raw`
import inspect, json, os, sys, traceback

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


def arguments(score):
    """What score() asks for, by name."""
    parameters = inspect.signature(score).parameters.values()
    if any(parameter.kind is inspect.Parameter.VAR_KEYWORD for parameter in parameters):
        return request["values"]
    return {parameter.name: request["values"][parameter.name] for parameter in parameters if asks_for(parameter)}


def asks_for(parameter):
    if parameter.name in request["values"]:
        return True
    if parameter.default is parameter.empty and parameter.kind is not inspect.Parameter.VAR_POSITIONAL:
        known = ", ".join(request["values"])
        raise TypeError(f"score() asks for {parameter.name}; there are {known}")
    return False


def measure():
    scope = {"__name__": "code_eval"}
    exec(compile(request["code"], "score.py", "exec", dont_inherit=True), scope)
    result = scope["score"](**arguments(scope["score"]))
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
