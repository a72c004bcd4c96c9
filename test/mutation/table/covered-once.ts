import type { Mutant } from "../mutant.ts";

const TOLD_SUMS = "src/company/operations/told-sums.ts";
const CORRECTED_AMOUNTS = ["test/worker/company/charges/corrected-amounts.test.ts"];
const GIVEN_BACK = ["test/worker/company/charges/given-back.test.ts"];
const CORRECTED = ["test/worker/company/charges/corrected-ends.test.ts"];

/** What operators took of a payment covers only once what went back. */
export const coveredOnceMutants: Mutant[] = [
  {
    name: "other-charge-that-operators-took-taken-again",
    file: TOLD_SUMS,
    text: "forAmounts) + forCharges;",
    replacement: "forAmounts) + 0 * forCharges;",
    tests: GIVEN_BACK,
  },
  {
    name: "cover-of-a-refund-used-twice",
    file: TOLD_SUMS,
    text: "this.#refunds.coveredTotal(transactionId) +",
    replacement: "0 * this.#refunds.coveredTotal(transactionId) +",
    tests: GIVEN_BACK,
  },
  {
    name: "cover-of-a-chargeback-used-twice",
    file: TOLD_SUMS,
    text: "this.#disputes.coveredTotal(transactionId) +",
    replacement: "0 * this.#disputes.coveredTotal(transactionId) +",
    tests: GIVEN_BACK,
  },
  {
    name: "cover-of-a-refund-done-after-all-used-twice",
    file: TOLD_SUMS,
    text: "this.#operations.update({ ...refund, covered });",
    replacement: "",
    tests: GIVEN_BACK,
  },
  {
    name: "cover-of-a-refund-that-was-told-used-anew",
    file: TOLD_SUMS,
    text: "if (payment === null || isTold) return rest;",
    replacement: "if (payment === null) return rest;",
    tests: GIVEN_BACK,
  },
  {
    name: "cover-of-a-refund-done-after-all-told-again",
    file: TOLD_SUMS,
    text: "if (refund.covered !== null) return Math.max(0, rest - refund.covered);",
    replacement: "",
    tests: CORRECTED,
  },
  {
    name: "cover-of-a-refund-done-after-all-forgotten-by-what-is-left",
    file: TOLD_SUMS,
    text: "refundableAmount(charge, refunds) + accounted + coveredOf(refunds);",
    replacement: "refundableAmount(charge, refunds) + accounted;",
    tests: GIVEN_BACK,
  },
  {
    name: "cover-of-a-refund-done-after-all-refunded",
    file: TOLD_SUMS,
    text: "const gone = coveredOf(this.refundsOf(charge)) + this.#unusedOf(charge);",
    replacement: "const gone = this.#unusedOf(charge);",
    tests: GIVEN_BACK,
  },
  {
    name: "cover-of-sums-not-added-up",
    file: "src/company/operations/external-refund-store.ts",
    text: "covered = coalesce(covered, 0) + excluded.covered,",
    replacement: "covered = excluded.covered,",
    tests: CORRECTED_AMOUNTS,
  },
  {
    name: "cover-of-others-keeps-a-chargeback-from-its-reversal",
    file: "src/company/disputes/dispute-commands.ts",
    text: "const covered = known.covered ?? this.#toldSums.covered(charge, amount);",
    replacement: "const covered = this.#toldSums.covered(charge, amount);",
    tests: GIVEN_BACK,
  },
  {
    name: "sum-that-was-told-given-back",
    file: TOLD_SUMS,
    text: "? this.unusedOfEnd(payment) - inSum",
    replacement: "? this.unusedOfEnd(payment)",
    tests: GIVEN_BACK,
  },
  {
    name: "sum-of-a-refund-of-ours-not-given-back",
    file: TOLD_SUMS,
    text: "this.#refunds.toldSum(paymentId) - this.#wentBack(payment));",
    replacement: "this.#refunds.toldSum(paymentId));",
    tests: GIVEN_BACK,
  },
];
