import type { Mutant } from "../mutant.ts";

const TRANSITIONS = "src/company/charges/charge-transitions.ts";
const TOLD_SUMS = "src/company/operations/told-sums.ts";
const TOLD = "src/company/contradictions/told-amounts.ts";
const STORE = "src/company/contradictions/contradiction-store.ts";
const COMMANDS = "src/company/contradictions/contradiction-commands.ts";
const TOLD_AMOUNTS = ["test/worker/company/charges/told-amounts.test.ts"];

/** Amounts that houses tell of known payments, one after the other. */
export const toldAmountMutants: Mutant[] = [
  {
    name: "told-amount-held-after-the-booked-one-came-back",
    file: TOLD,
    text: 'this.#contradictions.close(finding, "Its house tells another amount.", nowMs);',
    replacement: "void finding;",
    tests: TOLD_AMOUNTS,
  },
  {
    name: "told-amount-closed-by-another-account",
    file: TOLD,
    text: " && said.account === teller",
    replacement: "",
    tests: TOLD_AMOUNTS,
  },
  {
    name: "told-amount-not-asked-about-what-was-booked",
    file: TOLD,
    text: "if (amount === known.amount && !all.some(({ said }) => said.account === teller)) return;",
    replacement: "if (amount === known.amount) return;",
    tests: TOLD_AMOUNTS,
  },
  {
    name: "told-amount-counts-nothing-that-was-corrected",
    file: TOLD,
    text: "amountFinding(known, { amount, account: teller, corrected });",
    replacement: "amountFinding(known, { amount, account: teller, corrected: 0 * corrected });",
    tests: TOLD_AMOUNTS,
  },
  {
    name: "told-amount-whose-dismissal-outlives-the-booked-one",
    file: TOLD,
    text: "if (found.amount === 0 && !isDecided) return;",
    replacement: "if (found.amount === 0 || isDecided === null) return;",
    tests: TOLD_AMOUNTS,
  },
  {
    name: "told-amount-asked-about-though-all-went-back",
    file: TRANSITIONS,
    text: "      this.#toldAmounts.allWentBack({ paymentId, amount: charge.paidAmount }, nowMs);\n",
    replacement: "",
    tests: TOLD_AMOUNTS,
  },
  {
    name: "told-amount-taken-beyond-the-rest-of-its-payment",
    file: COMMANDS,
    text: "Math.max(0, told.corrected) + left);",
    replacement: "Infinity + left);",
    tests: TOLD_AMOUNTS,
  },
  {
    name: "told-amount-taken-beyond-what-the-house-says",
    file: COMMANDS,
    text: "Math.min(Math.max(0, -told.left), ",
    replacement: "Math.min(Infinity, ",
    tests: TOLD_AMOUNTS,
  },
  {
    name: "told-amount-given-beyond-what-the-house-says",
    file: COMMANDS,
    text: "Math.min(taken, Math.max(0, told.left));",
    replacement: "told.left + 9_999;",
    tests: TOLD_AMOUNTS,
  },
  {
    name: "told-amount-given-for-its-end-too",
    file: TOLD_SUMS,
    text: "Math.min(told.taken, this.#unusedOf(charge) - told.short - inSum);",
    replacement: "this.#unusedOf(charge) - told.short - inSum;",
    tests: TOLD_AMOUNTS,
  },
  {
    name: "told-amount-less-a-sum-that-its-end-explains",
    file: TOLD_SUMS,
    text: "Math.min(told.taken, this.#unusedOf(charge) - told.short - inSum);",
    replacement: "Math.min(told.taken, this.#unusedOf(charge) - told.short) - inSum;",
    tests: TOLD_AMOUNTS,
  },
  {
    name: "told-amount-that-is-booked-so-left-open",
    file: STORE,
    text: "if (key === finding || chainOf(key) === finding)",
    replacement: "if (chainOf(key) === finding)",
    tests: TOLD_AMOUNTS,
  },
  {
    name: "told-amount-held-again-after-all-went-back",
    file: TOLD,
    text: "if (isOver) return;",
    replacement: "void isOver;",
    tests: TOLD_AMOUNTS,
  },
  {
    name: "told-amount-over-though-more-was-given",
    file: TOLD,
    text: "amount <= known.amount && corrected <= 0 && this.#isAllBack(known)",
    replacement: "amount <= known.amount && this.#isAllBack(known)",
    tests: TOLD_AMOUNTS,
  },
  {
    name: "told-amount-followed-without-end",
    file: TOLD,
    text: "if (changesOf(all, said.amount) < CHANGES_MAX)",
    replacement: "if (changesOf(all, said.amount) >= 0)",
    tests: TOLD_AMOUNTS,
  },
];
