import { describe, expect, it } from "vitest";
import { FORMER_ACCOUNT_MS } from "../../../../../src/domain/shared/pix-api.ts";
import { systemRandom } from "../../../../../src/domain/shared/clock.ts";
import { newUuid } from "../../../../../src/domain/shared/ids.ts";
import { providerRegistry } from "../../../../../src/providers/registry.ts";
import { findCompany } from "../../../../../src/db/companies/companies.ts";
import { sweepTransactions } from "../../../../../src/api/transactions/sweep.ts";
import { call } from "../../../../support/builders/api.ts";
import { env, givenCompany } from "../../../../support/builders/company.ts";
import { CONNECTION_LOST, fault, withD1 } from "../../../../support/faults/faulty-env.ts";
import { FakePsp } from "../../../../support/fakes/fake-psp/psp.ts";
import { leaveAtRest } from "../../../../support/probes/object.ts";
import { accountsOf } from "../../../../support/builders/ledger.ts";
import { operate } from "../../../../support/builders/operator.ts";
import { expectProblem } from "../../../../support/probes/problem.ts";
import {
  callBack,
  configure,
  deliverCallbacks,
  givenPsp,
  pixApiPath,
  pixApiRequest,
  reconcileDue,
  type PspWorld,
} from "../../../../support/fakes/psp.ts";
import { createTransaction } from "../../../../support/builders/transaction.ts";
import { transactionsOf } from "../../../../support/probes/webhook-rows.ts";
import { balanceOf } from "../../../../support/builders/withdraw.ts";

const CHARGE = 2_500;
const HOUR_MS = 60 * 60_000;
const SAVE = /insert into "company_providers"/;

/** A company with a charge at its first PSP account, which then has another one at another PSP. */
async function givenSwitched() {
  const first = await givenPsp();
  const created = await createTransaction(first.company, { amount: CHARGE }, first.options);
  const transactionId: string = created.body.data.id;
  const pixKey = newUuid(systemRandom);
  const next = new FakePsp(first.clock, pixKey);
  const world = withBoth(first, next);
  const body = pixApiRequest({ pixKey, certificate: "PSP_NEXT" });
  const configured = await configure(first.company, body, world);
  expect(configured.status, configured.text).toBe(200);
  return { first, next, world, body, configured: configured.body, transactionId };
}

/** A world in which the Worker reaches both PSPs. */
function withBoth(first: PspWorld, next: FakePsp): PspWorld {
  const both = { ...first.env, PSP_NEXT: { fetch: next.fetch } };
  const deps = { ...first.deps, providers: () => providerRegistry(both, first.clock) };
  return { ...first, env: both, deps, options: { env: both, deps } };
}

function txid(transactionId: string): string {
  return transactionId.replaceAll("-", "");
}

async function statusesOf({ company }: PspWorld): Promise<string[]> {
  return (await transactionsOf(company)).map(({ status }) => status);
}

describe("another account", () => {
  it("is put in the place of the present one, which stays as a former one", async () => {
    const { first, configured } = await givenSwitched();
    const shown = first.configured;
    expect(configured.account).not.toBe(shown.account);
    expect(configured.callbackUrl).not.toBe(shown.callbackUrl);
    const { account, baseUrl, pixKey } = shown;
    const leftAt = new Date(first.clock.now()).toISOString();
    expect(configured.formerAccounts).toEqual([
      { account, baseUrl, pixKey, connected: true, leftAt },
    ]);
    await leaveAtRest(first.company.id);
  });

  it("takes the new charges, while those of before are still paid at the one of before", async () => {
    const { first, next, world, transactionId } = await givenSwitched();
    const created = await createTransaction(first.company, { amount: CHARGE }, world.options);
    expect([first.psp.book.cobs.size, next.book.cobs.size]).toEqual([1, 1]);
    next.pay(txid(created.body.data.id));
    // Two fake PSPs number what they receive within a minute alike.
    first.clock.advance(60_000);
    first.psp.pay(txid(transactionId));
    await deliverCallbacks({ ...world, psp: next });
    await deliverCallbacks({ ...world, psp: first.psp });
    expect(await statusesOf(world)).toEqual(["paid", "paid"]);
  });

  it("is not asked about a charge of the former one, which ends it when it expires", async () => {
    const { first, next, world } = await givenSwitched();
    first.clock.advance(2 * 24 * 60 * 60_000);
    const before = next.asked.length;
    await sweepTransactions(world.env, world.deps);
    expect(await statusesOf(world)).toEqual(["cancelled"]);
    expect(next.asked.slice(before)).toEqual([]);
  });

  it("books what comes to the former one for no charge", async () => {
    const { first, world } = await givenSwitched();
    const paymentId = first.psp.payKey("5.00");
    await deliverCallbacks({ ...world, psp: first.psp });
    const suspense = await operate(`/companies/${first.company.id}/suspense`, world.options);
    expect(suspense.body.items).toMatchObject([{ paymentId, amount: 500 }]);
    await leaveAtRest(first.company.id);
  });

  it("is written once where D1's answer to it was lost", async () => {
    const { first, world, body, configured } = await givenSwitched();
    const again = { ...body, clientId: "client-8" };
    const lost = fault({ on: SAVE, when: "after", error: CONNECTION_LOST });
    const interrupted = {
      ...world,
      options: { ...world.options, env: withD1(world.env, lost.around) },
    };
    const answer = await configure(first.company, again, interrupted);
    expect([lost.strikes(), answer.status]).toEqual([1, 200]);
    const former = answer.body.formerAccounts.map((each: { account: string }) => each.account);
    expect(new Set(former)).toEqual(new Set([first.configured.account, configured.account]));
    await leaveAtRest(first.company.id);
  });

  it("that is the former one again is known by its name and keeps its callback's address", async () => {
    const { first, world, configured } = await givenSwitched();
    const { pixKey, account, callbackUrl } = first.configured;
    const back = await configure(first.company, pixApiRequest({ pixKey }), world);
    expect(back.body).toMatchObject({ account, callbackUrl, webhook: "registered" });
    expect(back.body.formerAccounts).toMatchObject([{ account: configured.account }]);
    await leaveAtRest(first.company.id);
  });

  it("that is the former one again is read for what it took before", async () => {
    const { first, world, transactionId } = await givenSwitched();
    const { pixKey } = first.configured;
    const { company, clock, psp } = first;
    const paymentId = psp.pay(txid(transactionId));
    await deliverCallbacks({ ...world, psp });
    clock.advance(5 * HOUR_MS);
    const createdAt = first.configured.createdAt;
    const back = await configure(company, pixApiRequest({ pixKey }), world);
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

  it("INVALID_STATE: not by a PIX key that another company's former account had until lately", async () => {
    const { first, world } = await givenSwitched();
    const other = await givenCompany({ mode: "live" });
    const body = pixApiRequest({ pixKey: first.configured.pixKey });
    await expectProblem(await configure(other, body, world), {
      status: 409,
      code: "INVALID_STATE",
    });
    expect((await operate(pixApiPath(other), world.options)).status).toBe(404);

    first.clock.advance(FORMER_ACCOUNT_MS);
    expect((await configure(other, body, world)).status).toBe(200);
    await leaveAtRest(first.company.id);
  });
});

/** A charge that was paid at the account of before. */
async function givenPaidAtFormer() {
  const switched = await givenSwitched();
  const { first, world, transactionId } = switched;
  const paymentId = first.psp.pay(txid(transactionId));
  await deliverCallbacks({ ...world, psp: first.psp });
  const path = `/api/v1/transactions/${transactionId}/refund`;
  const refund = () => call(path, { ...world.options, company: first.company, method: "POST" });
  return { ...switched, paymentId, refund };
}

describe("money that the former account took", () => {
  it("is refunded by it", async () => {
    const { first, next, world, paymentId, refund } = await givenPaidAtFormer();
    const before = next.asked.length;
    expect((await refund()).status).toBe(202);
    const [devolucao] = first.psp.book.pix(paymentId)!.devolucoes;
    first.psp.settleDevolucao(paymentId, devolucao.id, "DEVOLVIDO");
    await deliverCallbacks({ ...world, psp: first.psp });
    expect(await statusesOf(world)).toEqual(["refunded"]);
    expect(next.asked.slice(before)).toEqual([]);
  });

  it("is taken back where the payer's bank asks for it there", async () => {
    const { first, world, paymentId } = await givenPaidAtFormer();
    first.psp.askBack(paymentId, "med1", "25.00");
    first.psp.settleDevolucao(paymentId, "med1", "DEVOLVIDO");
    await deliverCallbacks({ ...world, psp: first.psp });
    expect((await balanceOf(first.company)).accBalance).toBe(0);
    expect(await statusesOf(world)).toEqual(["refunded"]);
  });

  it("PROVIDER_DISCONNECTED: is not refunded once the PSP is forgotten, and nothing is held", async () => {
    const { first, world, refund } = await givenPaidAtFormer();
    const path = pixApiPath(first.company);
    expect((await operate(path, { ...world.options, method: "DELETE" })).status).toBe(200);
    await expectProblem(await refund(), { status: 422, code: "PROVIDER_DISCONNECTED" });
    expect((await balanceOf(first.company)).accBalance).toBeGreaterThan(0);
  });
});

describe("callbacks of a former account", () => {
  it("are let in by its own address for as long as it is reconciled", async () => {
    const { first, world } = await givenSwitched();
    const { callbackUrl } = first.configured;
    expect((await callBack(world, callbackUrl, "{}")).status).toBe(200);
    first.clock.advance(FORMER_ACCOUNT_MS);
    expect((await callBack(world, callbackUrl, "{}")).status).toBe(404);
    await leaveAtRest(first.company.id);
  });
});

describe("a PSP that is forgotten", () => {
  it("leaves no account connected and no secret, until the same account is configured again", async () => {
    const { first, world, transactionId } = await givenSwitched();
    first.psp.pay(txid(transactionId));
    await deliverCallbacks({ ...world, psp: first.psp });
    const path = pixApiPath(first.company);
    expect((await operate(path, { ...world.options, method: "DELETE" })).status).toBe(200);
    const providers = world.deps.providers(world.env);
    const forgotten = (await findCompany(env, first.company.id))!;
    expect(await providers.ofAccount(forgotten, first.configured.account)).toBeNull();
    const { results } = await env.DB.prepare(
      "SELECT sealed, callback_token_hash FROM former_accounts WHERE company_id = ?",
    )
      .bind(first.company.id)
      .all();
    const nothing = { sealed: "", callback_token_hash: "" };
    expect(results).toEqual([nothing, nothing]);

    const { pixKey, account } = first.configured;
    const again = await configure(first.company, pixApiRequest({ pixKey }), world);
    expect(again.body).toMatchObject({ account, formerAccounts: [{ connected: false }] });
    const connected = (await findCompany(env, first.company.id))!;
    expect(await providers.ofAccount(connected, account)).not.toBeNull();
    expect((await balanceOf(first.company)).accBalance).toBeGreaterThan(0);
  });
});
