import { beforeAll, describe, expect, it } from "vitest";
import { findCompany } from "../../../../src/db/companies/companies.ts";
import { listAccounts, saveAccount } from "../../../../src/db/companies/psp-accounts.ts";
import { claimAccount, releaseClaims } from "../../../../src/db/companies/pix-keys.ts";
import { pixApiAccount, type ConnectionOf } from "../../../../src/domain/psp/psp-account.ts";
import { systemRandom } from "../../../../src/domain/shared/clock.ts";
import { FORMER_ACCOUNT_RETENTION_MS } from "../../../../src/domain/psp/psp-settings.ts";
import { newUuid } from "../../../../src/domain/shared/ids.ts";
import type { Env } from "../../../../src/config.ts";
import {
  env,
  givenCompany,
  type TestCompany,
} from "../../../support/builders/companies/company.ts";
import { issueKey } from "../../../support/builders/companies/credentials.ts";
import { withD1 } from "../../../support/faults/faulty-env.ts";
import { callAsOperator } from "../../../support/builders/companies/operator.ts";
import { expectProblem } from "../../../support/probes/http/problem.ts";
import { givenAccountRow } from "../../../support/builders/providers/account-rows.ts";
import { pspConfig } from "../../../support/fakes/fake-psp/provider.ts";
import { pixApiPath } from "../../../support/builders/providers/psp.ts";
import { givenSecondDatabase, newIsolate } from "../../../support/builders/companies/sharded.ts";
import { createTransaction } from "../../../support/builders/charges/transaction.ts";

/** No account was left before it. */
const NOW = 0;

/** An account over the Pix API, of which only its key matters. */
function connectionOf(pixKey: string): ConnectionOf<"PixApi"> {
  const { clientSecret: _secret, ...access } = pspConfig("https://pix.example.com", { pixKey });
  const calledBack = { callbackOrigin: "https://api.example.com", requireClientCertificate: false };
  return { provider: "PixApi", settings: { ...access, ...calledBack } };
}

function claimPixKey(environment: Env, companyId: number, pixKey: string, nowMs: number) {
  return claimAccount(environment, companyId, connectionOf(pixKey), nowMs);
}

beforeAll(givenSecondDatabase);

it("a company is created in another shard with the directory's next number", async () => {
  const before = await givenCompany();
  const isolate = newIsolate();
  const request = { body: { name: "Loja Nova", mode: "sandbox", database: "DB_2" } };
  const claimed = await callAsOperator("/companies", { ...request, env: isolate });
  expect(claimed.status).toBe(201);
  const { id, application, key, database } = claimed.body.data;
  expect([id, database]).toEqual([before.id + 1, "DB_2"]);
  const credentials = { "X-Client-Id": application.clientId, "X-API-Key": key };
  const created = await createTransaction({ ...before, credentials }, {}, { env: newIsolate() });
  expect(created.status).toBe(200);
  const rows = isolate.DB_2.prepare("SELECT count(*) AS n FROM transactions WHERE company_id = ?");
  expect(await rows.bind(id).first("n")).toBe(1);
  const trail = isolate.DB_2.prepare("SELECT action FROM audit_entries WHERE company_id = ?");
  expect(await trail.bind(id).first("action")).toBe("company.create");
  expect((await givenCompany()).id).toBe(before.id + 2);
});

it("an isolate that looked for a company before it was created in another shard finds it", async () => {
  const early = newIsolate();
  const { id } = await givenCompany();
  const next = `/companies/${id + 1}`;
  await expectProblem(await callAsOperator(next, { env: early }), {
    status: 404,
    code: "NOT_FOUND",
  });
  const request = { body: { name: "Loja Nova", mode: "sandbox", database: "DB_2" } };
  expect((await callAsOperator("/companies", { ...request, env: newIsolate() })).status).toBe(201);
  expect((await callAsOperator(next, { env: early })).body.data).toMatchObject({
    id: id + 1,
    database: "DB_2",
  });
});

it("a PIX key belongs to one company across all shards", async () => {
  const isolate = newIsolate();
  const [one, other] = [await givenCompany(), await givenCompany()];
  const key = newUuid(systemRandom);
  expect(await claimPixKey(isolate, one.id, key, NOW)).toBe(true);
  expect(await claimPixKey(isolate, one.id, key, NOW)).toBe(true);
  expect(await claimPixKey(isolate, other.id, key, NOW)).toBe(false);
  await releaseClaims(isolate, one.id, [connectionOf(key)]);
  expect(await claimPixKey(isolate, other.id, key, NOW)).toBe(false);
  await releaseClaims(isolate, one.id, []);
  expect(await claimPixKey(isolate, other.id, key, NOW)).toBe(true);
});

it("a PIX key from before sharding is not given to another company", async () => {
  const isolate = newIsolate();
  const [one, other] = [await givenCompany(), await givenCompany()];
  const { pixKey } = await givenPixKey(one);
  expect(await claimPixKey(isolate, other.id, pixKey, NOW)).toBe(false);
  expect(await claimPixKey(env, other.id, pixKey, NOW)).toBe(true);
});

it("a PIX key stays with its owner after another company was rejected", async () => {
  const isolate = newIsolate();
  const [one, other] = [await givenCompany(), await givenCompany()];
  const { pixKey } = await givenPixKey(one);
  expect(await claimPixKey(isolate, other.id, pixKey, NOW)).toBe(false);
  expect(await claimsOf(other)).toEqual([]);
  // Such as to renew its client secret.
  expect(await claimPixKey(isolate, one.id, pixKey, NOW)).toBe(true);
  expect(await claimsOf(one)).toEqual([pixKey]);
});

it("a PIX key stays with its owner after a claimer crashed", async () => {
  const isolate = newIsolate();
  const [one, other] = [await givenCompany(), await givenCompany()];
  const { pixKey } = await givenPixKey(one);
  await env.DB.prepare("INSERT INTO pix_keys (pix_key, company_id) VALUES (?, ?)")
    .bind(pixKey, other.id)
    .run();
  expect(await claimPixKey(isolate, one.id, pixKey, NOW)).toBe(true);
  expect(await claimsOf(one)).toEqual([pixKey]);
  expect(await claimsOf(other)).toEqual([]);
});

describe("a PIX key whose assignment failed", () => {
  it("has no owner while another company's former account has it", async () => {
    const { isolate, company, wanted, save } = await givenSave();
    const other = await givenCompany();
    await givenAccountRow(other.id, { pixKey: wanted }, { sealed: "v1", leftAt: 1 });
    expect(await save(env, "same")).toBe("taken");
    expect(await save(isolate, "other")).toBe("taken");
    expect(await claimsOf(company)).toEqual([]);
    expect(await claimPixKey(isolate, company.id, wanted, FORMER_ACCOUNT_RETENTION_MS + 1)).toBe(
      true,
    );
  });

  it("is free again when the company changed meanwhile", async () => {
    const { isolate, company, save } = await givenSave();
    await issueKey(company);
    expect(await save(isolate, "same")).toBe("stale");
    expect(await claimsOf(company)).toEqual([]);
  });

  it("is free again when the write fails, which then cannot arrive late", async () => {
    const { isolate, company, save, had } = await givenSave();
    let late: (() => Promise<unknown>) | null = null;
    const failing = withD1(isolate, async (label, run) => {
      if (!/insert into "psp_accounts" .* on conflict \("psp_accounts"."company_id"/.test(label))
        return run();
      late = run;
      throw new Error("the Worker was told nothing");
    });
    await expect(save({ ...isolate, DB: failing.DB }, "same")).rejects.toThrow("told nothing");
    expect(await claimsOf(company)).toEqual([]);
    await late!();
    expect(pixApiAccount(await listAccounts(env, company.id))?.settings.pixKey).toBe(had);
  });

  it("is free again after a crash, once the operator removes the PSP", async () => {
    const isolate = newIsolate();
    const [company, other] = [await givenCompany({ mode: "live" }), await givenCompany()];
    const key = newUuid(systemRandom);
    expect(await claimPixKey(isolate, company.id, key, NOW)).toBe(true);
    expect(await claimPixKey(isolate, other.id, key, NOW)).toBe(false);
    const answer = await callAsOperator(pixApiPath(company), { method: "DELETE", env: isolate });
    await expectProblem(answer, { status: 404, code: "NOT_FOUND" });
    expect(await claimPixKey(isolate, other.id, key, NOW)).toBe(true);
  });

  it("stays with its current owner", async () => {
    const { isolate, company, wanted, save, readAgain, had } = await givenSave();
    expect(await claimPixKey(isolate, company.id, had, NOW)).toBe(true);
    await issueKey(company);
    expect(await save(isolate, "same")).toBe("stale");
    expect(await claimsOf(company)).toEqual([had]);
    await readAgain();
    expect(await save(isolate, "same")).toMatchObject({ settings: { pixKey: wanted } });
    expect(await claimsOf(company)).toEqual([wanted]);
  });
});

/** A company whose PSP has had a key since there was one database. */
async function givenPixKey(company: TestCompany) {
  const pixKey = newUuid(systemRandom);
  await givenAccountRow(company.id, { pixKey }, { sealed: "v1" });
  return { pixKey };
}

/** A company that has a key and is to have another. */
async function givenSave() {
  const isolate = newIsolate();
  const company = await givenCompany();
  const { pixKey: had } = await givenPixKey(company);
  const wanted = newUuid(systemRandom);
  let readAt = await findCompany(env, company.id);
  const readAgain = async () => {
    readAt = await findCompany(env, company.id);
  };
  const save = async (environment: Env, account: "same" | "other") => {
    const before = pixApiAccount(await listAccounts(env, company.id));
    const settings = { ...before!.settings, pixKey: wanted };
    const row = { ...before!, settings, sealed: newUuid(systemRandom) };
    const { credentialsVersion } = readAt!;
    const replaces = account === "other" ? before!.account : null;
    const change = { isSame: account === "same", replaces, credentialsVersion };
    return saveAccount(environment, row, change);
  };
  return { isolate, company, had, wanted, save, readAgain };
}

async function claimsOf(company: TestCompany) {
  const { results } = await env.DB.prepare("SELECT pix_key FROM pix_keys WHERE company_id = ?")
    .bind(company.id)
    .all<{ pix_key: string }>();
  return results.map((row) => row.pix_key);
}
