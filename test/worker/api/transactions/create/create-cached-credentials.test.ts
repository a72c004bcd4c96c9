import { describe, expect, it } from "vitest";
import { call, type Call } from "../../../../support/builders/requests/api.ts";
import {
  env,
  givenCompany,
  type TestCompany,
} from "../../../../support/builders/companies/company.ts";
import {
  issueKey,
  revokeKey,
  setScopes,
} from "../../../../support/builders/companies/credentials.ts";
import { CONNECTION_LOST, withD1 } from "../../../../support/faults/faulty-env.ts";
import { expectNoSideEffects } from "../../../../support/probes/ledger/footprint.ts";
import { freshIsolate } from "../../../../support/builders/companies/isolate.ts";
import { callAsOperator } from "../../../../support/builders/companies/operator.ts";
import { expectProblem } from "../../../../support/probes/http/problem.ts";
import { countRoundTrips } from "../../../../support/probes/database/round-trips.ts";
import { createTransaction } from "../../../../support/builders/charges/transaction.ts";

const UNAUTHORIZED = { status: 401, code: "INVALID_CREDENTIALS" };
const CLAIM = /insert into "transactions"/;

/** A company with the credentials that an isolate has cached since an earlier create. */
async function givenCachedCredentials(fields: Parameters<typeof givenCompany>[0] = {}) {
  const company = await givenCompany(fields);
  const deps = freshIsolate();
  const list = await call("/api/Transaction/company/transactions", { company, deps });
  expect(list.status).toBe(200);
  const create = (options: Call & { key?: string } = {}, body = {}) =>
    createTransaction(company, body, { deps, ...options });
  return { company, create };
}

async function rowsOf(company: TestCompany) {
  const { results } = await env.DB.prepare(`SELECT * FROM transactions WHERE company_id = ?`)
    .bind(company.id)
    .all();
  return results;
}

describe("a create with cached credentials", () => {
  it.each([
    ["without a key", {}],
    ["under a key", { key: "tx_2" }],
    ["under the key of an earlier create", { key: "tx_1" }],
  ])("INVALID_CREDENTIALS: is rejected after a manual revocation, %s", async (_, options) => {
    const { company, create } = await givenCachedCredentials();
    expect((await create({ key: "tx_1" })).status).toBe(200);
    await revokeKey(company.apiKey);
    const answer = await expectNoSideEffects(company, () => create(options));
    await expectProblem(answer, UNAUTHORIZED);
  });

  it("FORBIDDEN: is rejected after its scope was removed", async () => {
    const { company, create } = await givenCachedCredentials();
    await setScopes(company, ["transactions:read"]);
    const answer = await expectNoSideEffects(company, () => create());
    await expectProblem(answer, { status: 403, code: "FORBIDDEN" });
  });

  it("FORBIDDEN: is rejected for a caller that never had the scope", async () => {
    const { company, create } = await givenCachedCredentials({ scopes: ["transactions:read"] });
    const answer = await expectNoSideEffects(company, () => create());
    await expectProblem(answer, { status: 403, code: "FORBIDDEN" });
  });

  it("INVALID_CREDENTIALS: is reported before errors of the request", async () => {
    const { company, create } = await givenCachedCredentials();
    await revokeKey(company.apiKey);
    await expectProblem(await create({}, { amount: 0 }), UNAUTHORIZED);
    await expectProblem(await create({ headers: { "Content-Type": "text/plain" } }), UNAUTHORIZED);
    await expectProblem(await create({ key: "not a key" }), UNAUTHORIZED);
  });

  it("follows the normal rules while its key is valid", async () => {
    const { create } = await givenCachedCredentials();
    await expectProblem(await create({}, { amount: 0 }), {
      status: 400,
      code: "VALIDATION_FAILED",
      fields: ["amount"],
    });
    await expectProblem(await create({}, { installments: 2 }), {
      status: 422,
      code: "INSTALLMENTS_NOT_ALLOWED",
      fields: ["installments"],
    });
  });

  it("uses fees that were changed just before, with three more round trips and one row", async () => {
    const { company, create } = await givenCachedCredentials();
    const fees = { PIX: { basisPoints: 99, fixed: 7 } };
    await callAsOperator(`/companies/${company.id}/terms`, { method: "PUT", body: { fees } });
    const trips = countRoundTrips();
    expect((await create({ env: trips.env })).status).toBe(200);
    expect(trips.lap().inSequence).toBe(5);
    expect(await rowsOf(company)).toEqual([
      expect.objectContaining({ fee_basis_points: 99, fee_fixed: 7, seq: 1 }),
    ]);
    expect((await create({ env: trips.env })).status).toBe(200);
    expect(trips.lap().inSequence).toBe(2);
  });

  it("is not rejected because of an outdated company state", async () => {
    const { company, create } = await givenCachedCredentials({ mode: "live" });
    await expectProblem(await create(), { status: 422, code: "PROVIDER_NOT_CONFIGURED" });
    await env.DB.prepare("UPDATE companies SET mode = 'sandbox' WHERE id = ?")
      .bind(company.id)
      .run();
    expect((await create()).status).toBe(200);
  });

  it("creates no payer and no number without a claim", async () => {
    const { company, create } = await givenCachedCredentials();
    const customer = { name: "Maria", document: { number: "52998224725", type: "CPF" } };
    await issueKey(company);
    expect((await create({}, { customer })).status).toBe(200);
    expect((await create({}, { customer })).status).toBe(200);
    expect((await rowsOf(company)).map((row) => [row["seq"], row["lead_number"]])).toEqual([
      [1, 1],
      [2, 1],
    ]);
  });

  it("is one transaction when the claim's response is lost and the credentials change meanwhile", async () => {
    const { company, create } = await givenCachedCredentials();
    let claims = 0;
    const losing = withD1(env, async (label, run) => {
      const answer = await run();
      if (!CLAIM.test(label)) return answer;
      claims += 1;
      if (claims > 1) return answer;
      await issueKey(company);
      throw new Error(CONNECTION_LOST);
    });
    const { status, body } = await create({ env: losing });
    expect({ status, claims }).toEqual({ status: 200, claims: 2 });
    expect((await rowsOf(company)).map((row) => row["id"])).toEqual([body.data.id]);
  });

  it("STORAGE_UNAVAILABLE: claims nothing while the company changes constantly", async () => {
    const { company, create } = await givenCachedCredentials();
    const changing = withD1(env, async (label, run) => {
      if (CLAIM.test(label)) {
        await env.DB.prepare("UPDATE companies SET name = name WHERE id = ?")
          .bind(company.id)
          .run();
      }
      return run();
    });
    const answer = await create({ env: changing });
    await expectProblem(answer, { status: 503, code: "STORAGE_UNAVAILABLE" });
    expect(answer.headers.get("Retry-After")).toBe("1");
    expect(await rowsOf(company)).toEqual([]);
  });

  it("that fails after its claim is not repeated, whatever changed meanwhile", async () => {
    const { company, create } = await givenCachedCredentials();
    const silent = withD1(env, async (label, run) => {
      if (!/sandbox_/.test(label)) return run();
      await issueKey(company);
      throw new Error("the bank is silent");
    });
    await create({ env: silent });
    expect(await rowsOf(company)).toHaveLength(1);
  });
});
