import { describe, expect, it } from "vitest";
import { findCompany } from "../../../../src/db/companies/companies.ts";
import { credentialsVersionOf } from "../../../../src/db/companies/credentials-version.ts";
import {
  carryOver,
  findCallbackReceiver,
  findServedAccount,
  listAccounts,
  saveAccount,
} from "../../../../src/db/companies/psp-accounts.ts";
import { createPasses } from "../../../../src/db/reconciliation/reconciliation.ts";
import { FanOut } from "../../../../src/db/sharding/fan-out.ts";
import { env, givenCompany } from "../../../support/builders/companies/company.ts";
import { givenAccountRow } from "../../../support/builders/providers/account-rows.ts";

it("the newest accounts that a company left are known where it left very many", async () => {
  const company = await givenCompany({ mode: "live" });
  for (let index = 0; index < 61; index++) {
    const account = `a${String(index).padStart(3, "0")}`;
    await givenAccountRow(
      company.id,
      {},
      { account, sealed: "v", hash: "h", leftAt: 1_000 + index },
    );
  }
  const listed = await listAccounts(env, company.id);
  expect(listed.map(({ account }) => account).slice(0, 2)).toEqual(["a060", "a059"]);
  const receiver = await findCallbackReceiver(env, company.id, 2_000);
  expect(receiver?.tokens.map(({ account }) => account)).toContain("a060");
});

/** A company as it was stored before `psp_accounts`: its PSP, and one that it had left. */
async function givenOldAccounts() {
  const { id } = await givenCompany({ mode: "live" });
  const pixKey = crypto.randomUUID();
  await env.DB.batch([
    env.DB.prepare(
      `INSERT INTO company_providers (company_id, provider, account, settings, sealed, callback_token_hash,
         listed_until, list_at, list_window, created_at, updated_at)
       VALUES (?, 'PixApi', 'second', ?, 'v1.second', 'hash-2', 5, 9000000000000000, 60000, 3, 4)`,
    ).bind(id, JSON.stringify({ pixKey, payouts: { url: "https://pix.example.com" } })),
    env.DB.prepare(
      `INSERT INTO former_accounts (company_id, account, provider, settings, sealed, callback_token_hash,
         created_at, left_at) VALUES (?, 'first', 'PixApi', '{"payouts":null}', 'v1.first', 'hash-1', 1, 3)`,
    ).bind(id),
  ]);
  return { id, pixKey };
}

describe("a company whose accounts are stored as before", () => {
  it("has them alike before and after they were carried over", async () => {
    const { id } = await givenOldAccounts();
    const read = async () => ({
      accounts: (await findCompany(env, id))?.accounts,
      listed: await listAccounts(env, id),
      former: await findServedAccount(env, id, "first"),
      tokens: (await findCallbackReceiver(env, id, 4))?.tokens.map(({ hash }) => hash),
    });
    const before = await read();
    expect(before.accounts).toMatchObject([
      { account: "second", methods: ["PIX", "PAYOUT"], priority: 1, state: "active" },
    ]);
    expect(before.listed).toMatchObject([
      { account: "second", state: "active", leftAt: null, createdAt: 3, reconciledUntil: 5 },
      { account: "first", state: "left", leftAt: 3, methods: ["PIX"] },
    ]);
    expect(before.former).toMatchObject({ sealed: "v1.first" });
    expect(before.tokens).toEqual(["hash-2", "hash-1"]);

    await carryOver(env, id);
    expect(await read()).toEqual(before);
    const version = await credentialsVersionOf(env, id);
    await carryOver(env, id);
    expect(await credentialsVersionOf(env, id)).toBe(version);
  });

  it("does not have one back that it leaves after that", async () => {
    const { id, pixKey } = await givenOldAccounts();
    await carryOver(env, id);
    const [second] = await listAccounts(env, id);
    const third = { ...second!, account: "third", sealed: "v1.third", updatedAt: 9 };
    const credentialsVersion = (await credentialsVersionOf(env, id))!;
    const change = { isSame: false, replaces: "second", credentialsVersion };
    expect(await saveAccount(env, third, change)).toMatchObject({ account: "third" });

    expect((await findCompany(env, id))?.accounts.map(({ account }) => account)).toEqual(["third"]);
    expect(await listAccounts(env, id)).toMatchObject([
      { account: "third", settings: { pixKey } },
      { account: "second", state: "left", leftAt: 9 },
      { account: "first", state: "left", leftAt: 3 },
    ]);
  });

  it("gets the passes of one that was configured just before", async () => {
    const { id } = await givenOldAccounts();
    await env.DB.prepare("UPDATE company_providers SET list_at = -1 WHERE company_id = ?")
      .bind(id)
      .run();
    await createPasses(env, new FanOut(env), 0, 1);
    const passes = await env.DB.prepare(
      "SELECT DISTINCT account, read_until FROM reconciliation_passes WHERE company_id = ? AND pass = 'newest'",
    )
      .bind(id)
      .all();
    expect(passes.results).toEqual([{ account: "second", read_until: 5 }]);
  });
});
