import type { Mutant } from "../mutant.ts";

const SUSPENSE = "src/company/charges/suspense-commands.ts";
const CHARGES = "src/company/charges/charge-commands.ts";
const RULES = "src/company/charges/unexpected-payment-commands.ts";
const DECISIONS = "src/company/charges/payment-decisions.ts";
const REPEATED = ["test/worker/company/charges/repeated-payments.test.ts"];
const CREDITED = ["test/worker/company/charges/suspense-credited.test.ts"];
const REPORTS = ["test/worker/company/disputes/duplicate-reports.test.ts"];
const JUDGED = ["test/unit/company/charges/unexpected-payment-commands.test.ts"];
const DECIDED = ["test/worker/api/payments/decisions.test.ts"];
const UNEXPECTED = ["test/worker/api/payments/unexpected.test.ts"];

/** Payments that no charge expected: their rules, repeats, credits and returns. */
export const unexpectedPaymentMutants: Mutant[] = [
  {
    name: "return-done-late-beside-a-second-return",
    file: SUSPENSE,
    text: "|| payment.returnOperation !== id) return false;",
    replacement: ") return false;",
    tests: REPORTS,
  },
  {
    name: "return-done-late-of-a-credited-payment",
    file: SUSPENSE,
    text: "if (payment?.inSuspense !== true || payment.returnOperation",
    replacement: "if (payment?.returnOperation",
    tests: REPORTS,
  },
  {
    name: "return-done-late-of-more-than-is-left",
    file: SUSPENSE,
    text: "return this.remaining(payment) >= amount;",
    replacement: "return this.remaining(payment) > 0;",
    tests: REPORTS,
  },
  {
    name: "return-done-late-of-all-that-is-left-refused",
    file: SUSPENSE,
    text: "return this.remaining(payment) >= amount;",
    replacement: "return this.remaining(payment) > amount;",
    tests: REPORTS,
  },
  {
    name: "reassigned-by-any-decision",
    file: SUSPENSE,
    text: 'decision?.action === "credit"))\n      return true;',
    replacement: "decision != null)) return true;",
    tests: REPEATED,
  },
  {
    name: "reassigned-by-operators-forgotten",
    file: SUSPENSE,
    text: 'decision?.action === "credit"))\n      return true;',
    replacement: 'decision?.action === "credit")) return false;',
    tests: CREDITED,
  },
  {
    name: "reassigned-although-the-rule-keeps",
    file: SUSPENSE,
    text: ' && payment.rule === "credit" && !isOfOwnCharge',
    replacement: " && !isOfOwnCharge",
    tests: REPEATED,
  },
  {
    name: "reassigned-although-late-at-its-own-charge",
    file: SUSPENSE,
    text: 'payment?.reason === "LATE" || payment?.reason === "WRONG_AMOUNT"',
    replacement: 'payment?.reason === "WRONG_AMOUNT"',
    tests: REPEATED,
  },
  {
    name: "reassigned-although-wrong-at-its-own-charge",
    file: SUSPENSE,
    text: 'payment?.reason === "LATE" || payment?.reason === "WRONG_AMOUNT"',
    replacement: 'payment?.reason === "LATE"',
    tests: REPEATED,
  },
  {
    name: "reassigned-by-rule-forgotten",
    file: SUSPENSE,
    text: 'return payment?.status === "credited" && payment.rule',
    replacement: 'return payment?.status === "crediting" && payment.rule',
    tests: REPEATED,
  },
  {
    name: "repeated-payment-of-another-charge-ignored",
    file: CHARGES,
    text: "const isOfOther = hasCharge && known.transactionId !== transactionId;",
    replacement:
      "const isOfOther = hasCharge && known.inSuspense && known.transactionId !== transactionId;",
    tests: CREDITED,
  },
  {
    name: "repeated-payment-decided-again",
    file: CHARGES,
    text: 'unexpected !== null && unexpected.reason !== "NO_CHARGE")',
    replacement: 'unexpected !== null && unexpected.reason === "NO_CHARGE")',
    tests: REPEATED,
  },
  {
    name: "repeated-payment-credited-against-the-rules",
    file: CHARGES,
    text: "const answer = this.#isCreditedBy(command, nowMs)\n",
    replacement:
      "const answer = !known.inSuspense || this.#suspense.creditBlocker(known) === null\n",
    tests: REPEATED,
  },
  {
    name: "repeated-payment-of-a-return-contradicted-again",
    file: CHARGES,
    text: 'if (answer.kind === "returned" && !hasCharge) {',
    replacement: 'if (answer.kind === "returned") {',
    tests: REPEATED,
  },
  {
    name: "repeated-payment-of-a-return-assigned",
    file: CHARGES,
    text: 'this.#suspense.creditBlocker(known) ?? ("not_allowed" as const)',
    replacement: '("not_allowed" as const)',
    tests: REPEATED,
  },
  {
    name: "repeated-payment-credited-with-its-first-method",
    file: CHARGES,
    text: "const reported = { method: payment.method, card: command.card };",
    replacement: "const reported = { card: command.card };",
    tests: REPEATED,
  },
  {
    name: "repeated-payment-left-to-operators",
    file: CHARGES,
    text: 'this.#suspense.close(known.paymentId, "It was credited to its charge.", nowMs);',
    replacement: "",
    tests: CREDITED,
  },
  {
    name: "repeated-payment-shown-without-its-charge",
    file: CHARGES,
    text: "    this.#unexpected.recordCharge(known.paymentId, nowMs);\n",
    replacement: "",
    tests: REPEATED,
  },
  {
    name: "rule-credits-to-a-refused-card",
    file: RULES,
    text: 'return rule === "credit" && isRefused ? "keep" : rule;',
    replacement: "return rule;",
    tests: JUDGED,
  },
  {
    name: "rule-for-a-refused-card-keeps-what-it-returns",
    file: RULES,
    text: 'return rule === "credit" && isRefused ? "keep" : rule;',
    replacement: 'return isRefused ? "keep" : rule;',
    tests: JUDGED,
  },
  {
    name: "rule-credits-no-second-payment",
    file: RULES,
    text: 'const isRefused = reason === "LATE" && !canTransitionCharge(status, "paid");',
    replacement: 'const isRefused = !canTransitionCharge(status, "paid");',
    tests: JUDGED,
  },
  {
    name: "rule-of-the-company-ignored",
    file: RULES,
    text: "const rule = unexpectedRules(rules)[reason];",
    replacement: "const rule = unexpectedRules(null)[reason];",
    tests: JUDGED,
  },
  {
    name: "rule-sells-a-place-twice",
    file: RULES,
    text: 'rule: obstacle === "sold_out" && rule === "credit" ? "keep" : rule };',
    replacement: "rule };",
    tests: JUDGED,
  },
  {
    name: "rule-for-a-lost-place-keeps-what-it-returns",
    file: RULES,
    text: 'obstacle === "sold_out" && rule === "credit" ? "keep"',
    replacement: 'obstacle === "sold_out" ? "keep"',
    tests: JUDGED,
  },
  {
    name: "decision-returns-what-is-being-credited",
    file: DECISIONS,
    text: '(payment.status === "credited" || payment.status === "crediting")',
    replacement: 'payment.status === "credited"',
    tests: DECIDED,
  },
  {
    name: "decision-repeated-return-refused",
    file: DECISIONS,
    text: "if (!isReplay && (payment",
    replacement: "if ((payment",
    tests: UNEXPECTED,
  },
  {
    name: "decision-key-of-another-credit-replayed",
    file: DECISIONS,
    text: 'known !== null && known.requestHash !== request.requestHash) return { kind: "key_reused" };',
    replacement: 'known === undefined) return { kind: "key_reused" };',
    tests: DECIDED,
  },
  {
    name: "decision-credits-to-a-second-transaction",
    file: DECISIONS,
    text: 'if (isOther) return { kind: "not_possible", reason: "The payment is credited" };',
    replacement: "",
    tests: DECIDED,
  },
  {
    name: "decision-credits-what-is-being-credited",
    file: DECISIONS,
    text: 'if (target?.kind === "chosen" && payment.status === "crediting")',
    replacement: "if (payment === null)",
    tests: DECIDED,
  },
  {
    name: "decision-left-to-operators",
    file: DECISIONS,
    text: "this.#suspense.closeCredited(paymentId, target.terms.transactionId, nowMs);",
    replacement: "",
    tests: UNEXPECTED,
  },
  {
    name: "decision-key-of-a-credit-forgotten",
    file: DECISIONS,
    text: "      this.#bindKey(command, payment, known !== null);\n      return { ...credited",
    replacement: "      return { ...credited",
    tests: DECIDED,
  },
  {
    name: "decision-key-of-a-credited-payment-forgotten",
    file: DECISIONS,
    text: "      this.#bindKey(command, payment, known !== null);\n      return credited;",
    replacement: "      return credited;",
    tests: DECIDED,
  },
  {
    name: "decision-makes-a-transaction-for-a-paid-one",
    file: DECISIONS,
    text: 'if (answer?.kind === "not_allowed" && target?.kind !== "own")',
    replacement: 'if (answer?.kind === "not_allowed" && target === null)',
    tests: UNEXPECTED,
  },
  {
    name: "decision-credits-a-disputed-payment",
    file: DECISIONS,
    text: 'if (blocker !== null) return { kind: "not_possible", reason: blocker };',
    replacement: "",
    tests: UNEXPECTED,
  },
];
