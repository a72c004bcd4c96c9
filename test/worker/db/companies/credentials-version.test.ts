import { describe, expect, it } from "vitest";
import { credentialsVersionOf } from "../../../../src/db/companies/credentials-version.ts";
import { createPasses } from "../../../../src/db/reconciliation/reconciliation.ts";
import { FanOut } from "../../../../src/db/sharding/fan-out.ts";
import {
  env,
  givenCompany,
  type TestCompany,
} from "../../../support/builders/companies/company.ts";
import { eventually } from "../../../support/probes/until.ts";
import { issueKey } from "../../../support/builders/companies/credentials.ts";
import { givenAccountRow } from "../../../support/builders/providers/account-rows.ts";

const versionOf = (company: TestCompany) => credentialsVersionOf(env, company.id);

async function run(sql: string, ...values: unknown[]): Promise<void> {
  await env.DB.prepare(sql)
    .bind(...values)
    .run();
}

async function givenProvider(company: TestCompany): Promise<void> {
  await givenAccountRow(company.id, { pixKey: company.providerCompanyId }, { sealed: "x" });
}

const CHANGES: Record<string, string[]> = {
  "a company's name": ["UPDATE companies SET name = 'x' WHERE id = ?1"],
  "its mode": ["UPDATE companies SET mode = 'live' WHERE id = ?1"],
  "its key": ["UPDATE companies SET main_pix_key = NULL WHERE id = ?1"],
  "its fees": ["UPDATE companies SET fees = '{}' WHERE id = ?1"],
  "its policy": ["UPDATE companies SET withdraw_daily_limit = 1 WHERE id = ?1"],
  "an application's scopes": ["UPDATE applications SET scopes = '' WHERE company_id = ?1"],
  "an application that is gone": ["DELETE FROM applications WHERE company_id = ?1"],
  "one that is new": [
    "INSERT INTO applications (client_id, company_id, name, scopes, created_at) VALUES ('app_' || ?1, ?1, '', '', 0)",
  ],
  "a key that is revoked": ["UPDATE api_keys SET revoked_at = 1 WHERE company_id = ?1"],
  "a key that expires": ["UPDATE api_keys SET expires_at = 1 WHERE company_id = ?1"],
  "a key that is gone": ["DELETE FROM api_keys WHERE company_id = ?1"],
  "its PSP's settings": [
    "UPDATE psp_accounts SET settings = json_set(settings, '$.x', 1) WHERE company_id = ?1",
  ],
  "its PSP's secret": ["UPDATE psp_accounts SET sealed = 'y' WHERE company_id = ?1"],
  "its PSP's methods": ["UPDATE psp_accounts SET methods = '[]' WHERE company_id = ?1"],
  "its PSP that it has left": ["UPDATE psp_accounts SET state = 'left' WHERE company_id = ?1"],
  "its PSP that is gone": ["DELETE FROM psp_accounts WHERE company_id = ?1"],
};

describe("the version of a company's credentials rises", () => {
  it.each(Object.entries(CHANGES))("on %s, changed by hand", async (_, statements) => {
    const [company, other] = [await givenCompany(), await givenCompany()];
    await givenProvider(company);
    const before = await versionOf(company);
    const ofOther = await versionOf(other);
    for (const sql of statements) await run(sql, company.id);
    expect(await versionOf(company)).toBeGreaterThan(before!);
    expect(await versionOf(other)).toBe(ofOther);
  });

  it("for both companies when an application or a key changes its company", async () => {
    for (const table of ["applications", "api_keys"]) {
      const [from, to] = [await givenCompany(), await givenCompany()];
      const before = [await versionOf(from), await versionOf(to)];
      await run(`UPDATE ${table} SET company_id = ?2 WHERE company_id = ?1`, from.id, to.id);
      expect(await versionOf(from)).toBeGreaterThan(before[0]!);
      expect(await versionOf(to)).toBeGreaterThan(before[1]!);
    }
  });

  it("with a new PSP, and not with the creation of its passes", async () => {
    const company = await givenCompany({ mode: "live" });
    const before = await versionOf(company);
    await givenProvider(company);
    const withProvider = await versionOf(company);
    expect(withProvider).toBeGreaterThan(before!);
    await run("UPDATE psp_accounts SET list_at = 1 WHERE company_id = ?", company.id);
    await createPasses(env, new FanOut(env), 1, 1);
    expect(await versionOf(company)).toBe(withProvider);
  });

  it("by each of many concurrent changes", async () => {
    const company = await givenCompany();
    const before = await versionOf(company);
    await Promise.all(Array.from({ length: 8 }, () => issueKey(company)));
    expect(await versionOf(company)).toBe(before! + 8);
  });

  it("above every version that a former company of the same number had", async () => {
    const company = await givenCompany();
    for (let round = 0; round < 3; round++) await issueKey(company);
    const before = await versionOf(company);
    const { results } = await env.DB.prepare("SELECT * FROM companies WHERE id = ?")
      .bind(company.id)
      .all();
    const { credentials_version: _version, ...row } = results[0]!;
    const names = Object.keys(row);
    await run("DELETE FROM companies WHERE id = ?", company.id);
    expect(await versionOf(company)).toBeNull();
    // A new company's version begins at the time in ms, which a few changes within one ms may outrun.
    await eventually(() => Date.now() > before!);
    await run(
      `INSERT INTO companies (${names.join(", ")}) VALUES (${names.map(() => "?").join(", ")})`,
      ...Object.values(row),
    );
    expect(await versionOf(company)).toBeGreaterThan(before!);
  });
});
