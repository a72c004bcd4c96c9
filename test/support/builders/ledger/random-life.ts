import * as ledger from "../../../../src/domain/ledger/ledger.ts";
import type { Seeded } from "../requests/property.ts";
import { StatementBuilder } from "./statement-builder.ts";

/** Forty random movements of every type that the postings of `ledger.ts` can make at that moment. */
export function randomLife(random: Seeded): StatementBuilder {
  const statement = new StatementBuilder(Date.UTC(2026, 10, 21, 12));
  const withdraws: { id: number; amount: number; fee: number; left: number; status: string }[] = [];
  const of = (account: ledger.Account) => statement.balance(account);
  const debt = () => 0 - of("debt");
  const some = (most: number) => random.integer(1, Math.max(1, Math.min(most, 50_000)));
  const post = (type: ledger.MovementType, postings: ledger.Posting[]) => {
    statement.post(type, { transactionId: "t1" }, postings);
  };
  const split = (most: number) => {
    const amount = some(most);
    const awaiting = Math.min(amount, of("awaiting"));
    return { awaiting, available: amount - awaiting };
  };
  const pick = (status: string) => withdraws.find((each) => each.status === status);
  const steps: (() => void)[] = [
    () => {
      const amount = some(50_000);
      const fee = random.integer(0, amount);
      const awaiting = random.integer(0, amount - fee);
      post("charge_paid", ledger.chargePaid({ paid: amount, fee, awaiting, debt: debt() }));
    },
    () => statement.post("payment_suspended", {}, ledger.paymentSuspended(some(9_000))),
    () => {
      if (of("suspense") === 0) return;
      const amount = some(of("suspense"));
      if (random.integer(0, 1) === 0) post("suspense_returned", ledger.suspenseReturned(amount));
      else {
        const credit = { paid: amount, fee: 0, awaiting: 0, debt: debt() };
        post("suspense_credited", ledger.suspenseCredited(credit));
      }
    },
    () => {
      if (of("awaiting") > 0)
        post("credit_released", ledger.creditReleased(some(of("awaiting")), debt()));
    },
    () => {
      const funds = of("awaiting") + of("available");
      const type = random.pick(["refund_requested", "dispute_opened"] as const);
      if (funds > 0) post(type, ledger.holdPlaced(split(funds)));
    },
    () => {
      if (of("blocked") === 0) return;
      const amount = some(of("blocked"));
      const type = random.pick(["refund_failed", "dispute_won", "dispute_reduced"] as const);
      if (random.integer(0, 1) === 0) post("refund_done", ledger.refundDone(amount));
      else post(type, ledger.holdReleased({ awaiting: 0, available: amount }, debt()));
    },
    () => {
      const type = random.pick(["dispute_lost", "chargeback", "refund_external"] as const);
      const blocked = type === "refund_external" ? 0 : random.integer(0, of("blocked"));
      const missing = some(50_000);
      const awaiting = Math.min(missing, of("awaiting"));
      const available = Math.min(missing - awaiting, of("available"));
      const taken = { blocked, awaiting, available, debt: missing - awaiting - available };
      post(type, ledger.clawback(taken));
    },
    () => post("chargeback_reversed", ledger.chargebackReversed(some(9_000), debt())),
    () => {
      const amount = random.integer(0, 1) === 0 ? some(9_000) : -some(9_000);
      const funds = { available: of("available"), debt: debt() };
      statement.post("correction", {}, ledger.correctionPosted(amount, funds));
    },
    () => {
      if (of("available") < 100) return;
      const fee = random.integer(0, 50);
      const amount = some(of("available") - fee);
      const id = withdraws.length + 1;
      withdraws.push({ id, amount, fee, left: amount, status: "requested" });
      const postings = ledger.withdrawRequested(amount, fee);
      statement.post("withdraw_requested", { withdrawId: id }, postings);
    },
    () => {
      const withdraw = pick("requested");
      if (withdraw === undefined) return;
      const { id: withdrawId, amount, fee } = withdraw;
      const type = random.pick(["withdraw_paid", "withdraw_failed", "withdraw_cancelled"] as const);
      withdraw.status = type === "withdraw_paid" ? "paid" : "reversed";
      const postings =
        type === "withdraw_paid"
          ? ledger.withdrawPaid(amount)
          : ledger.withdrawReversed(amount, fee, debt());
      statement.post(type, { withdrawId }, postings);
    },
    () => {
      const withdraw = pick("paid");
      if (withdraw === undefined) return;
      const amount = random.integer(1, withdraw.left);
      withdraw.left -= amount;
      const isWhole = withdraw.left === 0;
      if (isWhole) withdraw.status = "returned";
      const postings = ledger.withdrawReturned(amount, isWhole ? withdraw.fee : 0, debt());
      statement.post("withdraw_returned", { withdrawId: withdraw.id }, postings);
    },
    () => {
      const withdraw = pick("reversed");
      if (withdraw === undefined) return;
      const { id: withdrawId, amount, fee } = withdraw;
      withdraw.status = "paid";
      const postings = ledger.withdrawReinstated(amount, fee, of("available"));
      statement
        .post("withdraw_requested", { withdrawId }, postings)
        .post("withdraw_paid", { withdrawId }, ledger.withdrawPaid(amount));
    },
  ];
  for (let count = 0; count < 40; count++) {
    statement.advance(random.integer(0, 5_000));
    random.pick(steps)();
  }
  return statement;
}
