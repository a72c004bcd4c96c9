import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it, test } from "vitest";
import { verifyAuditTrail, type TrailItem } from "../../../tools/lib/audit-verdict.ts";

const ROOT = join(import.meta.dirname, "../../..");
const GENESIS = "0".repeat(64);

const folder = mkdtempSync(join(tmpdir(), "centavo-audit-"));
afterAll(() => rmSync(folder, { recursive: true }));

const json = (values: unknown) => (values === null ? null : JSON.stringify(values));

/** The recipe of docs/security.md, without the product's code. */
function hashed(entry: any, previousHash: string): string {
  const fields = [
    previousHash,
    entry.companyId,
    entry.sequence,
    new Date(entry.at).getTime(),
    entry.actor.kind,
    entry.actor.id,
    entry.actor.name,
    entry.keyPrefix,
    entry.action,
    entry.target,
    json(entry.before),
    json(entry.after),
    entry.reason,
    entry.address,
    entry.traceId,
  ];
  return createHash("sha256").update(JSON.stringify(fields)).digest("hex");
}

function trailOf(length: number): TrailItem[] {
  const items: any[] = [];
  for (let sequence = 1; sequence <= length; sequence++) {
    const entry = {
      companyId: 1,
      sequence,
      at: new Date(Date.UTC(2026, 10, 22, 12, 0, sequence)).toISOString(),
      actor: { kind: "application", id: "app_1", name: "Loja Ótima" },
      keyPrefix: "sk_test_abcd",
      action: "settings.change",
      target: "company:1",
      before: sequence === 1 ? null : { withdrawDailyLimit: sequence - 1 },
      after: { withdrawDailyLimit: sequence, note: 'quotes " and \u2028' },
      reason: null,
      address: "203.0.113.7",
      traceId: null,
    };
    items.push({ ...entry, hash: hashed(entry, items.at(-1)?.hash ?? GENESIS) });
  }
  return items;
}

function renumbered(items: TrailItem[]): TrailItem[] {
  const numbered: TrailItem[] = [];
  for (const item of items) numbered.push({ ...item, sequence: numbered.length + 1 });
  return numbered;
}

describe("a trail", () => {
  it("that is whole is correct, and so is an empty one", () => {
    const items = trailOf(5);
    expect(verifyAuditTrail(items)).toEqual({
      sequence: 5,
      hash: items[4]?.["hash"],
      headAt: null,
      error: null,
    });
    expect(verifyAuditTrail([])).toEqual({
      sequence: 0,
      hash: GENESIS,
      headAt: null,
      error: null,
    });
  });

  test.each([
    ["at", "2026-11-22T12:00:03.001Z"],
    ["action", "settings.changed"],
    ["target", "company:2"],
    ["keyPrefix", null],
    ["actor", { kind: "operator", id: "app_1", name: "Loja Ótima" }],
    ["actor", null],
    ["before", null],
    ["after", { withdrawDailyLimit: 4 }],
    ["reason", ""],
    ["address", null],
    ["traceId", "0af7651916cd43dd8448eb211c80319c"],
    ["hash", GENESIS],
  ])("with another %s in one entry is broken there", (field, value) => {
    const items = trailOf(5);
    items[2] = { ...items[2], [field]: value };
    expect(verifyAuditTrail(items)).toMatchObject({ sequence: 2, error: expect.any(String) });
  });

  test.each([
    ["the first entry missing", (items: TrailItem[]) => items.slice(1), 0],
    ["an entry missing", (items: TrailItem[]) => items.toSpliced(2, 1), 2],
    ["an entry twice", (items: TrailItem[]) => items.toSpliced(2, 0, ...items.slice(1, 2)), 2],
    [
      "two entries swapped",
      (items: TrailItem[]) => items.toSpliced(2, 2, ...items.slice(2, 4).toReversed()),
      2,
    ],
    [
      "an entry inserted and the rest renumbered",
      (items: TrailItem[]) => renumbered(items.toSpliced(2, 0, ...items.slice(2, 3))),
      3,
    ],
    [
      "an entry of another company",
      (items: TrailItem[]) => items.with(2, { ...items[2], companyId: 2 }),
      2,
    ],
  ])("with %s is broken there", (_case, change, sequence) => {
    const verdict = verifyAuditTrail(change(trailOf(5)));
    expect(verdict).toMatchObject({ sequence, error: expect.any(String) });
  });

  it("that lacks its newest entries is broken once one of their hashes is known", () => {
    const items = trailOf(5);
    const head = String(items[4]?.["hash"]);
    expect(verifyAuditTrail(items.slice(0, 3)).error).toBeNull();
    expect(verifyAuditTrail(items.slice(0, 3), head).error).toContain(head);
    expect(verifyAuditTrail(items, String(items[1]?.["hash"])).error).toBeNull();
  });
});

function verify(files: Record<string, string>, ...options: string[]) {
  const paths = Object.entries(files).map(([name, text]) => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  });
  const script = join(ROOT, "tools/ops/verify-audit.ts");
  return spawnSync(process.execPath, [script, ...paths, ...options], { encoding: "utf8" });
}

describe("npm run verify-audit", () => {
  const items = trailOf(4);
  const page = (from: number, to: number) => ({ items: items.slice(from, to), hasMore: to < 4 });

  test.each([
    ["one page", { "one.json": JSON.stringify(page(0, 4), null, 2) }],
    [
      "pages in files",
      { "1.json": JSON.stringify(page(0, 2)), "2.json": JSON.stringify(page(2, 4)) },
    ],
    [
      "pages in lines",
      { "n.ndjson": `${JSON.stringify(page(0, 3))}\n${JSON.stringify(page(3, 4))}\n` },
    ],
    ["entries in lines", { "e.ndjson": items.map((item) => JSON.stringify(item)).join("\n") }],
  ])("accepts %s", (_case, files) => {
    const done = verify(files);
    expect(done.stdout, done.stderr).toContain("OK");
    expect(done.stdout).toContain(`4 entries\nhash ${String(items[3]?.["hash"])}`);
    expect(done.status).toBe(0);
  });

  it("says that without a kept head it sees neither a cut end nor hashes made anew", () => {
    const cut = verify({ "cut.json": JSON.stringify(page(0, 3)) });
    expect(cut.status).toBe(0);
    expect(cut.stdout).toContain("3 entries");
    expect(cut.stdout).toContain(
      "NOT KNOWN: whether entries were cut off at the end, or all hashes made anew.",
    );
    expect(cut.stdout).toContain("--head");
  });

  test.each([
    [1, "Entries 1 to 2 are those of the head that was kept. Entries 3 to 4 came later."],
    [3, "Entries 1 to 4 are those of the head that was kept.\n"],
  ])("says how far a kept head reaches, and that it sees no cut after it", (index, sentence) => {
    const head = String(items[index]?.["hash"]);
    const done = verify({ "h.json": JSON.stringify(page(0, 4)) }, "--head", head);
    expect(done.status).toBe(0);
    expect(done.stdout).toContain(sentence);
    expect(done.stdout).toContain("NOT KNOWN: whether entries after 4 were cut off.");
    expect(done.stdout).not.toContain("made anew");
  });

  it("and the Python of docs/examples find the same", () => {
    const python = join(ROOT, "docs/examples/audit/verify.py");
    const file = join(folder, "python.json");
    const check = () => spawnSync("python3", [python, file], { encoding: "utf8" });
    writeFileSync(file, JSON.stringify({ items }));
    const found = check();
    expect(found.stdout, found.stderr).toBe(`4 ${String(items[3]?.["hash"])}\n`);
    writeFileSync(file, JSON.stringify({ items: items.toSpliced(1, 1) }));
    expect(check().stderr).toContain("entry 2 is broken");
  });

  it("exits with 1 and names the first wrong entry", () => {
    const broken = verify({ "b.json": JSON.stringify({ items: items.toSpliced(1, 1) }) });
    expect(broken.status).toBe(1);
    expect(broken.stderr).toContain("entry 2 is missing");
    expect(verify({}).status).toBe(1);
    const short = verify(
      { "s.json": JSON.stringify(page(0, 2)) },
      "--head",
      String(items[3]?.["hash"]),
    );
    expect(short.status).toBe(1);
  });
});
