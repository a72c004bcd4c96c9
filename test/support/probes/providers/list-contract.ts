import { describe, expect, it } from "vitest";
import type { Cents } from "../../../../src/domain/shared/money.ts";
import type { ListName } from "../../../../src/domain/reconciliation/reconciliation.ts";
import type { ListedRecord, Provider } from "../../../../src/providers/provider.ts";
import type { UnreadableRecord } from "../../../../src/providers/charge.ts";
import { payoutOrder } from "../../builders/providers/provider-orders.ts";
import {
  orderOf,
  type ContractScope,
  type ContractSubject,
  type PushOrder,
} from "./contract-scope.ts";

/** Controls behind a provider that has lists. */
interface ContractControls {
  /** The PSP returns an unreadable payment until `makeReadable`. */
  makeUnreadable: (paymentId: string) => void;
  makeReadable: (paymentId: string) => void;
  /** The payee's bank accepts a payout. */
  settlePayout: (payoutId: string) => void;
  /** The payee's bank returns a part of a payout. */
  returnPayout: (payoutId: string, amount: Cents) => void;
}

const ONE_DAY_MS = 86_400_000;
/** More pages than any test has. */
const PAGES_MAX = 10;

/** The contract of a provider with lists. */
export function listContract(
  name: string,
  scope: ContractScope,
  make: () => ContractSubject & ContractControls,
): void {
  const { lists, lacks = [] } = scope;
  const pushOrder = orderOf(scope);
  describe(`${name} lists its records:`, () => {
    if (lists.includes("payments")) {
      it("payments are listed with their charges", async () => {
        const { provider, pay } = make();
        const order = pushOrder();
        await provider.createCharge(order);
        const paymentId = await pay(order.chargeId, order.amount);

        const { records } = await listRecent(provider, "payments");

        const found = await provider.findPayment(paymentId);
        expect(records).toContainEqual({
          kind: "payment",
          payment: found.kind === "known" && found.payment,
        });
      });
    }

    const list = lists.includes("payments") ? "payments" : "charges";
    it("an unreadable record blocks no other and is listed once it is readable", async () => {
      const { provider, pay, ...levers } = make();
      const [first, second] = [pushOrder(), pushOrder()];
      const paid = async (order: PushOrder) => {
        await provider.createCharge(order);
        return pay(order.chargeId, order.amount);
      };
      const [odd, good] = [await paid(first), await paid(second)];
      const seen = async () => {
        const { records, unreadable } = await listRecent(provider, list);
        return {
          read: records.flatMap(paymentIdsOf),
          unread: unreadable.map(({ paymentId }) => paymentId),
        };
      };

      levers.makeUnreadable(odd);

      expect(await provider.findPayment(odd)).toEqual({ kind: "unknown" });
      const { read, unread } = await seen();
      expect(unread).toEqual([list === "payments" ? odd : null]);
      expect(read).toContain(good);
      expect(read).not.toContain(odd);
      levers.makeReadable(odd);
      const mended = await seen();
      expect(mended.unread).toEqual([]);
      expect(mended.read).toEqual(expect.arrayContaining([odd, good]));
    });

    if (lists.includes("charges")) chargeListContract(pushOrder, make);
    if (!lacks.includes("payouts")) payoutListContract(make);
    if (!lacks.includes("stray_payments")) strayListContract(make);
    if (!lacks.includes("balance")) balanceContract(make);
  });
}

function chargeListContract(pushOrder: () => PushOrder, make: () => ContractSubject): void {
  it("charges are listed under the ids that they were created with", async () => {
    const { provider, pay } = make();
    const order = pushOrder();
    await provider.createCharge(order);
    const paymentId = await pay(order.chargeId, order.amount);

    const charge = chargeOf((await listRecent(provider, "charges")).records, order.chargeId);

    expect(charge).toMatchObject({ payments: [{ paymentId, amount: order.amount }] });
    expect({ kind: "known", ...charge }).toEqual(await provider.findCharge(order.chargeId));
  });
}

function strayListContract(make: () => ContractSubject): void {
  it("a payment without a charge is listed", async () => {
    const { provider, payKey } = make();
    const paymentId = await payKey(1_234);

    const { records } = await listRecent(provider, "payments");

    expect(records).toContainEqual({
      kind: "payment",
      payment: expect.objectContaining({ paymentId, chargeId: null }),
    });
  });
}

function payoutListContract(make: () => ContractSubject & ContractControls): void {
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
}

function balanceContract(make: () => ContractSubject & ContractControls): void {
  it("the balance changes with each payment, refund and payout", async () => {
    const { provider, payKey, ...levers } = make();
    const order = payoutOrder();
    const standing = async () => {
      const answer = await provider.balance();
      return answer.kind === "known" ? answer.balance : Number.NaN;
    };
    const before = await standing();

    await payKey(5_000);
    expect(await standing()).toBe(before + 5_000);
    await provider.sendPayout(order);
    levers.settlePayout(order.payoutId);
    levers.returnPayout(order.payoutId, 300);
    expect(await standing()).toBe(before + 5_000 - order.amount + 300);
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
