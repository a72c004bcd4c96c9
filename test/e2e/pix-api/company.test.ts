import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, expect, it } from "vitest";
import { companySql, type NewCompany } from "../../../tools/lib/company-sql.ts";
import { ApiClient, type MerchantAnswer } from "../../../tools/lib/merchant.ts";
import { startService, type Service } from "../../../tools/lib/service.ts";
import { pixApiSecretContext, type PixApiSettings } from "../../../src/domain/psp/psp-settings.ts";
import { canonicalJson } from "../../../src/lib/hash.ts";
import { LOCAL_SECRETS_KEY } from "../../../src/lib/local-key.ts";
import { LOCAL_OPERATOR_KEY } from "../../../tools/lib/local-operators.ts";
import { seal } from "../../../src/lib/secret-box.ts";
import { PSP_KEY } from "../../support/fakes/fake-psp/book.ts";
import { pspConfig } from "../../support/fakes/fake-psp/provider.ts";
import { FakePsp, PSP_CLIENT } from "../../support/fakes/fake-psp/psp.ts";
import { samplesOf } from "../../support/probes/http/prometheus.ts";
import { readPromql } from "../../support/probes/http/promql.ts";
import { directoryIn } from "../../kill/lib/database.ts";
import { givenStateDir } from "../state-dir.ts";
import { servePsp, type Served } from "./server.ts";

/** After the two local companies. */
const COMPANY_ID = 3;
const OTHER_ID = 4;
const LIVE: NewCompany = {
  name: "Loja de Verdade",
  mode: "live",
  providerCompanyId: "6f1a3c52-9d0e-4b7a-8c41-2f5e7d9b0aff",
  clientId: "app_live_loja",
  apiKey: "sk_live_of_this_test",
  webhookSecret: "whsec_bG9jYWwtbG9qYS1leGVtcGxvLXNlY3JldA==",
  mainPixKey: { type: "CNPJ", value: "11222333000181" },
  bankDocument: "11222333000181",
  duplicateWithdrawGuard: false,
};
const OTHER: NewCompany = {
  ...LIVE,
  name: "Outra de Verdade",
  providerCompanyId: "6f1a3c52-9d0e-4b7a-8c41-2f5e7d9b0afe",
  clientId: "app_live_outra",
  apiKey: "sk_live_of_this_test_too",
};
const OTHER_KEY = "outra@example.com";
const DASHBOARD = join(import.meta.dirname, "../../../docs/grafana/centavo.json");
interface Dashboard {
  panels: { targets?: { expr: string }[] }[];
}
const OPERATOR = { clientId: "operator", apiKey: LOCAL_OPERATOR_KEY };
const PATH = `/api/v1/operator/companies/${COMPANY_ID}/providers/pix-api`;
/**
 * The second PSP's clock is behind, so that it lists its payments: the newest minute is not
 * read.
 */
const VIEW_LAG_MS = 2 * 60_000;
/** The cron needs several runs for the hours of twenty days: 21 s beside one other file, 40 s beside more. */
const ANSWER_LIMIT_MS = 120_000;
const POLL_MS = 50;

const stateDir = await givenStateDir("pix-api");
const psp = new FakePsp();
const otherPsp = new FakePsp({ now: () => Date.now() - VIEW_LAG_MS }, OTHER_KEY);
let served: Served;
let otherServed: Served;
let service: Service;
let merchant: ApiClient;

beforeAll(async () => {
  [served, otherServed] = await Promise.all([servePsp(psp), servePsp(otherPsp)]);
  const companies = [LIVE, OTHER].map((each) => companySql(each, [LOCAL_SECRETS_KEY], Date.now()));
  const database = new DatabaseSync(directoryIn(stateDir));
  for (const sql of [...(await Promise.all(companies)), await otherProviderSql()]) {
    database.exec(sql);
  }
  database.close();
  service = await startService({ stateDir });
  merchant = new ApiClient(service.base, LIVE);
});

afterAll(async () => {
  await service?.stop();
  await Promise.all([served?.close(), otherServed?.close()]);
  rmSync(stateDir, { recursive: true, force: true });
});

const create = (amount: number, key: string) =>
  merchant.call(
    "POST",
    "/api/v1/transactions/create",
    { amount, paymentMethod: "PIX" },
    { "Idempotency-Key": key },
  );
const txidOf = (id: string) => id.replaceAll("-", "");
const deliver = () => psp.deliverCallbacks((url, body) => fetch(url, { method: "POST", body }));
const availableReais = async () =>
  (await merchant.call("GET", `/api/Balance/balance/${COMPANY_ID}?currency=BRL`)).body.accBalance;
const statusOf = async (id: string) =>
  (await merchant.call("GET", `/api/Transaction/transactionByTransactionId/${id}`)).body
    .enStatusTransaction;

/** Polls until the response matches, because callbacks and queues respond before they finish. */
async function expectEventually<Value>(read: () => Promise<Value>, expected: Value): Promise<void> {
  const deadline = Date.now() + ANSWER_LIMIT_MS;
  let value = await read();
  while (value !== expected && Date.now() < deadline) {
    await new Promise((wake) => setTimeout(wake, POLL_MS));
    value = await read();
  }
  expect(value).toBe(expected);
}

it("a live company without a PSP gets a clear error, and can charge once the operator configures a PSP", async () => {
  expect((await create(2_500, "tx_early")).body.code).toBe("PROVIDER_NOT_CONFIGURED");
  const operator = new ApiClient(service.base, OPERATOR);
  const answer = await operator.call("PUT", PATH, {
    baseUrl: served.url,
    tokenUrl: `${served.url}/oauth/token`,
    ...PSP_CLIENT,
    pixKey: PSP_KEY,
    payouts: { url: served.url },
  });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  expect(answer.body).toMatchObject({ webhook: "registered", pixKey: PSP_KEY });
  expect(answer.body.callbackUrl.startsWith(`${service.base}/callbacks/pix-api/`)).toBe(true);
});

it("a create whose PSP response was lost is resumed by its key as the same charge", async () => {
  psp.faultOnce("error_500", /^PUT \/cob/);
  const lost = await create(2_500, "tx_lost");
  expect([lost.status, lost.body.code]).toEqual([503, "PROVIDER_UNAVAILABLE"]);
  const { status, body } = await create(2_500, "tx_lost");
  expect(status).toBe(200);
  expect([...psp.book.cobs.keys()]).toEqual([txidOf(body.data.id)]);
});

it("a PIX charge through the PSP is paid by callback, partly refunded and withdrawn", async () => {
  const { body } = await create(10_000, "tx_paid");
  const { id, pix } = body.data;
  expect(pix.qrcode).toContain("br.gov.bcb.pix");
  const endToEndId = psp.pay(txidOf(id));
  await deliver();
  await expectEventually(() => statusOf(id), "Paid");
  expect(await availableReais()).toBe(100);

  const refund = await merchant.call(
    "POST",
    `/api/v1/transactions/${id}/refund`,
    { amount: 4_000 },
    { "Idempotency-Key": "re_1" },
  );
  expect(refund.status).toBe(202);
  const [devolucao] = psp.book.pix(endToEndId)!.devolucoes;
  psp.settleDevolucao(endToEndId, devolucao.id, "DEVOLVIDO");
  await deliver();

  const withdraw: MerchantAnswer = await merchant.call(
    "POST",
    "/api/Withdraw/request",
    { amount: 5_000 },
    { "Idempotency-Key": "wd_1" },
  );
  expect(withdraw.status).toBe(201);
  await expectEventually(async () => psp.book.envios.size, 1);
  const [idEnvio = ""] = psp.book.envios.keys();
  psp.settlePayout(idEnvio, "REALIZADO");
  await deliver();
  const found = () => merchant.call("GET", `/api/Withdraw/${withdraw.body.id}`);
  await expectEventually(async () => (await found()).body.enTransaction, "Paid");
  expect([...psp.book.payoutCounts.values()]).toEqual([1]);
  expect(await availableReais()).toBe(10);
});

it("the cron finds a payment whose callback was lost", async () => {
  const other = new ApiClient(service.base, OTHER);
  const pix = { amount: 700, paymentMethod: "PIX" };
  const { body } = await other.call("POST", "/api/v1/transactions/create", pix);
  otherPsp.pay(txidOf(body.data.id));
  const path = `/api/Transaction/transactionByTransactionId/${body.data.id}`;
  await expectEventually(async () => {
    await fetch(`${service.base}/cdn-cgi/local/scheduled`);
    return (await other.call("GET", path)).body.enStatusTransaction;
  }, "Paid");
  expect(otherPsp.callbacks).toHaveLength(1);
});

it("each query of the dashboard finds its series, with their labels, in what /metrics prints", async () => {
  const { panels } = JSON.parse(readFileSync(DASHBOARD, "utf8")) as Dashboard;
  const used = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => readPromql(expr)));
  expect(used.length).toBeGreaterThan(15);
  const missing = async () => {
    await fetch(`${service.base}/cdn-cgi/local/scheduled`);
    const answer = await fetch(`${service.base}/metrics`, {
      headers: { "X-Client-Id": OPERATOR.clientId, "X-API-Key": OPERATOR.apiKey },
    });
    const printed = Map.groupBy(samplesOf(await answer.text()), ({ name }) => name);
    const labelsOf = (name: string) => Object.keys(printed.get(name)?.[0]?.labels ?? {});
    const series = used.flatMap(({ selectors, grouped }) =>
      selectors.map(({ name, labels }) => ({ name, labels: labels.concat(grouped) })),
    );
    return series.flatMap(({ name, labels }) => {
      const known = labelsOf(name);
      const unknown = labels.filter((label) => !known.includes(label));
      return printed.has(name) && unknown.length === 0 ? [] : [`${name}{${unknown.join()}}`];
    });
  };
  await expectEventually(async () => (await missing()).join(", "), "");
});

/**
 * Resets the second company's passes by twenty days: more hours than the crons before its
 * payment can read.
 */
async function otherProviderSql(): Promise<string> {
  const secrets = { clientSecret: PSP_CLIENT.clientSecret, callbackToken: "none" };
  const { clientSecret: _secret, ...access } = pspConfig(otherServed.url, { pixKey: OTHER_KEY });
  const settings: PixApiSettings = {
    ...access,
    callbackOrigin: "http://localhost",
    requireClientCertificate: false,
  };
  const context = pixApiSecretContext(OTHER.providerCompanyId, canonicalJson(settings));
  const sealed = await seal([LOCAL_SECRETS_KEY], JSON.stringify(secrets), context);
  const since = Date.now() - 20 * 24 * 3_600_000;
  return `
INSERT INTO company_providers (company_id, provider, settings, sealed, callback_token_hash,
  listed_until, list_at, list_window, created_at, updated_at)
VALUES (${OTHER_ID}, 'PixApi', '${JSON.stringify(settings)}', '${sealed}', '', ${since}, 0, 3600000,
  ${since}, ${since});`;
}
