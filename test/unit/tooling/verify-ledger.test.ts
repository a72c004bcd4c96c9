import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadPyodide, type PyodideInterface } from "pyodide";
import { beforeAll, describe, expect, test } from "vitest";
import {
  anchoredLines,
  verifyStatement,
  type Evidence,
} from "../../../tools/lib/statement-verdict.ts";
import { ACCOUNTS, MOVEMENT_TYPES } from "../../../src/domain/ledger/ledger.ts";
import {
  movementHash,
  sha256HexSync,
  type HashedMovement,
} from "../../../src/domain/ledger/movement-hash.ts";
import {
  STATEMENT_COLUMNS,
  STATEMENT_CSV_HEADER,
} from "../../../src/domain/ledger/statement-csv.ts";
import { parseCsvLine } from "../../../src/domain/ledger/statement-lines.ts";
import { StatementVerifier } from "../../../src/domain/ledger/statement-verifier.ts";
import { forAll } from "../../support/builders/requests/property.ts";
import vectors from "../../vectors/ledger.json" with { type: "json" };

/** Python is compiled when it starts, which takes many seconds on a busy machine. */
const PYTHON_START_MS = 120_000;
const TOOLS = join(import.meta.dirname, "../../../tools/ops");
const TOOL = join(TOOLS, "verify_ledger.py");
const MOVEMENTS = vectors.movements.map(({ movement, ...rest }) =>
  Object.assign(rest, { movement: movement as HashedMovement }),
);

function verdictOf(lines: string[], evidence: Evidence): string {
  const prover = new StatementVerifier(anchoredLines(evidence));
  for (const line of lines) prover.add(parseCsvLine(line) ?? {});
  return verifyStatement(prover.end(), evidence) ?? "OK";
}

/** A golden statement as an exported file, and its balance response. */
function csvOf(name: string) {
  const statement = vectors.statements.find((each) => each.name === name);
  if (statement === undefined) throw new Error(`no vector is named ${name}`);
  const { lines, balance } = statement;
  return { text: `${STATEMENT_CSV_HEADER}${lines.join("\r\n")}\r\n`, balance };
}

describe("a movement's hash", () => {
  test.each(MOVEMENTS)("equals the golden hash of movement $movement.sequence", (vector) => {
    const { previous, movement, details, hash } = vector;
    expect(movementHash(previous, movement)).toBe(hash);
    expect(movement.detailsHash).toBe(details === null ? null : sha256HexSync(details));
  });

  test("changes when any part of the movement changes", () => {
    const [, , vector] = MOVEMENTS;
    if (vector === undefined) throw new Error("there is no third vector");
    const { previous, movement, hash } = vector;
    const changes: Partial<HashedMovement>[] = [
      { sequence: 4 },
      { createdAt: movement.createdAt + 1 },
      { sequence: movement.createdAt, createdAt: movement.sequence },
      { type: "withdraw_paid" },
      { transactionId: "1", withdrawId: null },
      { withdrawId: 2 },
      { detailsHash: null },
      { detailsHash: hash },
      { lines: movement.lines.toReversed() },
      { lines: movement.lines.slice(1) },
      { lines: movement.lines.map((line) => Object.assign({}, line, { amount: line.balance })) },
    ];
    for (const change of changes) {
      expect(movementHash(previous, { ...movement, ...change })).not.toBe(hash);
    }
    expect(movementHash(hash, movement)).not.toBe(hash);
  });
});

describe("npm run verify-ledger", () => {
  test.each(vectors.statements)("gives the golden verdict on $name", (statement) => {
    expect(verdictOf(statement.lines, statement)).toBe(statement.verdict);
  });

  const soundOne = vectors.statements.find(
    ({ verdict, balance }) => verdict === "OK" && balance !== null,
  );
  const raised = (held: number, by: number) => {
    const { lines, balance } = soundOne!;
    const changed = {
      ...balance!,
      accBalance: balance!.accBalance + by,
      accBalanceHeld: held,
    };
    return { lines, balance: changed, anchors: [], publicKey: null };
  };

  test("rejects a negative held amount", () => {
    const { lines, ...evidence } = raised(-1, 1);
    expect(verdictOf(lines, evidence)).toBe("the balance response shows different amounts");
  });

  test("rejects half a centavo in JSON", () => {
    const prover = new StatementVerifier();
    const values = parseCsvLine(vectors.statements[0]?.lines[0] ?? "");
    prover.add({ ...values, amount: 0.5 });
    expect(prover.end().error).toContain("its amount is not an integer number of centavos");
  });
});

describe("tools/ops/verify_ledger.py", () => {
  let python: PyodideInterface;
  beforeAll(async () => {
    python = await loadPyodide();
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
  }, PYTHON_START_MS);

  const run = (name: string, value: unknown): unknown => {
    python.globals.set("input", JSON.stringify(value));
    return python.runPython(`${name}(input)`);
  };

  test.each(MOVEMENTS)("computes the golden hash of movement $movement.sequence", (vector) => {
    expect(run("hash_of", vector)).toBe(vector.hash);
  });

  test.each(vectors.statements)("gives the golden verdict on $name", (statement) => {
    expect(run("verdict_of", statement)).toBe(statement.verdict);
  });

  test.each([
    ["a valid statement", csvOf("a whole statement")],
    ["a statement with its balance and anchor", csvOf("a balance with its anchor")],
    ["a changed amount", csvOf("another amount")],
    ["missing lines at the end", csvOf("lines missing at the end, by the balance")],
    ["missing provider lines", csvOf("no provider's lines")],
    ["another file", { text: "a,b,c\n1,2,3\n", balance: null }],
    ["an empty file", { text: "", balance: null }],
  ])("prints the same as npm run verify-ledger for %s", (_case, { text, balance }) => {
    const folder = mkdtempSync(join(tmpdir(), "centavo-verify-"));
    const files = { "statement.csv": text, "balance.json": JSON.stringify(balance) };
    const paths = Object.entries(files).map(([name, content]) => {
      writeFileSync(join(folder, name), content);
      python.FS.writeFile(`/${name}`, content);
      return name;
    });
    const args = balance === null ? paths.slice(0, 1) : paths;
    const node = spawnSync(process.execPath, [join(TOOLS, "verify-ledger.ts"), ...args], {
      cwd: folder,
      encoding: "utf8",
      env: {},
    });
    rmSync(folder, { recursive: true });
    const absolute = args.map((name) => `/${name}`);
    const printed = JSON.parse(run("output_of", absolute) as string) as object;
    expect(printed).toEqual({ status: node.status, stdout: node.stdout, stderr: node.stderr });
  });

  const known = (name: string) =>
    JSON.parse(python.runPython(`json.dumps(sorted(tool["${name}"]))`) as string) as string[];

  test("gives the same verdict as npm run verify-ledger on 2,000 statements with a changed value", () => {
    const odd = ["", "-0", "0", "1", "-1", "1.0", "01", "1e2", "9007199254740992", "x", "null"];
    const times = [
      "2026-02-30T00:00:00.000Z",
      "2026-01-01T24:00:00.000Z",
      "0000-01-01T00:00:00.000Z",
    ];
    const words = [...odd, ...times, "provider", "available", "correction", "a b", "=1+1", "ação"];
    const sound = vectors.statements.filter(
      ({ verdict, lines }) => verdict === "OK" && lines.length > 0,
    );
    const mismatches: unknown[] = [];
    forAll(2_000, (random) => {
      const pick = <One>(from: readonly One[]): One => {
        const one = from[random.integer(0, from.length - 1)];
        if (one === undefined) throw new Error("there is nothing to pick from");
        return one;
      };
      const { lines, balance, anchors, publicKey } = pick(sound);
      const changed = [...lines];
      const at = random.integer(0, lines.length - 1);
      const values = (changed[at] ?? "").split(",");
      const other = pick(lines).split(",");
      const column = random.integer(0, values.length - 1);
      values[column] = random.integer(0, 2) === 0 ? (other[column] ?? "") : pick(words);
      changed[at] = values.join(",");
      if (random.integer(0, 9) === 0) changed.splice(random.integer(0, lines.length - 1), 1);
      const field = pick(["accBalance", "accBalanceHeld", "accBalanceDebt", "ledgerAnchor"]);
      const isOver = balance !== null && random.integer(0, 1) === 0;
      const evidence = {
        balance: isOver
          ? { ...balance, [field]: pick([null, 0, 1, -1, 0.005, true, "1", []]) }
          : balance,
        anchors,
        publicKey,
      };
      const tried = isOver ? lines : changed;
      const verdicts = [
        verdictOf(tried, evidence),
        run("verdict_of", { lines: tried, ...evidence }),
      ];
      if (verdicts[0] !== verdicts[1]) mismatches.push({ verdicts, at, values, field, evidence });
    });
    expect(mismatches).toEqual([]);
  });

  test("knows every column, account and movement type", () => {
    expect(known("TYPES")).toEqual([...MOVEMENT_TYPES].sort());
    expect(known("ACCOUNTS")).toEqual([...ACCOUNTS].sort());
    expect(known("COLUMNS")).toEqual([...STATEMENT_COLUMNS].sort());
  });
});
