import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
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
import {
  loadPythonVerifier,
  PYTHON_START_MS,
  type PythonVerifier,
} from "../../support/builders/ledger/python-verifier.ts";
import { forAll } from "../../support/builders/requests/property.ts";
import vectors from "../../vectors/ledger.json" with { type: "json" };

const TOOLS = join(import.meta.dirname, "../../../tools/ops");
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
  const { lines, balance, publicKey } = statement;
  return { text: `${STATEMENT_CSV_HEADER}${lines.join("\r\n")}\r\n`, balance, publicKey };
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
  let verifier: PythonVerifier;
  beforeAll(async () => {
    verifier = await loadPythonVerifier();
  }, PYTHON_START_MS);
  const run: PythonVerifier["run"] = (name, value) => verifier.run(name, value);

  test.each(MOVEMENTS)("computes the golden hash of movement $movement.sequence", (vector) => {
    expect(run("hash_of", vector)).toBe(vector.hash);
  });

  test.each(vectors.statements)("gives the golden verdict on $name", (statement) => {
    expect(run("verdict_of", statement)).toBe(statement.verdict);
  });

  test.each([
    ["a valid statement", csvOf("a whole statement")],
    ["a statement with its balance and anchor", csvOf("a balance with its anchor")],
    [
      "a statement with an anchor of the pinned key",
      csvOf("an anchor with the key that is pinned"),
    ],
    ["a changed amount", csvOf("another amount")],
    ["missing lines at the end", csvOf("lines missing at the end, by the balance")],
    ["missing provider lines", csvOf("no provider's lines")],
    ["another file", { text: "a,b,c\n1,2,3\n", balance: null, publicKey: null }],
    ["an empty file", { text: "", balance: null, publicKey: null }],
  ])("prints the same as npm run verify-ledger for %s", (_case, { text, balance, publicKey }) => {
    const folder = mkdtempSync(join(tmpdir(), "centavo-verify-"));
    const files = { "statement.csv": text, "balance.json": JSON.stringify(balance) };
    const paths = Object.entries(files).map(([name, content]) => {
      writeFileSync(join(folder, name), content);
      verifier.python.FS.writeFile(`/${name}`, content);
      return name;
    });
    const args = balance === null ? paths.slice(0, 1) : paths;
    const pinned = publicKey === null ? [] : ["--public-key", publicKey];
    const tool = join(TOOLS, "verify-ledger.ts");
    const node = spawnSync(process.execPath, [tool, ...args, ...pinned], {
      cwd: folder,
      encoding: "utf8",
      env: {},
    });
    rmSync(folder, { recursive: true });
    const absolute = [...args.map((name) => `/${name}`), ...pinned];
    const printed = JSON.parse(run("output_of", absolute) as string) as object;
    expect(printed).toEqual({ status: node.status, stdout: node.stdout, stderr: node.stderr });
  });

  const printedFor = (name: string) => {
    const { text, balance, publicKey } = csvOf(name);
    verifier.python.FS.writeFile("/statement.csv", text);
    verifier.python.FS.writeFile("/balance.json", JSON.stringify(balance));
    const pinned = publicKey === null ? [] : ["--public-key", publicKey];
    return JSON.parse(
      run("output_of", ["/statement.csv", "/balance.json", ...pinned]) as string,
    ) as { status: number; stdout: string; stderr: string };
  };

  test("ends with 0 only if an anchor's key is pinned, and says how far it reaches", () => {
    const loose = printedFor("a balance with its anchor");
    expect(loose).toMatchObject({ status: 3, stderr: expect.stringMatching(/^NOT ANCHORED: /) });
    expect(loose.stdout).not.toContain("OK:");
    const pinned = printedFor("an anchor with the key that is pinned");
    expect(pinned).toMatchObject({ status: 0, stderr: "" });
    expect(pinned.stdout).toMatch(
      /Anchored up to movement \d of 6 \(2026-11-22\); \d are not\.\nOK: /,
    );
  });

  const known = (name: string) =>
    JSON.parse(
      verifier.python.runPython(`json.dumps(sorted(tool["${name}"]))`) as string,
    ) as string[];

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
