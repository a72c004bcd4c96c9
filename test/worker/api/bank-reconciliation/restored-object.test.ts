import { describe, expect, it } from "vitest";
import {
  claimPasses,
  rewindPasses,
  savePasses,
} from "../../../../src/db/reconciliation/reconciliation.ts";
import {
  env,
  inAccount,
  takeCreatedCompanies,
} from "../../../support/builders/companies/company.ts";
import {
  deliverCallbacks,
  givenPsp,
  reconcile,
  reconcileDue,
  type PspSetup,
} from "../../../support/builders/providers/psp.ts";
import { completePayout, receivePayment } from "../../../support/builders/providers/psp-money.ts";
import { givenTransaction } from "../../../support/builders/charges/transaction.ts";
import { refund } from "../../../support/builders/operations/refund.ts";
import { requestWithdraw, runPayout } from "../../../support/builders/withdraws/withdraw.ts";
import { withAccounts } from "../../../support/faults/faulty-env.ts";
import { takeBackBefore } from "../../../support/faults/restore.ts";
import { findingsOf } from "../../../support/probes/contradictions/findings.ts";
import { accountsOf, movementsOf } from "../../../support/probes/ledger/ledger.ts";
import { callAsOperator } from "../../../support/builders/companies/operator.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** The pass over the last day reads a record within these, whatever the newest pass has read already. */
const FIND_MS = 4 * HOUR_MS;
/** A record that no projection shows is booked again after a day. */
const REPEAT_MS = DAY_MS + 6 * HOUR_MS;

/**
 * A restored object never numbers its changes as D1 did, so the invariants after each test do not hold: these tests
 * compare its books with those that it lost.
 */
const skipObjectsInvariants = takeCreatedCompanies;

async function runPasses(world: PspSetup, ms: number, stepMs: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += stepMs) {
    world.clock.advance(stepMs);
    await reconcileDue(world);
  }
}

/** What the object has booked, and what it shows to operators. */
const booksOf = async ({ company }: PspSetup) => ({
  movements: await movementsOf(company),
  findings: await findingsOf(company),
});

/** Runs passes until the lists are read; proves that a day of further ones books nothing more. */
async function booksAfterPasses(world: PspSetup) {
  await runPasses(world, FIND_MS, 2 * HOUR_MS);
  const found = await booksOf(world);
  await runPasses(world, REPEAT_MS, 10 * HOUR_MS);
  expect(await booksOf(world)).toEqual(found);
  return found;
}

/** A live company with 100.00 from a PIX. */
const givenPaid = async () => receivePayment(await givenPsp());

/** It has asked for a withdraw of 40.00, which is not sent yet. */
async function givenRequested() {
  const world = await givenPaid();
  const { company, options, deps, psp } = world;
  const { body } = await requestWithdraw(company, { amount: 4_000 }, options);
  /** Sends the payout; returns its id at the PSP. */
  const send = async () => {
    await runPayout(company, body.id, deps.providers(world.env), world.env);
    return [...psp.book.envios.keys()][0]!;
  };
  return { ...world, withdrawId: body.id as number, send };
}

async function givenSent() {
  const world = await givenRequested();
  return { ...world, idEnvio: await world.send() };
}

const givenPaidOut = async () => completePayout(await givenPaid());

/** A payer's bank claims 30.00 of the payment. */
async function givenDispute() {
  const world = await givenPaid();
  const disputeId = world.psp.dispute(world.paymentId, "30.00");
  await deliverCallbacks(world);
  return { ...world, disputeId };
}

/** A payment and one refunded in the bank's app, whose charges the object never knew. */
async function givenCharges() {
  const world = await givenPsp();
  const { company, psp, options } = world;
  const paid = await givenTransaction(company, { amount: 10_000 }, options);
  const refunded = await givenTransaction(company, { amount: 3_000 }, options);
  const payBoth = async () => {
    psp.pay(paid.id.replaceAll("-", ""));
    psp.refundExternally(psp.pay(refunded.id.replaceAll("-", "")), "1.00");
    await deliverCallbacks(world);
  };
  return { ...world, payBoth };
}

/** Moments of a live company, and what happens after each that D1 shows and the object loses. */
const LOST = {
  "payments, one of them refunded in part": async () => {
    const world = await givenCharges();
    return { world, happen: world.payBoth };
  },
  "a payout's end": async () => {
    const world = await givenSent();
    return { world, happen: async () => world.psp.settlePayout(world.idEnvio, "REALIZADO") };
  },
  "a payout's failure": async () => {
    const world = await givenSent();
    return { world, happen: async () => world.psp.settlePayout(world.idEnvio, "NAO_REALIZADO") };
  },
  "a part of a payout that came back": async () => {
    const world = await givenPaidOut();
    return { world, happen: async () => world.psp.returnPayout(world.idEnvio, "10.00") };
  },
  "a payout that came back whole": async () => {
    const world = await givenPaidOut();
    return { world, happen: async () => world.psp.returnPayout(world.idEnvio, "40.00") };
  },
  "a dispute": async () => {
    const world = await givenPaid();
    return { world, happen: async () => void world.psp.dispute(world.paymentId, "30.00") };
  },
  "a dispute that ended": async () => {
    const world = await givenDispute();
    const { psp, paymentId, disputeId } = world;
    return { world, happen: async () => psp.resolveDispute(paymentId, disputeId, "lost") };
  },
};

describe("the lists bring back, exactly once, what an object lost and D1 shows as booked", () => {
  it.each(Object.keys(LOST) as (keyof typeof LOST)[])("%s", async (lost) => {
    const { world, happen } = await LOST[lost]();
    let before = await booksOf(world);
    const known = before.movements.length;
    await takeBackBefore(world.company, async () => {
      await happen();
      await deliverCallbacks(world);
      before = await booksOf(world);
    });
    expect(before.movements.length).toBeGreaterThan(known);
    expect(await movementsOf(world.company)).toHaveLength(known);

    const { movements, findings } = await booksAfterPasses(world);

    expect(movements.toSorted(byText)).toEqual(before.movements.toSorted(byText));
    expect(findings).toEqual([]);
    skipObjectsInvariants();
  });
});

/** Lists may be read in another order than the callbacks came in. */
function byText(one: object, other: object): number {
  return JSON.stringify(one).localeCompare(JSON.stringify(other));
}

it("lists bring payments back also once the restore has raised the object's numbers above D1's", async () => {
  const world = await givenCharges();
  const { company } = world;
  await takeBackBefore(company, world.payBoth);
  const answer = await callAsOperator(`/companies/${company.id}/restore`, {
    body: { after: "", since: 0 },
  });
  expect(answer.status, answer.text).toBe(200);
  await booksAfterPasses(world);
  expect(await accountsOf(company)).toMatchObject({ available: 12_900, provider: -12_900 });
  skipObjectsInvariants();
});

/** An object that lost payments which the newest pass has read already. */
async function givenReadAndLost() {
  const world = await givenCharges();
  const to = world.clock.now();
  await takeBackBefore(world.company, async () => {
    await world.payBoth();
    world.clock.advance(3 * HOUR_MS);
    // The first run begins the passes.
    await reconcile(world);
    await reconcile(world);
  });
  return { ...world, to };
}

it("the newest pass that is rewound brings payments back at once, without a callback", async () => {
  const world = await givenReadAndLost();
  const { company, clock, to } = world;
  clock.advance(MINUTE_MS);
  await reconcile(world);
  expect(await accountsOf(company)).toEqual({});

  await rewindPasses(env, company.id, to, clock.now());
  await reconcile(world);

  expect(await accountsOf(company)).toMatchObject({ available: 12_900, provider: -12_900 });
  skipObjectsInvariants();
});

it("a run that was behind, and read beyond the time meanwhile, does not undo the rewind", async () => {
  const world = await givenReadAndLost();
  const { company, clock, to } = world;
  const account = { company, account: await accountOf(company) };
  await rewindPasses(env, company.id, to - HOUR_MS, clock.now());
  const begun = await claimPasses(env, account, clock.now(), clock.now() + 5 * MINUTE_MS);
  const read = begun.map((pass) => Object.assign(pass, { readUntil: clock.now() }));
  await savePasses(env, account, read);
  clock.advance(1);
  await rewindPasses(env, company.id, to, clock.now());
  await savePasses(env, account, read);

  await reconcile(world);

  expect(await accountsOf(company)).toMatchObject({ available: 12_900, provider: -12_900 });
  skipObjectsInvariants();
});

it("a run that is under way while the pass is rewound does not undo that", async () => {
  const world = await givenReadAndLost();
  const { company, clock, to } = world;
  const account = { company, account: await accountOf(company) };
  const begun = await claimNow(world, account);
  await rewindPasses(env, company.id, to, clock.now());
  await savePasses(
    env,
    account,
    begun.map((pass) => Object.assign(pass, { readUntil: clock.now() })),
  );

  await reconcile(world);

  expect(await accountsOf(company)).toMatchObject({ available: 12_900, provider: -12_900 });
  skipObjectsInvariants();
});

/** A run takes the account's newest passes. */
async function claimNow({ company, clock }: PspSetup, account: Parameters<typeof claimPasses>[1]) {
  await rewindPasses(env, company.id, Number.MAX_SAFE_INTEGER, clock.now());
  const claimed = await claimPasses(env, account, clock.now(), clock.now() + 5 * MINUTE_MS);
  expect(claimed.length).toBeGreaterThan(0);
  return claimed;
}

async function accountOf({ id }: { id: number }): Promise<string> {
  const read = env.DB.prepare("SELECT account FROM psp_accounts WHERE company_id = ?");
  return (await read.bind(id).first<{ account: string }>())!.account;
}

it("a refund of ours whose operation is lost comes back as one that the bank made", async () => {
  const world = await givenPaid();
  const { company, psp, paymentId, charge, options } = world;
  await takeBackBefore(company, async () => {
    expect((await refund(company, charge.id, 2_000, options)).status).toBe(202);
    const { id } = psp.book.pix(paymentId)!.devolucoes[0];
    psp.settleDevolucao(paymentId, id, "DEVOLVIDO");
    await deliverCallbacks(world);
    expect(await accountsOf(company)).toMatchObject({ available: 8_000, provider: -8_000 });
  });
  expect(await accountsOf(company)).toMatchObject({ available: 10_000, provider: -10_000 });

  const { movements, findings } = await booksAfterPasses(world);

  expect(movements.slice(1)).toEqual([
    { type: "refund_external", postings: { available: -2_000, provider: 2_000 } },
  ]);
  expect(findings).toEqual([]);
  skipObjectsInvariants();
});

it("a charge that ended at the bank ends again in the object", async () => {
  const world = await givenPsp();
  const { company, psp, options, clock } = world;
  const { id } = await givenTransaction(company, {}, options);
  const storedStatuses = () =>
    inAccount(company.id, async (account) => {
      const { charges } = await account.snapshot({ transactionIds: [id], withdrawIds: [] });
      return charges.map(({ state }) => state.status);
    });
  await takeBackBefore(company, async () => {
    psp.book.patchCob("cob", id.replaceAll("-", ""), { status: "REMOVIDA_PELO_USUARIO_RECEBEDOR" });
    clock.advance(2 * MINUTE_MS);
    await reconcile(world);
    expect(await storedStatuses()).toEqual(["cancelled"]);
  });
  expect(await storedStatuses()).toEqual([]);

  await runPasses(world, FIND_MS, HOUR_MS);

  expect(await storedStatuses()).toEqual(["cancelled"]);
  skipObjectsInvariants();
});

it("a payout that the object takes for unsent is shown to operators once and not booked", async () => {
  const world = await givenRequested();
  const { company, psp, send, withdrawId } = world;
  await takeBackBefore(company, async () => {
    psp.settlePayout(await send(), "REALIZADO");
    await deliverCallbacks(world);
  });
  const lost = await movementsOf(company);

  const { movements, findings } = await booksAfterPasses(world);

  expect(findings).toMatchObject([
    { kind: "payout_status", object: `withdraw:${withdrawId}`, amount: 4_000, status: "open" },
  ]);
  expect(movements).toEqual(lost);
  skipObjectsInvariants();
});

it("a payout whose withdraw the object lost is shown to operators once and not booked", async () => {
  const world = await givenPaid();
  const { company, psp } = world;
  await takeBackBefore(company, () => completePayout(world));
  const lost = await movementsOf(company);

  const { movements, findings } = await booksAfterPasses(world);

  const [idEnvio] = psp.book.envios.keys();
  expect(findings).toMatchObject([
    { kind: "payout_unknown", object: `payout:${idEnvio}`, amount: 4_000, status: "open" },
  ]);
  expect(movements).toEqual(lost);
  skipObjectsInvariants();
});

it("an object that is level with D1 is only compared, and told nothing of what callbacks told it", async () => {
  const world = await completePayout(await givenDispute());
  const told: string[] = [];
  const watched = withAccounts(world.env, (label, run) => {
    told.push(label);
    return run();
  });
  world.clock.advance(2 * MINUTE_MS);

  await reconcile({ ...world, env: watched });

  // A page each of payments, charges and payouts.
  expect(told).toEqual(["snapshot", "snapshot", "snapshot"]);
});
