/**
 * Runs an answer's code and then each example, and reports what came out. What should come out is not here: the code that is
 * measured runs in this process and can change all of it, but to pass it would have to say what it does not know.
 *
 * In: `{"token", "blocks", "bare", "context", "code", "tests": [[source]]}`. Out: lines of the token and a JSON object: `{"code":
 * "found" | "none"}` before anything of the answer runs; `{"raised": …}` when running it failed; `{"at": [test, example],
 * "output", "raised"}` for each example; `{"done": true}`.
 */
export const RUN_DOCTESTS_PROGRAM = String.raw`
import __future__, ast, io, json, os, re, sys, traceback, types

request = json.loads(sys.stdin.buffer.read())
MOST = 65536


def reporter(token, dumps=json.dumps, write=os.write, out=os.dup(1)):
    # Of its own: what the code prints, by whatever way, does not get in between.
    null = os.open(os.devnull, os.O_RDWR)
    os.dup2(null, 0)
    os.dup2(null, 1)

    def report(**facts):
        line = (token + dumps(facts) + "\n").encode()
        while line:
            line = line[write(out, line):]

    return report


def parse(source):
    try:
        return ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def defines(tree):
    return any(isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)) for node in tree.body)


def is_code(tree):
    return any(not isinstance(node, ast.Expr) or isinstance(node.value, ast.Call) for node in tree.body)


def find_code():
    """The code of the answer, None when it holds none."""
    blocks = request["blocks"]
    if blocks:
        trees = [(block, parse(block)) for block in blocks]
        read = [(block, tree) for block, tree in trees if tree is not None and is_code(tree)]
        # Usage and transcripts stand beside the solution, not in it.
        solutions = [block for block, tree in read if defines(tree)] or [block for block, _ in read]
        return "\n\n".join(solutions or blocks)
    bare = request["bare"].removeprefix("\ufeff")
    if not bare.strip():
        return None
    tree = parse(bare)
    if tree is not None:
        return bare if is_code(tree) else None
    first = next(line for line in bare.split("\n") if line.strip())
    if first[0] in " \t" and request["code"]:
        # The prompt ended inside a function; the answer goes on from there, and maybe on and on.
        lines = bare.split("\n")
        end = next((i for i, line in enumerate(lines) if line[:1].strip()), len(lines))
        for body in (bare, "\n".join(lines[:end])):
            code = request["code"].rstrip("\n") + "\n" + body
            if parse(code) is not None:
                break
        return code
    lines = bare.split("\n")
    starts = [i for i, line in enumerate(lines) if re.match(r"(def|class|import|from|async def)\b.*[\w:)]\s*$|@\w", line)][:20]
    for start in starts:
        part = "\n".join(lines[start:])
        tree = parse(part)
        if tree is not None and defines(tree):
            return part
    if any(re.match(r"(async )?def \w+\s*\(|class \w+", lines[start]) for start in starts):
        # Code that is broken is code.
        return "\n".join(lines[starts[0]:])
    return None


def last_line(error, format_exception_only=traceback.format_exception_only):
    try:
        return format_exception_only(type(error), error)[-1][:MOST]
    except BaseException:
        return type(error).__name__ + "\n"


def run(code, report, StringIO=io.StringIO, compile=compile, exec=exec, dict=dict, end=os._exit):
    module = types.ModuleType("solution")
    sys.modules["solution"] = module
    scope = module.__dict__
    sys.stdout = sys.stderr = StringIO()
    try:
        exec(compile(request["context"], "context.py", "exec", dont_inherit=True), scope)
    except BaseException:
        # What is missing is missed by the code.
        pass
    try:
        exec(compile(code, "solution.py", "exec", dont_inherit=True), scope)
    except BaseException as error:
        report(raised=last_line(error))
        end(0)
    future = 0
    for name in __future__.all_feature_names:
        feature = getattr(__future__, name)
        if scope.get(name) is feature:
            future |= feature.compiler_flag
    for test, sources in enumerate(request["tests"]):
        globs = dict(scope)
        for number, source in enumerate(sources):
            sys.stdout = output = StringIO()
            sys.displayhook = sys.__displayhook__
            raised = None
            try:
                exec(compile(source, "example.py", "single", future, True), globs)
            except BaseException as error:
                raised = last_line(error)
            report(at=[test, number], output=output.getvalue()[:MOST], raised=raised)
    report(done=True)
    # Nothing of the code runs after this: no thread, no handler of the end.
    end(0)


report = reporter(request["token"])
code = find_code()
report(code="none" if code is None else "found")
if code is not None:
    run(code, report)
`;
