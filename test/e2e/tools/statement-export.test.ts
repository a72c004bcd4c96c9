import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { Merchant } from "../../../tools/lib/merchant.ts";
import { startService, type Service } from "../../../tools/lib/service.ts";
import { runInD1 } from "../d1-console.ts";
import { givenStateDir } from "../state-dir.ts";
import { runTool } from "./run-tool.ts";

const folder = mkdtempSync(join(tmpdir(), "centavo-books-"));
const stateDir = await givenStateDir("books");
const statement = join(folder, "statement.csv");
const balance = join(folder, "balance.json");
/** The exit code of a statement that is right but that no pinned key vouches for. */
const NOT_ANCHORED = 3;
const WAIT = { timeout: 120_000, interval: 200 };
let service: Service;
let merchant: Merchant;

beforeAll(async () => {
  service = await startService({ stateDir });
  merchant = new Merchant(service.base);
});

afterAll(async () => {
  await service.stop();
  for (const made of [folder, stateDir]) rmSync(made, { recursive: true, force: true });
});

it("an exported statement is proven offline, and every changed centavo is detected", async () => {
  const id = await givenPaid(10_000);
  await merchant.call(
    "POST",
    `/api/v1/transactions/${id}/refund`,
    { amount: 2_500 },
    {
      "Idempotency-Key": "re_1",
    },
  );
  const withdraw = await merchant.withdraw({ amount: 1_000 }, "wd_books");
  // Its end moves money: statement and balance are read one after the other.
  await vi.waitUntil(async () => {
    const { body } = await merchant.call("GET", `/api/Withdraw/${withdraw.body.id}`);
    return body.enTransaction !== "Awaiting" && body.enTransaction !== "Processing";
  }, WAIT);
  await exportBooks();

  const proven = await run("verify-ledger.ts", [statement, balance]);
  expect(proven.output).toContain(
    "All running balances, zero sums, hashes and movements are correct.",
  );
  // A service of an hour has no anchor yet.
  expect(proven.output).toContain("NOT ANCHORED: ");
  expect(proven.status).toBe(NOT_ANCHORED);

  const json = join(folder, "statement.json");
  const page = await merchant.call("GET", "/api/Balance/statement/1?currency=BRL&accounts=all");
  writeFileSync(json, JSON.stringify(page.body));
  expect((await run("verify-ledger.ts", [json, balance])).status).toBe(NOT_ANCHORED);

  const tampered = join(folder, "tampered.csv");
  writeFileSync(tampered, readFileSync(statement, "utf8").replace("-2500", "-2400"));
  expect(await run("verify-ledger.ts", [tampered])).toMatchObject({
    status: 1,
    output: expect.stringContaining("BROKEN: line"),
  });

  const cut = join(folder, "cut.csv");
  writeFileSync(cut, readFileSync(statement, "utf8").split("\r\n").slice(0, 3).join("\r\n"));
  expect(await run("verify-ledger.ts", [cut, balance])).toMatchObject({
    status: 1,
    output: expect.stringContaining("BROKEN: the balance response names a different last line"),
  });
});

it("verify finds a projection row that was tampered with and rewrites it", async () => {
  const id = await givenPaid(3_000);
  await runInD1(
    service.base,
    `UPDATE transactions SET status = 'cancelled', paid_amount = 1 WHERE id = '${id}'`,
  );

  expect((await run("verify.ts", ["--url", service.base, "--company", "2"])).status).toBe(0);
  expect(await run("verify.ts", ["--url", service.base, "--company", "1"])).toMatchObject({
    status: 1,
    output: expect.stringContaining(
      `I9 D1 differs on transaction ${id}: status is "cancelled" in D1`,
    ),
  });
  expect(await run("inspect.ts", ["--url", service.base, id])).toMatchObject({
    status: 1,
    output: expect.stringContaining('status: D1 "cancelled", object "paid"'),
  });
  expect(await run("verify.ts", ["--url", service.base, "--repair"])).toMatchObject({
    status: 0,
    output: expect.stringContaining("1 rewritten"),
  });
  expect((await run("verify.ts", ["--url", service.base])).status).toBe(0);
  expect(await run("inspect.ts", ["--url", service.base, id])).toMatchObject({
    status: 0,
    output: expect.stringContaining("none: D1 matches the object"),
  });
  expect((await run("inspect.ts", ["--url", service.base, "1/999"])).status).toBe(2);
  expect(await run("inspect.ts", ["somebody"])).toMatchObject({
    status: 2,
    output: expect.stringContaining("usage: npm run inspect"),
  });
  const { body } = await merchant.call("GET", `/api/Transaction/transactionByTransactionId/${id}`);
  expect(body.enStatusTransaction).toBe("Paid");
});

async function givenPaid(amount: number): Promise<string> {
  const created = await merchant.create({ amount, paymentMethod: "PIX" }, `tx_${amount}`);
  const { id } = created.body.data;
  await merchant.pay(id);
  return id;
}

async function exportBooks(): Promise<void> {
  const headers = { ...merchant.credentials, Accept: "text/csv" };
  const path = `${service.base}/api/Balance/statement/1?currency=BRL&accounts=all`;
  writeFileSync(statement, await (await fetch(path, { headers })).text());
  writeFileSync(balance, JSON.stringify((await merchant.balance()).body));
}

const run = (script: string, args: string[]) => runTool(script, args, { INIT_CWD: folder });
