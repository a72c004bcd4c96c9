import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { systemDependencies } from "../../../../src/dependencies.ts";
import { sweepCallbacks } from "../../../../src/api/provider-callbacks/tasks.ts";
import { newCallbackToken } from "../../../../src/api/provider-callbacks/token.ts";
import { systemRandom } from "../../../../src/domain/shared/clock.ts";
import { providerRegistry } from "../../../../src/providers/registry.ts";
import { createTransaction } from "../../../support/builders/charges/transaction.ts";
import { env, givenCompany } from "../../../support/builders/companies/company.ts";
import { restoreLocalOperators } from "../../../support/builders/companies/operator.ts";
import {
  accountsOf,
  connectAccount,
  efiAccount,
} from "../../../support/builders/providers/accounts.ts";
import { postCallback } from "../../../support/builders/providers/psp.ts";
import { TestClock } from "../../../support/fakes/clock.ts";
import { EFI_CLIENT, FakeEfi } from "../../../support/fakes/efi-cobrancas/efi.ts";
import { findingsOf } from "../../../support/probes/contradictions/findings.ts";
import { transactionsOf } from "../../../support/probes/charges/transaction-rows.ts";

const HOST = "cobrancas.efi-de-teste.com.br";
const BOLETO = {
  amount: 2_500,
  paymentMethod: "BOLETO",
  customer: { name: "Maria da Conceição", document: { number: "12345678909" } },
};

beforeEach(restoreLocalOperators);
afterEach(() => vi.restoreAllMocks());

/** A live company whose boletos are at Efí, with one that its payer can pay. */
async function givenBoleto() {
  const clock = new TestClock();
  const efi = new FakeEfi(clock);
  const elsewhere = globalThis.fetch;
  vi.spyOn(globalThis, "fetch").mockImplementation((input, init) => {
    const request = new Request(input, init);
    return new URL(request.url).host === HOST ? efi.fetch(request) : elsewhere(request);
  });
  const company = await givenCompany({ mode: "live", clock });
  const deps = {
    ...systemDependencies,
    platformClock: clock,
    providers: () => providerRegistry(env, clock),
  };
  const world = { options: { deps } };
  // One client of Efí's belongs to one company; the fake knows one only.
  await env.DB.prepare(
    "UPDATE psp_accounts SET sealed = '', state = 'disconnected' WHERE provider = 'EfiCobrancas'",
  ).run();
  const account = {
    ...efiAccount({ baseUrl: `https://${HOST}`, clientId: EFI_CLIENT.clientId }),
    secrets: { clientSecret: EFI_CLIENT.clientSecret },
  };
  await connectAccount(company, "efi", account, world);
  const created = await createTransaction(company, BOLETO, world.options);
  expect(created.status, created.text).toBe(200);
  const [{ callbackUrl }] = (await accountsOf(company, world)) as [{ callbackUrl: string }];
  const chargeId = String(created.body.data.id).replaceAll("-", "");
  const { token } = efi.charge(chargeId);
  /** As Efí posts a notice: a form with a token. */
  const notify = (url = callbackUrl, body = new URLSearchParams({ notification: token })) =>
    postCallback(world, url, body);
  const status = async () => (await transactionsOf(company)).map((each) => each.status);
  const stored = async () =>
    (
      await env.DB.prepare("SELECT object_id, body FROM callbacks WHERE company_id = ?")
        .bind(company.id)
        .all()
    ).results;
  return { company, clock, deps, efi, chargeId, token, callbackUrl, notify, status, stored };
}

it("a notice is read back from the account's house, and its charge is booked", async () => {
  const { efi, chargeId, notify, status, stored } = await givenBoleto();
  expect(await status()).toEqual(["waiting_payment"]);
  efi.pay(chargeId, { by: "pix" });
  efi.exchanges.length = 0;
  expect((await notify()).status).toBe(200);
  expect(await status()).toEqual(["paid"]);
  expect(await stored()).toEqual([]);
  // Who paid, Efí never tells: nobody asks it.
  expect(efi.calls.map((call) => call.split("/").slice(0, 3).join("/"))).toEqual([
    "GET /v1/notification",
    "GET /v1/charge",
    "GET /v1/charges",
  ]);
});

it("five notices while the house is silent are one, which is asked about later", async () => {
  const { clock, deps, efi, chargeId, token, notify, status, stored } = await givenBoleto();
  efi.pay(chargeId, { by: "pix" });
  efi.faultAlways("unavailable");
  for (let times = 0; times < 5; times++) expect((await notify()).status).toBe(200);
  expect(await stored()).toEqual([
    { object_id: `notice:${token}`, body: JSON.stringify({ kind: "notice", token }) },
  ]);
  expect(await status()).toEqual(["waiting_payment"]);
  efi.clearFaults();
  clock.advance(120_000);
  await sweepCallbacks(env, deps);
  expect(await status()).toEqual(["paid"]);
  expect(await stored()).toEqual([]);
});

it.each(["waiting", "unpaid", "settled"])(
  "a notice of a boleto that is %s costs two calls, however often the cron runs",
  async (current) => {
    const { clock, deps, efi, chargeId, notify, status, stored } = await givenBoleto();
    if (current !== "waiting") efi.book.change(efi.charge(chargeId), current);
    efi.exchanges.length = 0;
    expect((await notify()).status).toBe(200);
    for (let times = 0; times < 13; times++) {
      clock.advance(4 * 3_600_000);
      await sweepCallbacks(env, deps);
    }
    expect(efi.calls.map((call) => call.split("/").slice(0, 3).join("/"))).toEqual([
      "GET /v1/notification",
      "GET /v1/charge",
    ]);
    expect(await stored()).toEqual([]);
    expect(await status()).toEqual(["waiting_payment"]);
  },
);

it("a notice of a payment that its charge does not show yet is asked about until it does", async () => {
  const { clock, deps, efi, chargeId, notify, status, stored } = await givenBoleto();
  efi.pay(chargeId, { by: "pix" });
  efi.charge(chargeId).status = "waiting";
  await notify();
  expect(await stored()).toHaveLength(1);
  efi.charge(chargeId).status = "paid";
  clock.advance(120_000);
  await sweepCallbacks(env, deps);
  expect(await status()).toEqual(["paid"]);
});

/** A boleto whose notice came while its house was silent, and was asked about for as long as that goes on. */
async function givenLongAsked() {
  const given = await givenBoleto();
  const { clock, deps, efi, notify } = given;
  efi.faultAlways("unavailable");
  await notify();
  for (let times = 0; times < 12; times++) {
    clock.advance(4 * 3_600_000);
    await sweepCallbacks(env, deps);
  }
  return given;
}

it("a later notice of the same token is asked about soon, however long the first was put off", async () => {
  const { clock, deps, efi, chargeId, notify, status, stored } = await givenLongAsked();
  efi.pay(chargeId, { by: "pix" });
  expect((await notify()).status).toBe(200);
  efi.clearFaults();
  clock.advance(120_000);
  await sweepCallbacks(env, deps);
  expect(await status()).toEqual(["paid"]);
  expect(await stored()).toEqual([]);
});

it.each([
  ["says open", "/v1/charge/"],
  ["is silent", "/v1/notification/"],
])("a notice that comes while the house %s of the one before is kept", async (what, path) => {
  const { clock, deps, efi, chargeId, notify, status, stored } = await givenLongAsked();
  if (what === "says open") efi.clearFaults();
  const answer = efi.answer.bind(efi);
  efi.answer = async (request) => {
    const answered = await answer(request);
    if (!request.url.includes(path)) return answered;
    efi.answer = answer;
    efi.pay(chargeId, { by: "pix" });
    efi.faultAlways("unavailable");
    expect((await notify()).status).toBe(200);
    efi.clearFaults();
    return answered;
  };
  clock.advance(4 * 3_600_000);
  await sweepCallbacks(env, deps);
  expect(await status()).toEqual(["waiting_payment"]);
  expect(await stored()).toHaveLength(1);
  clock.advance(61_000);
  await sweepCallbacks(env, deps);
  expect(await status()).toEqual(["paid"]);
  expect(await stored()).toEqual([]);
});

it("a notice of the end of a paid charge that D1 does not show as paid yet is asked about until it does", async () => {
  const { company, clock, deps, efi, chargeId, notify, stored } = await givenBoleto();
  efi.pay(chargeId, { by: "pix" });
  await notify();
  const show = (status: string) =>
    env.DB.prepare("UPDATE transactions SET status = ? WHERE company_id = ?")
      .bind(status, company.id)
      .run();
  await show("waiting_payment");
  efi.book.change(efi.charge(chargeId), "canceled");

  await notify();
  for (let times = 0; times < 2; times++) {
    clock.advance(600_000);
    await sweepCallbacks(env, deps);
    expect(await stored()).toHaveLength(1);
    expect(await findingsOf(company)).toEqual([]);
  }
  await show("paid");
  clock.advance(3_600_000);
  await sweepCallbacks(env, deps);

  expect(await findingsOf(company)).toMatchObject([{ kind: "payment_amount", amount: 2_500 }]);
});

it("a token opens the door of its own kind only, and a notice of nothing books nothing", async () => {
  const { company, callbackUrl, notify, status, stored } = await givenBoleto();
  for (const door of ["pagarme", "pix-api"]) {
    expect((await notify(callbackUrl.replace("efi-cobrancas", door))).status).toBe(404);
  }
  const guessed = callbackUrl.replace(/[^/]*$/, newCallbackToken(company.id, systemRandom));
  expect((await notify(guessed)).status).toBe(404);
  expect(await stored()).toEqual([]);
  const unknown = new URLSearchParams({ notification: crypto.randomUUID() });
  expect((await notify(callbackUrl, unknown)).status).toBe(200);
  expect(await status()).toEqual(["waiting_payment"]);
});
