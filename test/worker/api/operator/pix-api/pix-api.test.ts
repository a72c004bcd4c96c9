import { describe, expect, it } from "vitest";
import { call } from "../../../../support/builders/requests/api.ts";
import {
  env,
  givenCompany,
  type TestCompany,
} from "../../../../support/builders/companies/company.ts";
import { meteredD1 } from "../../../../support/probes/database/cost.ts";
import { expectDocumented } from "../../../../support/probes/http/documented.ts";
import { FakePsp } from "../../../../support/fakes/fake-psp/psp.ts";
import { callAsOperator } from "../../../../support/builders/companies/operator.ts";
import { freshIsolate } from "../../../../support/builders/companies/isolate.ts";
import { decideByTwo } from "../../../../support/builders/operations/decide.ts";
import { expectProblem } from "../../../../support/probes/http/problem.ts";
import {
  configurePixApi,
  deliverCallbacks,
  givenPsp,
  pixApiPath,
  pixApiRequest,
  withPsp,
} from "../../../../support/builders/providers/psp.ts";
import { TestClock } from "../../../../support/fakes/clock.ts";
import {
  createTransaction,
  givenTransaction,
} from "../../../../support/builders/charges/transaction.ts";
import { requestWithdraw, runPayout } from "../../../../support/builders/withdraws/withdraw.ts";

const PATH = "/api/v1/operator/companies/{companyId}/providers/pix-api";
const SECRET = "s3cret:with/colon";

describe("the PSP of a live company", () => {
  it("is configured, gets the callback URL, is shown without its secret, and is used", async () => {
    const world = await givenPsp();
    const { company, psp, configured, options } = world;
    const [key, url] = [...psp.book.webhooks][0]!;
    expect(configured).toMatchObject({
      clientSecretSet: true,
      pixKey: key,
      callbackUrl: url,
      certificate: "PSP_CERTIFICATE",
      tokenBody: "form",
      charge: "cob",
      webhook: "registered",
      webhookFault: null,
    });
    expect(url).toMatch(/^https:\/\/localhost\/callbacks\/pix-api\/[\w-]{36}$/);

    const shown = await callAsOperator(pixApiPath(company), options);
    const { webhook: _webhook, webhookFault: _fault, ...settings } = configured;
    expect(shown.body).toStrictEqual(settings);
    expect(shown.text).not.toContain(SECRET);
    await expectDocumented(`GET ${PATH}`, shown);

    const charge = await givenTransaction(company, {}, options);
    expect(charge.pix.qrcode).toContain("br.gov.bcb.pix");
    expect(psp.requests).toContain(`PUT /cob/${charge.id.replaceAll("-", "")}`);
  });

  it("keeps secret and token encrypted, bound to the company, and nowhere in plain text", async () => {
    const one = await givenPsp();
    const two = await givenPsp();
    const { results } = await env.DB.prepare("SELECT * FROM psp_accounts").all();
    const stored = JSON.stringify(results);
    expect(stored).not.toContain(SECRET);
    expect(stored).not.toContain(one.configured.callbackUrl.split("/").at(-1));

    await env.DB.prepare(
      "UPDATE psp_accounts SET sealed = (SELECT sealed FROM psp_accounts WHERE company_id = ?) WHERE company_id = ?",
    )
      .bind(one.company.id, two.company.id)
      .run();
    const answer = await createTransaction(two.company, {}, two.options);
    await expectProblem(answer, { status: 503, code: "PROVIDER_UNAVAILABLE", retryAfter: true });
    expect(two.psp.book.cobs.size).toBe(0);
  });

  it.each(["tokenUrl", "baseUrl"])("does not decrypt its secret for another %s", async (field) => {
    const { psp, company, options } = await givenPsp();
    const elsewhere = "https://pix.another.example/oauth/token";
    await env.DB.prepare(
      "UPDATE psp_accounts SET settings = json_set(settings, ?, ?) WHERE company_id = ?",
    )
      .bind(`$.${field}`, elsewhere, company.id)
      .run();
    const answer = await createTransaction(company, {}, options);
    await expectProblem(answer, { status: 503, code: "PROVIDER_UNAVAILABLE", retryAfter: true });
    expect(psp.book.cobs.size).toBe(0);
  });

  it("requests its token and its API through the certificate's binding", async () => {
    const { psp, company, options } = await givenPsp();
    psp.revokeTokens();
    await givenTransaction(company, {}, options);
    expect(psp.requests.filter((request) => request === "POST /oauth/token")).toHaveLength(2);
  });

  it("keeps its callback token when it is configured again with another secret", async () => {
    const world = await givenPsp();
    const { company, configured } = world;
    const again = pixApiRequest({ pixKey: configured.pixKey, clientSecret: "another" });
    const answer = await configurePixApi(company, again, world);
    await expectDocumented(`PUT ${PATH}`, answer);
    expect(answer.body.callbackUrl).toBe(configured.callbackUrl);
    // The token request uses the new secret, which the PSP does not know.
    expect(answer.body).toMatchObject({
      webhook: "failed",
      webhookFault: "The PSP did not answer.",
    });
  });

  it("is registered again for callbacks", async () => {
    const world = await givenPsp();
    const { company, psp, configured, options } = world;
    psp.book.webhooks.clear();
    const repeat = () =>
      callAsOperator(`${pixApiPath(company)}/webhook`, { ...options, method: "POST" });
    const answer = await repeat();
    await expectDocumented(`POST ${PATH}/webhook`, answer);
    expect(answer.body).toStrictEqual({
      callbackUrl: configured.callbackUrl,
      webhook: "registered",
      webhookFault: null,
    });
    expect([...psp.book.webhooks.values()]).toEqual([configured.callbackUrl]);

    psp.faultOnce("unavailable");
    expect((await repeat()).body).toMatchObject({ webhook: "failed" });
  });

  it("keeps how a token is asked for and the PSP's own headers, and shows both", async () => {
    const asked = { tokenClient: "basic", headers: { "x-conta-corrente": "123456" } };
    const { configured, company } = await givenPsp(asked);

    expect(configured).toMatchObject(asked);
    expect((await callAsOperator(pixApiPath(company))).body).toMatchObject(asked);
  });

  it("calls the URL that the operator sets", async () => {
    const callbackOrigin = "https://api.loja-exemplo.com.br";
    const { company, configured } = await givenPsp({ callbackOrigin });
    expect(configured.callbackUrl).toMatch(/^https:\/\/api\.loja-exemplo\.com\.br\/callbacks\//);
    const { body } = await callAsOperator(`/audit?companyId=${company.id}&order=newest&limit=1`);
    expect(body.items[0].after).toMatchObject({
      certificate: "PSP_CERTIFICATE",
      callbackOrigin,
      requireClientCertificate: false,
    });
  });
});

describe("refusals", () => {
  const world = withPsp(new FakePsp(), new TestClock());

  it("VALIDATION_FAILED: all wrong fields at once", async () => {
    const company = await givenCompany({ mode: "live" });
    const body = {
      baseUrl: "http://pix.example.com",
      tokenUrl: "https://user:pass@pix.banco-de-teste.com.br/oauth",
      tokenBody: "xml",
      tokenClient: "jwt",
      headers: { client_id: "a b" },
      clientId: "",
      pixKey: "nobody",
      certificate: "NO_SUCH_BINDING",
      charge: "boleto",
      payouts: { url: "https://10.0.0.1" },
      callbackOrigin: "https://api.loja-exemplo.com.br/path",
    };
    await expectProblem(await configurePixApi(company, body, world), {
      status: 400,
      code: "VALIDATION_FAILED",
      fields: [
        "baseUrl",
        "tokenUrl",
        "tokenBody",
        "tokenClient",
        "headers.client_id",
        "clientId",
        "clientSecret",
        "pixKey",
        "certificate",
        "charge",
        "payouts.url",
        "callbackOrigin",
      ],
    });
    expect((await callAsOperator(pixApiPath(company))).status).toBe(404);
  });

  it.each([
    ["baseUrl", { baseUrl: "https://pix.banco-de-teste.com.br/#v2" }],
    ["tokenUrl", { tokenUrl: "https://localhost/token" }],
    ["tokenUrl", { tokenUrl: 7 }],
    ["pixKeyType", { pixKey: "51998259765" }],
    ["pixKey", { pixKey: "52998224725", pixKeyType: "EVP" }],
    ["certificate", { certificate: "ASSETS" }],
    ["certificate", { certificate: "DB" }],
    ["certificate", { certificate: "../PSP" }],
    ["payouts", { payouts: "yes" }],
    ["clientSecret", { clientSecret: undefined }],
  ])("VALIDATION_FAILED: %s of %o", async (field, overrides) => {
    const company = await givenCompany({ mode: "live" });
    await expectProblem(await configurePixApi(company, pixApiRequest(overrides), world), {
      status: 400,
      code: "VALIDATION_FAILED",
      fields: [field],
    });
  });

  it("INVALID_STATE: a sandbox company has the sandbox", async () => {
    const company = await givenCompany();
    await expectProblem(await configurePixApi(company, pixApiRequest(), world), {
      status: 409,
      code: "INVALID_STATE",
    });
  });

  it("INVALID_STATE: the key of another company", async () => {
    const { configured } = await givenPsp();
    const company = await givenCompany({ mode: "live" });
    const body = pixApiRequest({ pixKey: configured.pixKey.toUpperCase() });
    await expectProblem(await configurePixApi(company, body, world), {
      status: 409,
      code: "INVALID_STATE",
    });
    expect((await callAsOperator(pixApiPath(company))).status).toBe(404);
  });

  it("NOT_FOUND: a company without a PSP", async () => {
    const company = await givenCompany({ mode: "live" });
    const path = pixApiPath(company);
    const expected = { status: 404, code: "NOT_FOUND" };
    await expectProblem(await callAsOperator(path), expected);
    await expectProblem(await callAsOperator(path, { method: "DELETE" }), expected);
    await expectProblem(await callAsOperator(`${path}/webhook`, { method: "POST" }), expected);
  });
});

describe("a disconnected PSP", () => {
  it("no longer belongs to the company", async () => {
    const { company, options } = await givenPsp();
    const answer = await callAsOperator(pixApiPath(company), { ...options, method: "DELETE" });
    expect(answer.body).toStrictEqual({ removed: true });
    await expectDocumented(`DELETE ${PATH}`, answer);
    expect((await callAsOperator(pixApiPath(company))).status).toBe(404);
    const refused = await createTransaction(company, {}, options);
    await expectProblem(refused, { status: 422, code: "PROVIDER_NOT_CONFIGURED" });
  });

  it("still responds for its own charges under their keys", async () => {
    const world = await givenPsp();
    const { company, psp, options } = world;
    const created = await createTransaction(company, {}, { ...options, key: "before" });
    psp.pay(created.body.data.id.replaceAll("-", ""));
    await deliverCallbacks(world);
    await callAsOperator(pixApiPath(company), { ...options, method: "DELETE" });
    const again = await createTransaction(company, {}, { ...options, key: "before" });
    expect(again.status).toBe(200);
    expect(again.body.data.id).toBe(created.body.data.id);
    expect(again.headers.get("Idempotent-Replayed")).toBe("true");
    const other = await createTransaction(company, { amount: 1 }, { ...options, key: "before" });
    await expectProblem(other, { status: 409, code: "IDEMPOTENCY_KEY_REUSED" });
  });

  it("INVALID_STATE: cannot be disconnected while an unexpected payment is being returned", async () => {
    const world = await givenPsp();
    const { company, psp, options } = world;
    const paymentId = psp.payKey("5.00");
    await deliverCallbacks(world);
    const back = `/companies/${company.id}/suspense/${paymentId}/return`;
    const returned = await decideByTwo(back, {}, options);
    expect([returned.status, returned.body.data.outcome]).toEqual([
      200,
      { returnStatus: "PENDING" },
    ]);
    const remove = () => callAsOperator(pixApiPath(company), { ...options, method: "DELETE" });
    await expectProblem(await remove(), { status: 409, code: "INVALID_STATE" });
  });

  it("INVALID_STATE: cannot be disconnected while a dispute is open, even without held money", async () => {
    const world = await givenPsp();
    const { company, psp, options, deps } = world;
    const charge = await givenTransaction(company, { amount: 2_500 }, options);
    const paymentId = psp.pay(charge.id.replaceAll("-", ""));
    await deliverCallbacks(world);
    const { body } = await requestWithdraw(company, { amount: 2_500 }, options);
    await runPayout(company, body.id, deps.providers(world.env));
    psp.settlePayout([...psp.book.envios.keys()][0]!, "REALIZADO");
    psp.requestReturn(paymentId, "med1", "25.00");
    await deliverCallbacks(world);
    const remove = () => callAsOperator(pixApiPath(company), { ...options, method: "DELETE" });
    await expectProblem(await remove(), { status: 409, code: "INVALID_STATE" });
    psp.settleDevolucao(paymentId, "med1", "NAO_REALIZADO");
    await deliverCallbacks(world);
    expect((await remove()).status).toBe(200);
  });

  it("INVALID_STATE: cannot be disconnected while a charge is open", async () => {
    const { company, options } = await givenPsp();
    await givenTransaction(company, {}, options);
    const answer = await callAsOperator(pixApiPath(company), { ...options, method: "DELETE" });
    await expectProblem(answer, { status: 409, code: "INVALID_STATE" });
  });
});

it("a company cannot change its own PSP", async () => {
  const { company, options } = await givenPsp();
  const answer = await call(`/api/v1/operator${pixApiPath(company)}`, { ...options, company });
  await expectProblem(answer, { status: 401, code: "INVALID_CREDENTIALS" });
});

it("the PSP is read in the company's own query at no extra cost", async () => {
  const { company } = await givenPsp();
  const metered = meteredD1((sql) => /^select.*api_keys/s.test(sql));
  const readFor = async (caller: TestCompany) => {
    const settings = "/api/v1/company/settings";
    const options = { company: caller, env: metered.env, deps: freshIsolate() };
    expect((await call(settings, options)).status).toBe(200);
    return metered.lap().read;
  };
  const before = await readFor(await givenCompany({ mode: "live" }));
  // Application, company, key, and the next key of each index at which a search ends: of keys, accounts, old accounts.
  expect(before).toBeLessThanOrEqual(6);
  expect(before).toBeGreaterThan(0);
  expect(await readFor(company)).toBeLessThanOrEqual(before + 2);
});
