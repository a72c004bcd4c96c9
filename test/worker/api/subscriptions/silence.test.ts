import { beforeEach, expect, it, vi } from "vitest";
import { newTransactionId } from "../../../../src/domain/shared/ids.ts";
import { systemRandom } from "../../../../src/domain/shared/clock.ts";
import {
  availableOf,
  chargesOf,
  givenDebit,
  givenLiveWorld,
  mandateOf,
  subscribe,
  subscriptionOf,
  txidOf,
} from "../../../support/builders/charges/live-subscriptions.ts";
import { AMOUNT } from "../../../support/builders/charges/subscriptions.ts";
import { env, inAccount, waitUntilDrained } from "../../../support/builders/companies/company.ts";
import { restoreLocalOperators } from "../../../support/builders/companies/operator.ts";
import { reconcileDue, type PspSetup } from "../../../support/builders/providers/psp.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 3_600_000;
const MINUTES = 3;

beforeEach(restoreLocalOperators);

/** Days in which the PSP tells nothing and its lists show nothing new, then some minutes of the cron. */
async function afterSilence(world: PspSetup, days: number): Promise<void> {
  const { clock, company, psp } = world;
  await reconcileDue(world);
  clock.advance(days * DAY_MS);
  psp.runBanks();
  psp.callbacks.length = 0;
  await env.DB.prepare(
    "UPDATE reconciliation_passes SET read_until = ?1, finished_at = ?1 WHERE company_id = ?2",
  )
    .bind(clock.now(), company.id)
    .run();
  for (let minutes = 0; minutes < MINUTES; minutes++) {
    clock.advance(MINUTE_MS);
    await reconcileDue(world);
  }
  await waitUntilDrained(company);
}

const listsOf = ({ psp }: PspSetup) =>
  psp.requests.filter((each) => each === "GET /rec" || each === "GET /cobr");

async function findingsOf({ company }: PspSetup): Promise<any[]> {
  const sql = "SELECT kind, amount, said FROM contradictions WHERE company_id = ?";
  const { results } = await env.DB.prepare(sql).bind(company.id).all<any>();
  return results.map(({ kind, amount, said }) => ({ kind, amount, said: JSON.parse(said) }));
}

it("after a month of silence an approval and a refusal are known by the list", async () => {
  const world = await givenLiveWorld();
  const approved = await subscribe(world);
  world.psp.mandates.approve(mandateOf(world));
  const refused = await subscribe(world);
  world.psp.mandates.refuse(mandateOf(world));
  await afterSilence(world, 30);
  expect((await subscriptionOf(world, approved.id)).status).toBe("active");
  expect((await subscriptionOf(world, refused.id)).status).toBe("rejected");
});

it("after a month of silence a paid debit is known with its attempt, and credited once", async () => {
  const world = await givenLiveWorld();
  const { id } = await givenDebit(world);
  await afterSilence(world, 30);
  expect(await availableOf(world)).toBe(AMOUNT);
  const [charge] = (await chargesOf(world, id)).toReversed();
  expect(charge.attempts).toMatchObject([{ kind: "due", status: "paid" }]);
  await afterSilence(world, 2);
  expect(await availableOf(world)).toBe(AMOUNT);
});

it("after a month of silence a debit is known whose cycle was closed as paid by hand", async () => {
  const world = await givenLiveWorld();
  const { id } = await givenDebit(world);
  const close = "UPDATE subscription_cycles SET status = 'paid'";
  await inAccount(world.company.id, (_account, { storage: { sql } }) => {
    sql.exec(close);
  });
  await env.DB.prepare(`${close} WHERE company_id = ?`).bind(world.company.id).run();
  await afterSilence(world, 30);
  expect(await availableOf(world)).toBe(AMOUNT);
  const [charge] = (await chargesOf(world, id)).toReversed();
  expect(charge).toMatchObject({ status: "paid", attempts: [{ kind: "due", status: "paid" }] });
  const read = world.psp.requests.length;
  await afterSilence(world, 2);
  expect(await availableOf(world)).toBe(AMOUNT);
  expect(world.psp.requests.slice(read)).not.toContain(`GET /cobr/${txidOf(charge.transactionId)}`);
});

it("a mandate whose order got no answer is matched by its contract", async () => {
  const world = await givenLiveWorld();
  world.psp.faultOnce("reset", /^POST \/rec$/);
  const { id } = await subscribe(world);
  world.psp.mandates.approve(mandateOf(world));
  await afterSilence(world, 1);
  expect((await subscriptionOf(world, id)).status).toBe("active");
  expect(world.psp.requests.filter((each) => each === "POST /rec")).toHaveLength(1);
});

it("mandates of others are counted and left alone, page by page", async () => {
  const world = await givenLiveWorld();
  const { id } = await subscribe(world);
  const before = await subscriptionOf(world, id);
  const OTHERS = 250;
  for (let each = 0; each < OTHERS; each++) {
    world.psp.mandates.create({
      vinculo: { contrato: `clube-${each}`, devedor: { cpf: "12345678909", nome: "Ana" } },
      calendario: { dataInicial: "2026-12-20", periodicidade: "MENSAL" },
      politicaRetentativa: "NAO_PERMITE",
    });
  }
  const logged = vi.spyOn(console, "log");
  await afterSilence(world, 1);
  const counts = logged.mock.calls
    .map(([line]) => JSON.parse(String(line)) as { event: string; others: number })
    .filter(({ event }) => event === "mandates_of_others");
  expect(counts).toMatchObject([{ others: OTHERS }]);
  expect(await subscriptionOf(world, id)).toEqual(before);
  expect(world.psp.requests.filter((each) => each === "GET /rec")).toHaveLength(3);
});

it("a debit that nobody here ordered is a finding, once", async () => {
  const world = await givenLiveWorld();
  await subscribe(world);
  const idRec = mandateOf(world);
  world.psp.mandates.approve(idRec);
  const txid = txidOf(newTransactionId(world.company.id, world.clock.now(), systemRandom));
  const { status } = world.psp.debits.put(txid, {
    idRec,
    calendario: { dataDeVencimento: "2026-12-10" },
    valor: { original: "49.90" },
    ajusteDiaUtil: true,
    recebedor: { conta: "1", tipoConta: "PAGAMENTO" },
  });
  expect(status).toBe(201);
  await afterSilence(world, 1);
  await afterSilence(world, 1);
  expect(await findingsOf(world)).toMatchObject([
    { kind: "record_unreadable", amount: AMOUNT, said: { list: "debits", mandateId: idRec } },
  ]);
});

it.each(["skipped", "failed", "paid"])(
  "a debit that goes on though its cycle is %s is a finding, once",
  async (status) => {
    const world = await givenLiveWorld();
    const { id, transactionId } = await givenDebit(world);
    const close = `UPDATE subscription_cycles SET status = '${status}'`;
    await inAccount(world.company.id, (_account, { storage: { sql } }) => {
      sql.exec(close);
    });
    await env.DB.prepare(`${close} WHERE company_id = ?`).bind(world.company.id).run();
    await afterSilence(world, 1);
    await afterSilence(world, 1);

    expect(await findingsOf(world)).toMatchObject([
      { kind: "record_unreadable", amount: AMOUNT, said: { list: "debits", transactionId } },
    ]);
    expect((await chargesOf(world, id))[0]).toMatchObject({ status });
  },
);

/** A cycle whose order only this service called rejected, and whose debit the PSP has, without an attempt. */
async function givenOurWord(status: "open" | "failed") {
  const world = await givenLiveWorld();
  const { id, transactionId } = await givenDebit(world);
  world.psp.debits.debits.get(txidOf(transactionId))!.attempts.length = 0;
  const failed = { day: "2026-12-10", kind: "due", status: "failed", endToEndId: null };
  const reason = { code: "UNKNOWN", message: null, action: "our_fault", providerCode: null };
  const set = `UPDATE subscription_cycles SET status = '${status}', attempts = ?1,
    debit = json_remove(json_set(debit, '$.status', 'rejected'), '$.end')`;
  const attempts = JSON.stringify([{ ...failed, reason, isUntaken: true }]);
  await inAccount(world.company.id, (_account, { storage: { sql } }) => {
    sql.exec(set, attempts);
  });
  await env.DB.prepare(`${set} WHERE company_id = ?2`).bind(attempts, world.company.id).run();
  return { world, id, transactionId };
}

it("a debit that goes on though only this service called it rejected is known by the list", async () => {
  const { world, id } = await givenOurWord("open");
  await afterSilence(world, 1);

  expect((await chargesOf(world, id))[0]).toMatchObject({ status: "open", attempts: [] });
  expect(await findingsOf(world)).toEqual([]);
});

it("a debit that goes on after the end of a cycle that only this service called rejected is a finding", async () => {
  const { world, transactionId } = await givenOurWord("failed");
  await afterSilence(world, 1);
  await afterSilence(world, 1);

  expect(await findingsOf(world)).toMatchObject([
    { kind: "record_unreadable", amount: AMOUNT, said: { list: "debits", transactionId } },
  ]);
});

it("the lists are read once a day, and again soon where the PSP did not answer", async () => {
  const world = await givenLiveWorld();
  await subscribe(world);
  world.psp.faultAlways("unavailable", /^GET \/cobr$/);
  await afterSilence(world, 1);
  world.psp.clearFaults();
  const failed = listsOf(world).length;
  world.clock.advance(10 * MINUTE_MS);
  await reconcileDue(world);
  const read = listsOf(world).length;
  expect(read).toBeGreaterThan(failed);
  world.clock.advance(10 * MINUTE_MS);
  await reconcileDue(world);
  expect(listsOf(world)).toHaveLength(read);
  await afterSilence(world, 1);
  expect(listsOf(world).length).toBeGreaterThan(read);
});
