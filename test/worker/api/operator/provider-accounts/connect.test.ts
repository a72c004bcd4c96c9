import { beforeEach, describe, expect, it, vi } from "vitest";
import { identitiesOf } from "../../../../../src/domain/psp/psp-account.ts";
import { findCompany } from "../../../../../src/db/companies/companies.ts";
import { providerRegistry } from "../../../../../src/providers/registry.ts";
import { listAccounts } from "../../../../../src/db/companies/psp-accounts.ts";
import { env, givenCompany } from "../../../../support/builders/companies/company.ts";
import {
  callAsApprover,
  callAsOperator,
  restoreLocalOperators,
} from "../../../../support/builders/companies/operator.ts";
import { approve, REASON } from "../../../../support/builders/operations/decide.ts";
import {
  accountPath,
  accountsOf,
  connectAccount,
  efiAccount,
  pagarmeAccount,
  patchAccount,
  pixAccount,
  putAccount,
} from "../../../../support/builders/providers/accounts.ts";
import { givenPsp } from "../../../../support/builders/providers/psp.ts";
import { expectDocumented } from "../../../../support/probes/http/documented.ts";
import { expectProblem } from "../../../../support/probes/http/problem.ts";

const ROUTE = "/api/v1/operator/companies/{companyId}/providers";
const INVALID = { status: 400, code: "VALIDATION_FAILED" };
const CONFLICT = { status: 409, code: "INVALID_STATE" };
const ALONE = { options: {} };

beforeEach(restoreLocalOperators);

const byCost = (cost: object) => ({ methods: ["BOLETO"], conditions: { cost } });
const givenLive = () => givenCompany({ mode: "live" });

describe("a company's accounts", () => {
  it("are listed with their kind, terms and health, and without their secrets", async () => {
    const lines = vi.spyOn(console, "log").mockImplementation(() => undefined);
    const company = await givenLive();
    const boletos = efiAccount({ payeeCode: `payee-${company.id}` }, { methods: ["BOLETO"] });
    await connectAccount(company, "efi", boletos, ALONE);
    await connectAccount(company, "cards", pagarmeAccount(), ALONE);

    const answer = await callAsOperator(`/companies/${company.id}/providers`);
    const trail = await callAsOperator(`/audit-entries?companyId=${company.id}`);

    await expectDocumented(`GET ${ROUTE}`, answer);
    expect(answer.body.data).toMatchObject([
      { account: "cards", provider: "pagarme", methods: ["CREDIT_CARD"], state: "active" },
      { account: "efi", provider: "efi-cobrancas", priority: 1, leftAt: null },
    ]);
    expect(answer.body.data[1]).toMatchObject({
      conditions: {},
      settings: { payeeCode: `payee-${company.id}`, termsProven: false },
      callbackUrl: expect.stringMatching(/^http.+\/callbacks\/efi-cobrancas\/[\w-]{36}$/),
      health: {
        lastSuccessAt: null,
        failingSince: null,
        day: null,
        calls: 0,
        refusals: 0,
        latencyMs: null,
      },
      certificateDaysLeft: null,
    });
    const shown = [answer.text, trail.text, JSON.stringify(lines.mock.calls)].join("");
    expect(shown).not.toMatch(/s3cret/);
    const stored = await env.DB.prepare("SELECT * FROM psp_accounts WHERE company_id = ?")
      .bind(company.id)
      .all();
    expect(JSON.stringify(stored.results)).not.toMatch(/s3cret/);
    vi.restoreAllMocks();
  });

  it("are connected with the same account at a bank in one company only", async () => {
    const [one, other] = [await givenLive(), await givenLive()];
    const taken = efiAccount({ payeeCode: `payee-${one.id}` });
    await connectAccount(one, "efi", taken, ALONE);
    const accountId = `acc_${one.id}`;
    const pagarme = pagarmeAccount({ accountId });
    await connectAccount(one, "cards", pagarme, ALONE);
    const refused = [
      efiAccount({ clientId: (taken["settings"] as { clientId: string }).clientId }),
      efiAccount({ payeeCode: `payee-${one.id}` }),
      pagarme,
      pagarmeAccount({ accountId }),
    ];
    for (const body of refused) {
      const answer = await putAccount(other, "mine", body, ALONE);
      await expectProblem(answer, CONFLICT);
      expect(answer.body.reason).toBe("account_taken");
    }
    expect(await accountsOf(other, ALONE)).toEqual([]);
    await connectAccount(other, "mine", efiAccount(), ALONE);
  });

  it("have one name each and keep it", async () => {
    const company = await givenLive();
    const body = efiAccount();
    await connectAccount(company, "efi", body, ALONE);
    const twin = await putAccount(company, "twin", { ...body, priority: 2, reason: REASON }, ALONE);
    expect(twin.status).toBe(202);
    const approved = await approve(twin.body.data.id);
    await expectProblem(approved, CONFLICT);
    expect(approved.body.reason).toBe("account_known");

    const again = { ...body, priority: 3, conditions: { amountTo: 50_000 } };
    const changed = await putAccount(company, "efi", again, ALONE);
    expect(changed.status, changed.text).toBe(200);
    await expectDocumented(`PUT ${ROUTE}/{account}`, changed);
    expect(changed.body).toMatchObject({
      data: { priority: 3, conditions: { amountTo: 50_000 } },
      webhook: "manual",
    });
  });

  it("keep their charges with another pair of keys, where the house's id of the account is known", async () => {
    const company = await givenLive();
    const accountId = `acc_${company.id}`;
    const wrong = pagarmeAccount({ accountId: "cus_1" });
    const fields = ["settings.accountId"];
    await expectProblem(await putAccount(company, "cards", wrong, ALONE), { ...INVALID, fields });
    await connectAccount(company, "cards", pagarmeAccount({ accountId }), ALONE);
    const renewed = pagarmeAccount({ accountId }, { reason: REASON });
    const proposal = await putAccount(company, "cards", renewed, ALONE);
    expect(proposal.status).toBe(202);
    const approved = await approve(proposal.body.data.id);
    expect(approved.status, approved.text).toBe(200);
    const { publicKey } = renewed["settings"] as { publicKey: string };
    // One who leaves the id out keeps it.
    const { secrets } = renewed;
    const short = { ...pagarmeAccount({ publicKey }), secrets };
    expect((await putAccount(company, "cards", short, ALONE)).status).toBe(200);
    const others = await putAccount(
      await givenLive(),
      "mine",
      pagarmeAccount({ accountId }),
      ALONE,
    );
    await expectProblem(others, CONFLICT);
    expect(others.body.reason).toBe("account_taken");
    expect(await accountsOf(company, ALONE)).toMatchObject([
      { account: "cards", state: "active", leftAt: null, settings: { publicKey, accountId } },
    ]);
  });

  it("share no priority for a method", async () => {
    const company = await givenLive();
    await connectAccount(company, "efi", efiAccount(), ALONE);
    await connectAccount(company, "cards", pagarmeAccount(), ALONE);
    const both = pagarmeAccount({}, { methods: ["BOLETO"], reason: REASON });
    const proposal = await putAccount(company, "other", both, ALONE);
    const approved = await approve(proposal.body.data.id);
    await expectProblem(approved, CONFLICT);
    expect(approved.body.reason).toBe("priority_taken");
    const patched = await patchAccount(company, "cards", { methods: ["BOLETO"] }, ALONE);
    await expectProblem(patched, CONFLICT);
  });

  it("share a priority where both state what a charge costs there, and it is shown", async () => {
    const company = await givenLive();
    const efi = efiAccount({}, byCost({ fixed: 190 }));
    await connectAccount(company, "efi", efi, ALONE);
    await connectAccount(company, "other", pagarmeAccount({}, byCost({ basisPoints: 99 })), ALONE);
    expect(await accountsOf(company, ALONE)).toMatchObject([
      { account: "efi", priority: 1, conditions: { cost: { basisPoints: 0, fixed: 190 } } },
      { account: "other", priority: 1, conditions: { cost: { basisPoints: 99, fixed: 0 } } },
    ]);
    const routes = async (amount: number) =>
      providerRegistry(env)
        .routesFor((await findCompany(env, company.id))!, "BOLETO", amount)
        .map(({ account }) => account);
    expect(await routes(10_000)).toEqual(["other", "efi"]);
    expect(await routes(100_000)).toEqual(["efi", "other"]);

    const without = await patchAccount(company, "other", { conditions: {} }, ALONE);
    await expectProblem(without, CONFLICT);
    expect(without.body.reason).toBe("priority_taken");
  });

  it.each([
    ["conditions.cost.fixed", { fixed: -1 }],
    ["conditions.cost.basisPoints", { basisPoints: 10_001 }],
    ["conditions.cost", { percent: 1 }],
  ])("are refused a cost with a wrong %s", async (field, cost) => {
    const company = await givenLive();
    const refused = await putAccount(
      company,
      "efi",
      efiAccount({}, { conditions: { cost } }),
      ALONE,
    );
    await expectProblem(refused, { ...INVALID, fields: [field] });
  });
});

describe("one operator alone", () => {
  it("connects the first account, and no other", async () => {
    const company = await givenLive();
    const first = await putAccount(company, "efi", efiAccount(), ALONE);
    expect(first.status, first.text).toBe(200);
    const second = await putAccount(company, "cards", pagarmeAccount(), ALONE);
    await expectProblem(second, { ...INVALID, fields: ["reason"] });
    const body = pagarmeAccount({}, { reason: REASON });
    const proposed = await putAccount(company, "cards", body, ALONE);
    expect(proposed.status).toBe(202);
    await expectDocumented(`PUT ${ROUTE}/{account}`, proposed);
    expect(JSON.stringify(proposed.body)).not.toMatch(/s3cret/);
    expect(proposed.body.data).toMatchObject({
      action: "company.provider",
      target: "provider:cards",
      status: "pending",
    });
    const own = await callAsOperator(`/proposals/${proposed.body.data.id}/approve`, {
      body: { reason: REASON },
    });
    expect([403, 409]).toContain(own.status);
    expect((await accountsOf(company, ALONE)).map(({ account }) => account)).toEqual(["efi"]);

    expect((await approve(proposed.body.data.id)).status).toBe(200);
    const connected = (await accountsOf(company, ALONE)).map(({ account }) => account);
    expect(connected).toEqual(["cards", "efi"]);
    const stored = await env.DB.prepare("SELECT request FROM operator_proposals WHERE id = ?")
      .bind(proposed.body.data.id)
      .first<string>("request");
    expect(JSON.parse(stored!)).not.toHaveProperty("sealedSecret");
  });

  it.each([
    ["another host", (body: any) => (body.settings.baseUrl = "https://outro.example.com.br")],
    ["another payee", (body: any) => (body.settings.payeeCode = "another")],
    ["notices of others", (body: any) => (body.settings.callbackOrigin = "https://outro.com.br")],
  ])("does not lead one to %s", async (_what, change) => {
    const company = await givenLive();
    const body = efiAccount();
    await connectAccount(company, "efi", body, ALONE);
    const led = structuredClone(body);
    change(led);
    const answer = await putAccount(company, "efi", { ...led, reason: REASON }, ALONE);
    expect(answer.status, answer.text).toBe(202);
  });

  it("does not lead an account over the Pix API to another client of its PSP", async () => {
    const world = await givenPsp();
    const { company, configured } = world;
    const { pixKey } = configured;
    for (const changed of [
      { clientId: "another" },
      { headers: { "x-conta-corrente": "1234567" } },
      { callbackOrigin: "https://outro.com.br" },
    ]) {
      const body = pixAccount({ pixKey, ...changed });
      const alone = await putAccount(company, configured.account, body, world);
      await expectProblem(alone, { ...INVALID, fields: ["reason"] });
    }
    const same = await putAccount(company, configured.account, pixAccount({ pixKey }), world);
    expect(same.status, same.text).toBe(200);
  });

  it("does not charge another account at Pagar.me by another secret key", async () => {
    const company = await givenLive();
    const body = pagarmeAccount();
    await connectAccount(company, "cards", body, ALONE);
    expect((await putAccount(company, "cards", body, ALONE)).status).toBe(200);
    const other = { ...body, secrets: { secretKey: "sk_of-another" }, reason: REASON };
    expect((await putAccount(company, "cards", other, ALONE)).status).toBe(202);
  });

  it("does not have payouts leave over another account", async () => {
    const world = await givenPsp();
    const { company } = world;
    const spare = pixAccount({}, { methods: ["PIX"], priority: 2 });
    await connectAccount(company, "spare", spare, world);
    const freely = await patchAccount(company, "spare", { priority: 3 }, world);
    expect(freely.status, freely.text).toBe(200);
    await expectDocumented(`PATCH ${ROUTE}/{account}`, freely);

    for (const change of [{ methods: ["PIX", "PAYOUT"] }, { methods: ["PAYOUT"], priority: 9 }]) {
      const alone = await patchAccount(company, "spare", change, world);
      await expectProblem(alone, { ...INVALID, fields: ["reason"] });
    }
    const moved = await patchAccount(company, "first", { priority: 7, reason: REASON }, world);
    expect(moved.status, moved.text).toBe(202);
    const change = { methods: ["PIX", "PAYOUT"], reason: REASON };
    const proposed = await patchAccount(company, "spare", change, world);
    expect(proposed.status, proposed.text).toBe(202);
    expect((await approve(proposed.body.data.id, world.options)).status).toBe(200);
    const [, after] = await accountsOf(company, world);
    expect(after).toMatchObject({ account: "spare", methods: ["PIX", "PAYOUT"], priority: 3 });
  });
});

describe("a request for an account", () => {
  it.each([
    ["a kind that is none", { provider: "bank" }, "provider"],
    ["a method that its kind has not", { methods: ["PIX"] }, "methods"],
    ["hours that are none", { conditions: { hours: "25:00-06:00" } }, "conditions.hours"],
    ["hours without an end", { conditions: { hours: "08:00-08:00" } }, "conditions.hours"],
    ["amounts in reverse", { conditions: { amountFrom: 2, amountTo: 1 } }, "conditions.amountTo"],
    ["a field of another kind", { settings: { pixKey: "maria@example.com" } }, "settings"],
    [
      "a plain address",
      { settings: { baseUrl: "http://casa.example.com.br" } },
      "settings.baseUrl",
    ],
  ])("with %s is refused", async (_what, { settings = {}, ...overrides }: any, field) => {
    const company = await givenLive();
    const answer = await putAccount(company, "efi", efiAccount(settings, overrides), ALONE);
    await expectProblem(answer, { ...INVALID, fields: [field] });
    expect(await accountsOf(company, ALONE)).toEqual([]);
  });

  it("may name a key or an address for tests where the service is local only", async () => {
    const company = await givenLive();
    const options = { env: { ...env, ALLOW_HTTP_LOOPBACK_WEBHOOKS: "false" } };
    const body = { ...pagarmeAccount(), secrets: { secretKey: "sk_test_1" } };
    const answer = await putAccount(company, "cards", body, { options });
    await expectProblem(answer, { ...INVALID, fields: ["secrets.secretKey"] });
    const baseUrl = "https://cobrancas-h.api.efipay.com.br";
    const atTests = await putAccount(company, "efi", efiAccount({ baseUrl }), { options });
    await expectProblem(atTests, { ...INVALID, fields: ["settings.baseUrl"] });

    expect((await putAccount(company, "efi", efiAccount({ baseUrl }), ALONE)).status).toBe(200);
  });

  it("of a sandbox company is refused", async () => {
    const answer = await putAccount(await givenCompany(), "efi", efiAccount(), ALONE);
    await expectProblem(answer, CONFLICT);
    expect(answer.body.reason).toBe("sandbox_company");
  });

  it("is seen by another operator, not by his secrets", async () => {
    const company = await givenLive();
    await connectAccount(company, "efi", efiAccount(), ALONE);
    const body = pagarmeAccount({}, { reason: REASON });
    const { id } = (await putAccount(company, "cards", body, ALONE)).body.data;
    const seen = await callAsApprover(`/proposals/${id}`);
    expect(seen.body.data.request).toMatchObject({ provider: "pagarme", priority: 1 });
    expect(seen.text).not.toMatch(/s3cret|sealedSecret/);
  });
});

it("an account of before is listed, and changes without a change of what code of before reads", async () => {
  const company = await givenLive();
  await env.DB.prepare(
    `INSERT INTO company_providers (company_id, provider, account, settings, sealed, callback_token_hash,
       listed_until, list_at, list_window, created_at, updated_at)
     VALUES (?, 'PixApi', 'first', ?, 'v1.x', 'hash', 5, 9000000000000000, 60000, 3, 4)`,
  )
    .bind(
      company.id,
      JSON.stringify({
        baseUrl: "https://pix.example.com.br",
        tokenUrl: "https://pix.example.com.br/token",
        clientId: "c",
        pixKey: crypto.randomUUID(),
        payouts: null,
      }),
    )
    .run();
  const old = () =>
    env.DB.prepare("SELECT * FROM company_providers WHERE company_id = ?").bind(company.id).all();
  const before = (await old()).results;
  const change = { state: "draining", conditions: { amountTo: 100 } };
  const answer = await patchAccount(company, "first", change, ALONE);
  expect(answer.status, answer.text).toBe(200);
  expect(answer.body.data).toMatchObject({ ...change, callbackUrl: null, methods: ["PIX"] });
  expect((await old()).results).toEqual(before);
  const [row] = await listAccounts(env, company.id);
  expect(identitiesOf(row!)).toHaveLength(1);
});

it("an account that is not there is neither changed nor disconnected", async () => {
  const company = await givenLive();
  const missing = { status: 404, code: "NOT_FOUND" };
  await expectProblem(await patchAccount(company, "none", { priority: 2 }, ALONE), missing);
  const gone = await callAsOperator(accountPath(company, "none"), { method: "DELETE" });
  await expectProblem(gone, missing);
});
