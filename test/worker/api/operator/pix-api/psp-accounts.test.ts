import { describe, expect, it } from "vitest";
import { FORMER_ACCOUNT_RETENTION_MS } from "../../../../../src/domain/psp/psp-settings.ts";
import { systemRandom } from "../../../../../src/domain/shared/clock.ts";
import { newUuid } from "../../../../../src/domain/shared/ids.ts";
import { providerRegistry } from "../../../../../src/providers/registry.ts";
import { findCompany } from "../../../../../src/db/companies/companies.ts";
import { CREATE_LEASE_MS } from "../../../../../src/api/transactions/claim/draft.ts";
import { sweepTransactions } from "../../../../../src/api/transactions/sweep/tasks.ts";
import { call } from "../../../../support/builders/requests/api.ts";
import { env, givenCompany, clearBacklog } from "../../../../support/builders/companies/company.ts";
import {
  CONNECTION_LOST,
  CRASH,
  injectFault,
  withD1,
} from "../../../../support/faults/faulty-env.ts";
import { FakePsp } from "../../../../support/fakes/fake-psp/psp.ts";
import { accountsOf } from "../../../../support/probes/ledger/ledger.ts";
import { callAsOperator } from "../../../../support/builders/companies/operator.ts";
import { expectProblem } from "../../../../support/probes/http/problem.ts";
import {
  postCallback,
  configurePixApi,
  deliverCallbacks,
  givenPsp,
  pixApiPath,
  pixApiRequest,
  reconcileDue,
  type PspSetup,
} from "../../../../support/builders/providers/psp.ts";
import { createTransaction } from "../../../../support/builders/charges/transaction.ts";
import { transactionsOf } from "../../../../support/probes/charges/transaction-rows.ts";
import { balanceOf } from "../../../../support/probes/ledger/balance.ts";

const CHARGE = 2_500;
const HOUR_MS = 60 * 60_000;
const SAVE = /insert into "psp_accounts"/;
const ANSWER = /update "transactions"/;

/** A company with a charge at its first PSP account and a new account at a second PSP. */
async function givenSwitchedAccount() {
  const first = await givenPsp();
  const created = await createTransaction(first.company, { amount: CHARGE }, first.options);
  const transactionId: string = created.body.data.id;
  return { ...(await givenNextAccount(first)), transactionId };
}

/** A company's new account at a second PSP. */
async function givenNextAccount(first: PspSetup) {
  const pixKey = newUuid(systemRandom);
  const next = new FakePsp(first.clock, pixKey);
  const world = withBothAccounts(first, next);
  const body = pixApiRequest({ pixKey, certificate: "PSP_NEXT" });
  const configured = await configurePixApi(first.company, body, world);
  expect(configured.status, configured.text).toBe(200);
  return { first, next, world, body, configured: configured.body };
}

/** A world in which the Worker reaches both PSPs. */
function withBothAccounts(first: PspSetup, next: FakePsp): PspSetup {
  const both = { ...first.env, PSP_NEXT: { fetch: next.fetch } };
  const deps = { ...first.deps, providers: () => providerRegistry(both, first.clock) };
  return { ...first, env: both, deps, options: { env: both, deps } };
}

function txid(transactionId: string): string {
  return transactionId.replaceAll("-", "");
}

async function statusesOf({ company }: PspSetup): Promise<string[]> {
  return (await transactionsOf(company)).map(({ status }) => status);
}

describe("another account", () => {
  it("replaces the current account, which becomes a former account", async () => {
    const { first, configured } = await givenSwitchedAccount();
    const shown = first.configured;
    expect(configured.account).not.toBe(shown.account);
    expect(configured.callbackUrl).not.toBe(shown.callbackUrl);
    const { account, baseUrl, pixKey } = shown;
    const leftAt = new Date(first.clock.now()).toISOString();
    expect(configured.formerAccounts).toEqual([
      { account, baseUrl, pixKey, connected: true, leftAt },
    ]);
    await clearBacklog(first.company.id);
  });

  it("receives new charges, while older charges are still paid at the former account", async () => {
    const { first, next, world, transactionId } = await givenSwitchedAccount();
    const created = await createTransaction(first.company, { amount: CHARGE }, world.options);
    expect([first.psp.book.cobs.size, next.book.cobs.size]).toEqual([1, 1]);
    next.pay(txid(created.body.data.id));
    // Two fake PSPs use the same numbers for payments of the same minute.
    first.clock.advance(60_000);
    first.psp.pay(txid(transactionId));
    await deliverCallbacks({ ...world, psp: next });
    await deliverCallbacks({ ...world, psp: first.psp });
    expect(await statusesOf(world)).toEqual(["paid", "paid"]);
  });

  it("gets no request for a charge of the former account, which ends at its expiry", async () => {
    const { first, next, world } = await givenSwitchedAccount();
    first.clock.advance(2 * 24 * 60 * 60_000);
    const before = next.requests.length;
    await sweepTransactions(world.env, world.deps);
    expect(await statusesOf(world)).toEqual(["cancelled"]);
    expect(next.requests.slice(before)).toEqual([]);
  });

  it("does not get a charge that crashed at the former account: its repeat asks there", async () => {
    const first = await givenPsp();
    const key = newUuid(systemRandom);
    const create = (options: PspSetup["options"]) =>
      createTransaction(first.company, { amount: CHARGE }, { ...options, key });
    const lost = injectFault({ on: ANSWER, when: "before", error: CRASH });
    const crashed = { ...first.options, env: withD1(first.env, lost.intercept) };
    expect((await create(crashed)).status).toBe(500);
    expect([lost.injections(), first.psp.book.cobs.size]).toEqual([1, 1]);
    const { next, world } = await givenNextAccount(first);
    first.clock.advance(CREATE_LEASE_MS);

    const again = await create(world.options);

    expect(again.status).toBe(200);
    expect([first.psp.book.cobs.size, next.book.cobs.size]).toEqual([1, 0]);
    first.psp.pay(txid(again.body.data.id));
    await deliverCallbacks({ ...world, psp: first.psp });
    expect(await statusesOf(world)).toEqual(["paid"]);
  });

  it("books payments to the former account without a charge", async () => {
    const { first, world } = await givenSwitchedAccount();
    const paymentId = first.psp.payKey("5.00");
    await deliverCallbacks({ ...world, psp: first.psp });
    const suspense = await callAsOperator(`/companies/${first.company.id}/suspense`, world.options);
    expect(suspense.body.items).toMatchObject([{ paymentId, amount: 500 }]);
    await clearBacklog(first.company.id);
  });

  it("is written once when D1's response is lost", async () => {
    const { first, world, body, configured } = await givenSwitchedAccount();
    const again = { ...body, clientId: "client-8" };
    const lost = injectFault({ on: SAVE, when: "after", error: CONNECTION_LOST });
    const interrupted = {
      ...world,
      options: { ...world.options, env: withD1(world.env, lost.intercept) },
    };
    const answer = await configurePixApi(first.company, again, interrupted);
    expect([lost.injections(), answer.status]).toEqual([1, 200]);
    const former = answer.body.formerAccounts.map((each: { account: string }) => each.account);
    expect(new Set(former)).toEqual(new Set([first.configured.account, configured.account]));
    await clearBacklog(first.company.id);
  });

  it("that equals the former account is recognised by its name and keeps its callback URL", async () => {
    const { first, world, configured } = await givenSwitchedAccount();
    const { pixKey, account, callbackUrl } = first.configured;
    const back = await configurePixApi(first.company, pixApiRequest({ pixKey }), world);
    expect(back.body).toMatchObject({ account, callbackUrl, webhook: "registered" });
    expect(back.body.formerAccounts).toMatchObject([{ account: configured.account }]);
    await clearBacklog(first.company.id);
  });

  it("that equals the former account is read for its earlier payments", async () => {
    const { first, world, transactionId } = await givenSwitchedAccount();
    const { pixKey } = first.configured;
    const { company, clock, psp } = first;
    const paymentId = psp.pay(txid(transactionId));
    await deliverCallbacks({ ...world, psp });
    clock.advance(5 * HOUR_MS);
    const createdAt = first.configured.createdAt;
    const back = await configurePixApi(company, pixApiRequest({ pixKey }), world);
    expect(back.body).toMatchObject({ account: first.configured.account, createdAt });
    await reconcileDue(world);
    psp.dispute(paymentId);
    psp.callbacks.length = 0;
    for (let hour = 0; hour < 2; hour++) {
      clock.advance(HOUR_MS);
      await reconcileDue(world);
    }
    expect(await accountsOf(company)).toMatchObject({ available: 0, blocked: CHARGE });
  });

  it("INVALID_STATE: cannot use a PIX key of another company's recent former account", async () => {
    const { first, world } = await givenSwitchedAccount();
    const other = await givenCompany({ mode: "live" });
    const body = pixApiRequest({ pixKey: first.configured.pixKey });
    await expectProblem(await configurePixApi(other, body, world), {
      status: 409,
      code: "INVALID_STATE",
    });
    expect((await callAsOperator(pixApiPath(other), world.options)).status).toBe(404);

    first.clock.advance(FORMER_ACCOUNT_RETENTION_MS);
    expect((await configurePixApi(other, body, world)).status).toBe(200);
    await clearBacklog(first.company.id);
  });
});

/** A charge that was paid to the former account. */
async function givenPaidAtFormerAccount() {
  const switched = await givenSwitchedAccount();
  const { first, world, transactionId } = switched;
  const paymentId = first.psp.pay(txid(transactionId));
  await deliverCallbacks({ ...world, psp: first.psp });
  const path = `/api/v1/transactions/${transactionId}/refund`;
  const refund = () =>
    call(path, {
      ...world.options,
      company: first.company,
      method: "POST",
      headers: { "Idempotency-Key": crypto.randomUUID() },
    });
  return { ...switched, paymentId, refund };
}

describe("money that the former account took", () => {
  it("is refunded by it", async () => {
    const { first, next, world, paymentId, refund } = await givenPaidAtFormerAccount();
    const before = next.requests.length;
    expect((await refund()).status).toBe(202);
    const [devolucao] = first.psp.book.pix(paymentId)!.devolucoes;
    first.psp.settleDevolucao(paymentId, devolucao.id, "DEVOLVIDO");
    await deliverCallbacks({ ...world, psp: first.psp });
    expect(await statusesOf(world)).toEqual(["refunded"]);
    expect(next.requests.slice(before)).toEqual([]);
  });

  it("is returned when the payer's bank requests it there", async () => {
    const { first, world, paymentId } = await givenPaidAtFormerAccount();
    first.psp.requestReturn(paymentId, "med1", "25.00");
    first.psp.settleDevolucao(paymentId, "med1", "DEVOLVIDO");
    await deliverCallbacks({ ...world, psp: first.psp });
    expect((await balanceOf(first.company)).accBalance).toBe(0);
    expect(await statusesOf(world)).toEqual(["refunded"]);
  });

  it("PROVIDER_DISCONNECTED: is not refunded after the PSP is disconnected, and nothing is held", async () => {
    const { first, world, refund } = await givenPaidAtFormerAccount();
    const path = pixApiPath(first.company);
    expect((await callAsOperator(path, { ...world.options, method: "DELETE" })).status).toBe(200);
    await expectProblem(await refund(), { status: 422, code: "PROVIDER_DISCONNECTED" });
    expect((await balanceOf(first.company)).accBalance).toBeGreaterThan(0);
  });
});

describe("callbacks of a former account", () => {
  it("are accepted at its own URL while it is reconciled", async () => {
    const { first, world } = await givenSwitchedAccount();
    const { callbackUrl } = first.configured;
    expect((await postCallback(world, callbackUrl, "{}")).status).toBe(200);
    first.clock.advance(FORMER_ACCOUNT_RETENTION_MS);
    expect((await postCallback(world, callbackUrl, "{}")).status).toBe(404);
    await clearBacklog(first.company.id);
  });
});

describe("a disconnected PSP", () => {
  it("leaves no account and no secret until the same account is configured again", async () => {
    const { first, world, transactionId } = await givenSwitchedAccount();
    first.psp.pay(txid(transactionId));
    await deliverCallbacks({ ...world, psp: first.psp });
    const path = pixApiPath(first.company);
    expect((await callAsOperator(path, { ...world.options, method: "DELETE" })).status).toBe(200);
    const providers = world.deps.providers(world.env);
    const forgotten = (await findCompany(env, first.company.id))!;
    expect(await providers.ofAccount(forgotten, first.configured.account)).toBeNull();
    const { results } = await env.DB.prepare(
      "SELECT sealed, callback_token_hash FROM psp_accounts WHERE company_id = ?",
    )
      .bind(first.company.id)
      .all();
    const nothing = { sealed: "", callback_token_hash: "" };
    expect(results).toEqual([nothing, nothing]);

    const { pixKey, account } = first.configured;
    const again = await configurePixApi(first.company, pixApiRequest({ pixKey }), world);
    expect(again.body).toMatchObject({ account, formerAccounts: [{ connected: false }] });
    const connected = (await findCompany(env, first.company.id))!;
    expect(await providers.ofAccount(connected, account)).not.toBeNull();
    expect((await balanceOf(first.company)).accBalance).toBeGreaterThan(0);
  });
});
