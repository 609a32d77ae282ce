/**
 * Reads the doctests of a message with Python's own parser. Only the suite's text gets here, and nothing of it is run.
 *
 * In: `{"text": …}`. Out: `{"tests": [[{"source", "want", "exception", "flags"}]], "context": …, "code": …}`, one inner list for each
 * docstring, or `{"malformed": …}`. `context` holds what the message gives (imports, helpers, not what is tested), `code` its source.
 */
export const READ_DOCTESTS_PROGRAM = String.raw`
import ast, doctest, json, re, sys, textwrap

text = json.loads(sys.stdin.buffer.read())["text"]
FLAGS = {number: name for name, number in doctest.OPTIONFLAGS_BY_NAME.items()}
PARSER = doctest.DocTestParser()


def examples(source):
    found = []
    for example in PARSER.get_examples(source):
        flags = [FLAGS[flag] for flag, on in example.options.items() if on]
        if "SKIP" not in flags:
            found.append({"source": example.source, "want": example.want, "exception": example.exc_msg, "flags": flags})
    return found


def parse(source):
    try:
        return ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def fenced(lines):
    """Blocks between fences, and the text with the blocks blanked."""
    blocks, rest, marker = [], [], None
    for line in lines:
        fence = re.match(r" {0,3}(\x60{3,}|~{3,})", line)
        if marker is None and fence:
            marker, block = fence.group(1), []
        elif marker is not None and fence and fence.group(1).startswith(marker) and line.strip() == fence.group(1):
            blocks.append(block)
            marker = None
        elif marker is not None:
            block.append(line)
            continue
        else:
            rest.append(line)
            continue
        rest.append("")
    if marker is not None:
        blocks.append(block)
    return blocks, rest


def code_in(source):
    """The source and its tree, where it is Python or ends with it."""
    source = textwrap.dedent(source)
    lines = source.split("\n")
    starts = [0] + [i for i, line in enumerate(lines) if re.match(r"(def|class|import|from|async def)\b|@", line)][:20]
    for start in dict.fromkeys(starts):
        part = "\n".join(lines[start:])
        tree = parse(part)
        if tree is not None and any(isinstance(node, DEFINITIONS) for node in tree.body):
            return part, tree, "\n".join(lines[:start])
    return None


DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
DOCUMENTED = DEFINITIONS + (ast.Module,)
CONTEXT = DEFINITIONS + (ast.Import, ast.ImportFrom, ast.Assign, ast.AnnAssign)


def documented(node):
    if isinstance(node, DOCUMENTED):
        doc = ast.get_docstring(node, clean=False)
        if doc is not None:
            yield doc
    for child in ast.iter_child_nodes(node):
        yield from documented(child)


def is_asked_for(node):
    """What the answer must bring: what is tested, and functions without a body."""
    if any(examples(doc) for doc in documented(node)):
        return True
    if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
        return False
    return all(
        isinstance(part, (ast.Pass, ast.Raise)) or (isinstance(part, ast.Expr) and isinstance(part.value, ast.Constant))
        for part in node.body
    )


def plain(source):
    """Examples in prose: lines of nothing but fences or quotes end what is expected."""
    return re.sub(r"(?m)^[ \t]*(\x60{3,}.*|~{3,}.*|\"\"\"|''')[ \t]*$", "", source)


def read():
    blocks, rest = fenced(text.split("\n"))
    sources = ["\n".join(block) for block in blocks] if blocks else [text]
    prose = ["\n".join(rest)] if blocks else []
    tests, contexts, codes = [], [], []
    for source in sources:
        found = code_in(source)
        if found is None:
            prose.append(source)
            continue
        code, tree, before = found
        prose.append(before)
        codes.append(code)
        lines = code.split("\n")
        for node in tree.body:
            if isinstance(node, CONTEXT) and not is_asked_for(node):
                first = min([node.lineno] + [d.lineno for d in getattr(node, "decorator_list", [])])
                contexts.append("\n".join(lines[first - 1 : node.end_lineno]))
        tests += [examples(doc) for doc in documented(tree)]
    tests += [examples(plain(part)) for part in prose]
    return {"tests": [test for test in tests if test], "context": "\n".join(contexts), "code": "\n".join(codes)}


try:
    answer = read()
except ValueError as error:
    answer = {"malformed": str(error)}
except RecursionError:
    answer = {"malformed": "nested too deep"}
print(json.dumps(answer))
`;
