import { describe, expect, it } from "vitest";
import type { PaymentMethod } from "../../../../src/domain/charges/charge-status.ts";
import type { Cents } from "../../../../src/domain/shared/money.ts";
import { LIST_NAMES, type ListName } from "../../../../src/domain/reconciliation/reconciliation.ts";
import type {
  ChargeOrder,
  ListedRecord,
  Provider,
  UnreadableRecord,
} from "../../../../src/providers/provider.ts";
import {
  boletoOrder,
  cardOrder,
  payoutOrder,
  pixOrder,
  refundOrder,
} from "../../builders/providers/provider-orders.ts";

/** A provider under test with its payers. */
export interface ContractSubject {
  provider: Provider;
  /** A payer pays a charge; returns the payment's id. */
  pay: (chargeId: string, amount: Cents) => Promise<string>;
  /** A payer pays to the company's key without a charge; left out of a provider without keys. */
  payKey?: (amount: Cents) => Promise<string>;
  /** Its own orders of a method, where the usual ones do not name what it asks for. */
  orders?: Partial<Record<PaymentMethod, () => ChargeOrder>>;
}

/** A provider's declared capabilities. */
export interface ContractScope {
  methods: readonly PaymentMethod[];
  lists: readonly ListName[];
  /** Whether it pays out; a provider that does returns its balance as far as it has lists. */
  payouts?: false;
}

/** Controls behind a provider that has lists. */
export interface ListControls {
  /** The PSP returns an unreadable payment until `makeReadable`. */
  makeUnreadable: (paymentId: string) => void;
  makeReadable: (paymentId: string) => void;
}

/** Controls behind a provider that pays out. */
export interface PayoutControls {
  /** The payee's bank accepts a payout. */
  settlePayout: (payoutId: string) => void;
  /** The payee's bank returns a part of a payout. */
  returnPayout: (payoutId: string, amount: Cents) => void;
}

/** Faults between the gateway and a provider, and the provider's true state. */
export interface ProviderFaults {
  /** Faults by name: each makes every response unreadable. */
  unintelligible: Record<string, () => void>;
  /** Every request takes effect and its response is lost. */
  loseResponses: () => void;
  clearFaults: () => void;
  /** The refunded amount of a payment, in centavos. */
  refundedAmount: (paymentId: string) => Cents;
  /** How often a payout was paid; left out of a provider that pays none. */
  payoutCount?: (payoutId: string) => number;
}

const ONE_DAY_MS = 86_400_000;
/** More pages than any test has. */
const PAGES_MAX = 10;
const ORDERS = { PIX: pixOrder, BOLETO: boletoOrder, CREDIT_CARD: cardOrder };

/** An order of a method, in the subject's own form. */
function orderOf({ orders = {} }: ContractSubject, method: PaymentMethod): ChargeOrder {
  return (orders[method] ?? ORDERS[method])();
}

/** An order that its payer pays later, by the first of the provider's methods. */
function pushOrder(subject: ContractSubject): ChargeOrder {
  const [method = "PIX"] = subject.provider.paymentMethods;
  return orderOf(subject, method);
}

/** A paid charge of a method that the provider gives back. */
async function paidCharge(subject: ContractSubject) {
  const { provider, pay } = subject;
  const [method = "PIX"] = provider.refundMethods;
  const order = orderOf(subject, method);
  const { chargeId, amount } = order;
  const made = await provider.createCharge(order);
  const paidAtOnce = made.kind === "decided" ? made.charge.payments[0]?.paymentId : undefined;
  return { chargeId, amount, paymentId: paidAtOnce ?? (await pay(chargeId, amount)) };
}

/**
 * The contract of every provider (`src/providers/provider.ts`): a repeated id has one effect,
 * "not found" means that the object does not exist, and an unreadable response is unknown.
 */
export function providerContract(
  name: string,
  { methods, lists, payouts }: ContractScope,
  make: () => ContractSubject,
): void {
  describe(`${name} keeps the provider contract:`, () => {
    it("it has the declared payment methods", async () => {
      expect(make().provider.paymentMethods).toEqual(methods);
    });

    it.each(methods)("a %s charge that is requested twice is one charge", async (method) => {
      const subject = make();
      const { provider } = subject;
      const asked = orderOf(subject, method);

      const first = await provider.createCharge(asked);

      expect(["registered", "decided"]).toContain(first.kind);
      expect(await provider.createCharge(asked)).toEqual(first);
    });

    it("an unknown object is not found or has no money", async () => {
      const { provider } = make();
      const { chargeId } = pixOrder();
      const paymentId = "E00000000202611210000abcdefghijk";

      const charge = await provider.findCharge(chargeId);

      expect(charge.kind === "known" ? charge.payments : []).toEqual([]);
      expect(charge.kind).not.toBe("unknown");
      expect(await provider.findPayment(paymentId)).toEqual({ kind: "not_found" });
      const refund = await provider.findRefund(refundOrder({ chargeId, paymentId }, 1));
      expect(refund.kind).toBe("not_found");
      const payout = payouts === false ? "unknown" : "not_found";
      expect(await provider.findPayout(payoutOrder().payoutId)).toEqual({ kind: payout });
    });

    it("a payment is listed with its charge, and one without a charge by itself", async () => {
      const subject = make();
      const { provider, pay, payKey } = subject;
      const order = pushOrder(subject);
      const method = order.paymentMethod;
      await provider.createCharge(order);

      const paymentId = await pay(order.chargeId, order.amount);

      const paid = { paymentId, method, amount: order.amount, paidAt: expect.any(Number) };
      expect(await provider.findCharge(order.chargeId)).toMatchObject({
        kind: "known",
        payments: [paid],
        disputes: [],
      });
      expect(await provider.findPayment(paymentId)).toMatchObject({
        kind: "known",
        payment: { ...paid, chargeId: order.chargeId },
      });
      if (payKey === undefined) return;
      const stray = await payKey(1_234);
      const { paidAt, ...alone } = { ...paid, paymentId: stray, amount: 1_234 };
      expect(await provider.findPayment(stray)).toMatchObject({
        kind: "known",
        payment: { ...alone, paidAt, chargeId: null },
      });
    });

    it("it returns the declared lists, and any other list is unknown, not empty", async () => {
      const { provider, payKey } = make();
      await payKey?.(1_234);
      const before = { from: Date.now() - 2 * ONE_DAY_MS, to: Date.now() - ONE_DAY_MS };
      const empty = { kind: "known", records: [], unreadable: [], hasMore: false };

      expect(provider.lists).toEqual(lists);
      for (const list of LIST_NAMES) {
        const answer = await provider.list(list, before, 0);
        expect.soft(answer, list).toEqual(lists.includes(list) ? empty : { kind: "unknown" });
      }
      const hasBalance = lists.length > 0 && payouts !== false;
      expect((await provider.balance()).kind).toBe(hasBalance ? "known" : "unsupported");
    });

    it("a cancel can be repeated and does not affect a payment", async () => {
      const subject = make();
      const { provider, pay } = subject;
      const [open, paid] = [pushOrder(subject), pushOrder(subject)];
      await provider.createCharge(open);
      await provider.createCharge(paid);
      await pay(paid.chargeId, paid.amount);

      expect(await provider.cancelCharge(open.chargeId)).toEqual({ kind: "cancelled" });
      expect(await provider.cancelCharge(open.chargeId)).toEqual({ kind: "cancelled" });

      expect(await provider.findCharge(open.chargeId)).toMatchObject({ status: "cancelled" });
      expect((await provider.cancelCharge(paid.chargeId)).kind).toBe("refused");
      expect(await provider.findCharge(paid.chargeId)).toMatchObject({
        payments: [{ amount: paid.amount }],
      });
      expect((await provider.captureCharge(paid.chargeId, paid.amount)).kind).toBe("refused");
    });

    it("a refund with one id is paid once, and never above the remaining amount", async () => {
      const subject = make();
      const { provider } = subject;
      const { chargeId, paymentId, amount: paid } = await paidCharge(subject);
      const refund = refundOrder({ chargeId, paymentId }, paid - 1);

      const first = await provider.sendRefund(refund);

      expect(["done", "processing"]).toContain(first.kind);
      expect(await provider.sendRefund(refund)).toEqual(first);
      expect(await provider.findRefund(refund)).toEqual(first);
      const rest = (amount: Cents) => refundOrder({ chargeId, paymentId }, amount);
      expect((await provider.sendRefund(rest(2))).kind).toBe("failed");
      expect(["done", "processing"]).toContain((await provider.sendRefund(rest(1))).kind);
    });

    it("a payout with one id is paid once", async () => {
      const { provider } = make();
      expect(provider.idempotentPayouts).toBe(true);
      const order = payoutOrder();

      const first = await provider.sendPayout(order);

      if (payouts === false) {
        expect(first).toEqual({ kind: "unknown" });
        return;
      }

      expect(["paid", "processing"]).toContain(first.kind);
      expect(await provider.sendPayout(order)).toEqual(first);
      expect(await provider.findPayout(order.payoutId)).toEqual(first);
    });

    if (methods.includes("CREDIT_CARD")) cardContract(make);
  });
}

function cardContract(make: () => ContractSubject): void {
  it("an authorized card is captured once or voided", async () => {
    const subject = make();
    const { provider } = subject;
    const authorized = () => {
      const order = orderOf(subject, "CREDIT_CARD");
      if (order.paymentMethod !== "CREDIT_CARD") throw new Error("an order of a card");
      return { ...order, card: { ...order.card, capture: false } };
    };
    const [taken, voided] = [authorized(), authorized()];
    for (const order of [taken, voided]) {
      expect(await provider.createCharge(order)).toMatchObject({
        charge: { status: "authorized" },
      });
    }

    expect(await provider.captureCharge(taken.chargeId, 2_000)).toEqual({ kind: "captured" });
    expect(await provider.captureCharge(taken.chargeId, 2_000)).toEqual({ kind: "captured" });
    expect((await provider.captureCharge(taken.chargeId, 500)).kind).toBe("refused");
    expect(await provider.cancelCharge(voided.chargeId)).toEqual({ kind: "cancelled" });
    expect((await provider.captureCharge(voided.chargeId, 2_500)).kind).toBe("refused");

    const report = await provider.findCharge(taken.chargeId);
    expect(report.kind === "known" && report.payments).toMatchObject([
      { method: "CREDIT_CARD", amount: 2_000 },
    ]);
  });
}

/** The contract of a provider with lists. */
export function listContract(name: string, make: () => ContractSubject & ListControls): void {
  describe(`${name} lists its records:`, () => {
    it("charges, payments and payouts are listed under the ids that they were created with", async () => {
      const subject = make();
      const { provider, pay, payKey } = subject;
      const [order, payout] = [pushOrder(subject), payoutOrder()];
      await provider.createCharge(order);
      const paymentId = await pay(order.chargeId, order.amount);

      const charge = chargeOf((await listRecent(provider, "charges")).records, order.chargeId);
      expect(charge).toMatchObject({ payments: [{ paymentId, amount: order.amount }] });
      expect({ kind: "known", ...charge }).toEqual(await provider.findCharge(order.chargeId));
      if (payKey === undefined) return;
      const stray = await payKey(1_234);
      await provider.sendPayout(payout);
      const payments = (await listRecent(provider, "payments")).records.map((each) =>
        each.kind === "payment" ? [each.payment.paymentId, each.payment.chargeId] : [],
      );
      expect(payments).toContainEqual([paymentId, order.chargeId]);
      expect(payments).toContainEqual([stray, null]);
      const listed = payoutOf((await listRecent(provider, "payouts")).records, payout.payoutId);
      expect(listed).toEqual(await provider.findPayout(payout.payoutId));
    });

    it("an unreadable record blocks no other and is listed once it is readable", async () => {
      const subject = make();
      const { provider, pay, payKey, makeUnreadable, makeReadable } = subject;
      const list = payKey === undefined ? "charges" : "payments";
      const given = async () => {
        if (payKey !== undefined) return payKey(100);
        const order = pushOrder(subject);
        await provider.createCharge(order);
        return pay(order.chargeId, order.amount);
      };
      const [odd, good] = [await given(), await given()];
      const seen = async () => {
        const { records, unreadable } = await listRecent(provider, list);
        return { read: records.flatMap(paymentIdsOf), unread: unreadable };
      };

      makeUnreadable(odd);

      expect(await provider.findPayment(odd)).toEqual({ kind: "unknown" });
      const { read, unread } = await seen();
      expect(unread).toHaveLength(1);
      if (payKey !== undefined) expect(unread[0]?.paymentId).toBe(odd);
      expect(read).toContain(good);
      expect(read).not.toContain(odd);
      makeReadable(odd);
      const mended = await seen();
      expect(mended.unread).toEqual([]);
      expect(mended.read).toEqual(expect.arrayContaining([odd, good]));
    });
  });
}

/** The contract of a provider that pays out and has lists. */
export function payoutContract(name: string, make: () => ContractSubject & PayoutControls): void {
  describe(`${name} pays out:`, () => {
    it("a payout that is returned in parts stays paid until the whole amount is back", async () => {
      const { provider, ...levers } = make();
      const order = payoutOrder();
      await provider.sendPayout(order);
      levers.settlePayout(order.payoutId);

      levers.returnPayout(order.payoutId, 300);
      const part = await provider.findPayout(order.payoutId);
      expect(part).toMatchObject({ kind: "paid", returnedAmount: 300 });
      const listed = payoutOf((await listRecent(provider, "payouts")).records, order.payoutId);
      // A lookup contains the paid amount; a list has it next to the outcome.
      expect(part).toMatchObject({ ...listed });
      levers.returnPayout(order.payoutId, order.amount - 300);
      expect((await provider.findPayout(order.payoutId)).kind).toBe("returned");
    });

    it("the balance changes with each payment, refund and payout", async () => {
      const { provider, payKey, ...levers } = make();
      const order = payoutOrder();
      const standing = async () => {
        const answer = await provider.balance();
        return answer.kind === "known" ? answer.balance : Number.NaN;
      };
      const before = await standing();

      await payKey?.(5_000);
      expect(await standing()).toBe(before + 5_000);
      await provider.sendPayout(order);
      levers.settlePayout(order.payoutId);
      levers.returnPayout(order.payoutId, 300);
      expect(await standing()).toBe(before + 5_000 - order.amount + 300);
    });
  });
}

/** All records of a list from yesterday to tomorrow. */
async function listRecent(provider: Provider, name: ListName) {
  const window = { from: Date.now() - ONE_DAY_MS, to: Date.now() + ONE_DAY_MS };
  const whole = { records: [] as ListedRecord[], unreadable: [] as UnreadableRecord[] };
  for (let page = 0; page < PAGES_MAX; page++) {
    const answer = await provider.list(name, window, page);
    if (answer.kind === "unknown") throw new Error(`page ${page} of ${name} is unknown`);
    whole.records.push(...answer.records);
    whole.unreadable.push(...answer.unreadable);
    if (!answer.hasMore) return whole;
  }
  throw new Error(`${name} has no end`);
}

/** The payments that a line of a list tells of. */
function paymentIdsOf(record: ListedRecord): string[] {
  if (record.kind === "payment") return [record.payment.paymentId];
  return record.kind === "charge" ? record.charge.payments.map((each) => each.paymentId) : [];
}

function chargeOf(records: ListedRecord[], chargeId: string) {
  const found = records.find((each) => each.kind === "charge" && each.chargeId === chargeId);
  return found?.kind === "charge" ? found.charge : undefined;
}

function payoutOf(records: ListedRecord[], payoutId: string) {
  const found = records.find((each) => each.kind === "payout" && each.payoutId === payoutId);
  return found?.kind === "payout" ? found.outcome : undefined;
}

/** The contract of a provider behind an unreliable network. */
export function faultContract(name: string, make: () => ContractSubject & ProviderFaults): void {
  describe(`${name} under faults:`, () => {
    it("an operation whose response was lost is found by its id and not executed twice", async () => {
      const subject = make();
      const { provider, ...faults } = subject;
      const [order, payout] = [pushOrder(subject), payoutOrder()];
      faults.loseResponses();
      expect(await provider.createCharge(order)).toEqual({ kind: "unknown" });
      expect(await provider.sendPayout(payout)).toEqual({ kind: "unknown" });
      faults.clearFaults();

      expect(await provider.findCharge(order.chargeId)).toMatchObject({ status: "open" });
      expect((await provider.createCharge(order)).kind).toBe("registered");
      const paid = await paidCharge(subject);
      const refund = refundOrder(paid, paid.amount);
      faults.loseResponses();
      expect(await provider.sendRefund(refund)).toEqual({ kind: "unknown" });
      faults.clearFaults();

      const isTold = provider.idempotentRefunds ? /done|processing/ : /done|processing|not_found/;
      expect((await provider.findRefund(refund)).kind).toMatch(isTold);
      expect((await provider.sendRefund(refund)).kind).toMatch(/done|processing/);
      expect(faults.refundedAmount(paid.paymentId)).toBe(paid.amount);
      if (faults.payoutCount === undefined) return;
      expect((await provider.findPayout(payout.payoutId)).kind).toMatch(/paid|processing/);
      expect((await provider.sendPayout(payout)).kind).toMatch(/paid|processing/);
      expect(faults.payoutCount(payout.payoutId)).toBe(1);
    });

    it("an unreadable response is unknown, neither success nor failure", async () => {
      const subject = make();
      const { provider, ...faults } = subject;
      const payout = payoutOrder();
      await provider.sendPayout(payout);
      const paid = await paidCharge(subject);
      const { chargeId, paymentId } = paid;
      const refund = refundOrder(paid, 1);
      faults.loseResponses();
      await provider.sendRefund(refund);
      faults.clearFaults();
      for (const [fault, begin] of Object.entries(faults.unintelligible)) {
        begin();
        const answers = await Promise.all([
          provider.createCharge(pushOrder(subject)),
          provider.findCharge(chargeId),
          provider.findPayment(paymentId),
          provider.cancelCharge(chargeId),
          provider.sendRefund(refund),
          provider.findRefund(refund),
          provider.sendPayout(payout),
          provider.findPayout(payout.payoutId),
          ...(faults.payoutCount === undefined ? [] : [provider.balance()]),
          ...LIST_NAMES.map((each) => provider.list(each, { from: 0, to: Date.now() }, 0)),
        ]);
        expect.soft(new Set(answers.map(({ kind }) => kind)), fault).toEqual(new Set(["unknown"]));
        faults.clearFaults();
      }
      expect((await provider.findCharge(chargeId)).kind).toBe("known");
    });
  });
}
