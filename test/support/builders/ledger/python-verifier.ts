import { readFileSync } from "node:fs";
import { join } from "node:path";
import { loadPyodide, type PyodideInterface } from "pyodide";

/** Python is compiled when it starts, which takes many seconds on a busy machine. */
export const PYTHON_START_MS = 120_000;
const TOOL = join(import.meta.dirname, "../../../../tools/ops/verify_ledger.py");

/** `tools/ops/verify_ledger.py` in Python. */
export interface PythonVerifier {
  python: PyodideInterface;
  /** Calls `verdict_of`, `hash_of` or `output_of` with a value as JSON. */
  run: (name: string, value: unknown) => unknown;
}

export async function loadPythonVerifier(): Promise<PythonVerifier> {
  const python = await loadPyodide();
  python.globals.set("source", readFileSync(TOOL, "utf8"));
  python.runPython(`
import contextlib, io, json
tool = {"__name__": "verify_ledger"}
exec(source, tool)

def verdict_of(text):
    statement = json.loads(text)
    try:
        lines = [tool["csv_line"](line) for line in statement["lines"]]
        evidence = (statement["balance"], statement["anchors"], statement["publicKey"])
        tool["verify"](lines, *evidence)
    except tool["Broken"] as fault:
        return str(fault)
    return "OK"

def hash_of(text):
    vector = json.loads(text)
    movement = vector["movement"]
    lines = [[line["account"], line["amount"], line["balance"]] for line in movement["lines"]]
    return tool["movement_hash"](vector["previous"], {**movement, "lines": lines})

def output_of(text):
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        status = tool["main"](json.loads(text))
    return json.dumps({"status": status, "stdout": out.getvalue(), "stderr": err.getvalue()})
`);
  const run = (name: string, value: unknown): unknown => {
    python.globals.set("input", JSON.stringify(value));
    return python.runPython(`${name}(input)`);
  };
  return { python, run };
}
