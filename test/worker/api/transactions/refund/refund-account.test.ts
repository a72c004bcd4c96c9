import { expect, it } from "vitest";
import { providerChargeId } from "../../../../../src/domain/charges/transaction.ts";
import {
  createTransaction,
  givenTransaction,
} from "../../../../support/builders/charges/transaction.ts";
import { decide, newestUnexpected } from "../../../../support/builders/charges/unexpected.ts";
import { callsTo } from "../../../../support/builders/companies/calls.ts";
import { env, waitUntilDrained } from "../../../../support/builders/companies/company.ts";
import { refundCommand } from "../../../../support/builders/operations/object-operations.ts";
import { refund } from "../../../../support/builders/operations/refund.ts";
import { deliverCallbacks } from "../../../../support/builders/providers/psp.ts";
import {
  chargeRows,
  givenTwoBanks,
  type TwoBanks,
} from "../../../../support/builders/providers/two-banks.ts";
import { expectProblem } from "../../../../support/probes/http/problem.ts";
import { accountsOf } from "../../../../support/probes/ledger/ledger.ts";

const AMOUNT = 2_500;
const PUT = /^PUT \/cob\//;

/** A charge that the first bank shows, whose payment the second one took, and that payment. */
interface PaidElsewhere {
  world: TwoBanks;
  id: string;
  endToEndId: string;
}

/** Both banks were silent; then the first one showed the charge after all, and the payer paid the other one's. */
async function givenShownAtFirstAgain(): Promise<PaidElsewhere> {
  const world = await givenTwoBanks();
  const create = () =>
    createTransaction(world.company, { amount: AMOUNT }, { ...world.options, key: "order-1" });
  world.psp.faultOnce("error_500", PUT);
  world.second.faultOnce("error_500", PUT);
  expect((await create()).status).toBe(503);
  world.second.faultOnce("error_500", PUT);
  world.clock.advance(60_000);
  const answer = await create();
  expect(answer.status, answer.text).toBe(200);
  const { id } = answer.body.data;
  const endToEndId = world.second.pay(providerChargeId(id, 2));
  await deliverCallbacks({ ...world, psp: world.second });
  await waitUntilDrained(world.company);
  return { world, id, endToEndId };
}

/** The payer paid to the second bank's key without the code, and the merchant credited that to the charge. */
async function givenCreditedFromAnother(): Promise<PaidElsewhere> {
  const world = await givenTwoBanks();
  const { company, options, second } = world;
  const made = await createTransaction(company, { amount: AMOUNT }, options);
  const { id } = made.body.data;
  const endToEndId = second.payKey("25.00");
  await deliverCallbacks({ ...world, psp: second });
  await waitUntilDrained(company);
  expect(await newestUnexpected(company)).toMatchObject({ reason: "NO_CHARGE" });
  const body = { transactionId: id };
  const credited = await decide(company, endToEndId, "credit", { ...options, body });
  expect(credited.status, credited.text).toBe(200);
  await waitUntilDrained(company);
  return { world, id, endToEndId };
}

/** An account loses its secrets, as after its retention. */
async function disconnect({ company, accounts }: TwoBanks, which: "first" | "second") {
  const sql = `UPDATE psp_accounts SET sealed = '', state = 'disconnected'
    WHERE company_id = ? AND account = ?`;
  await env.DB.prepare(sql).bind(company.id, accounts[which]).run();
}

const WAYS = [
  ["whose first bank showed the charge after all", givenShownAtFirstAgain],
  ["that came to another bank and was credited to the charge", givenCreditedFromAnother],
] as const;

it.each(WAYS)("a payment %s is refunded where it is", async (_what, given) => {
  const { world, id, endToEndId } = await given();
  expect(await chargeRows(world.company)).toMatchObject([
    { account: world.accounts.first, attempt: 1, status: "paid" },
  ]);
  await disconnect(world, "first");

  const refunded = await refund(world.company, id, AMOUNT, world.options);

  expect(refunded.status, refunded.text).toBe(202);
  expect(world.second.refundedAmount(endToEndId)).toBe(AMOUNT);
});

it.each(WAYS)(
  "PROVIDER_DISCONNECTED: a payment %s is not refunded once its bank is gone, and nothing is held",
  async (_what, given) => {
    const { world, id } = await given();
    await disconnect(world, "second");

    const refused = await refund(world.company, id, AMOUNT, world.options);

    await expectProblem(refused, { status: 422, code: "PROVIDER_DISCONNECTED" });
    expect(await accountsOf(world.company)).toMatchObject({ available: AMOUNT, provider: -AMOUNT });
  },
);

it("a Worker of an earlier version, which names no account, is answered as before", async () => {
  const { world, id } = await givenShownAtFirstAgain();
  const command = refundCommand(world.company, { id, amount: AMOUNT });

  const answer = await callsTo(world.company.id).requestRefund(command);

  expect(answer).toMatchObject({ kind: "send", order: { account: world.accounts.second } });
});

it("a Worker of an earlier version, which asks for the account that took a payment, is answered as before", async () => {
  const { world, id } = await givenShownAtFirstAgain();
  const { id: open } = await givenTransaction(world.company, {}, world.options);
  const { accountOfPayment } = callsTo(world.company.id);

  expect(await accountOfPayment(id)).toBe(world.accounts.second);
  expect(await accountOfPayment(open)).toBeNull();
});
