import type { Mutant } from "../mutant.ts";

const RULES = "src/domain/reconciliation/settlement.ts";
const RULE_TESTS = ["test/unit/domain/reconciliation/settlement.test.ts"];
const PASS = "src/api/bank-reconciliation/settlement-pass.ts";
const STORE = "src/db/reconciliation/settlements.ts";
const PASS_TESTS = ["test/worker/api/bank-reconciliation/settlements.test.ts"];
const PAYABLES = "src/providers/pagarme/payables.ts";
const PAYABLE_TESTS = ["test/unit/providers/pagarme/payables.test.ts"];

/** What houses took and paid out, against what was agreed and booked. */
export const settlementMutants: Mutant[] = [
  {
    name: "settlement-charge-of-others-asked-about-with-each-line",
    file: "src/providers/pagarme/payables.ts",
    text: "(payable.data.created_at ?? from) >= from - NEW_MS",
    replacement: "(payable.data.created_at ?? from) >= 0",
    tests: ["test/worker/api/bank-reconciliation/settlements.test.ts"],
  },
  {
    name: "settlement-line-of-an-unknown-payment-left-out",
    file: "src/providers/pagarme/payables.ts",
    text: "(payable.data.created_at ?? from) >= from - NEW_MS",
    replacement: "(payable.data.created_at ?? from) > from + NEW_MS",
    tests: ["test/worker/api/bank-reconciliation/settlements.test.ts"],
  },
  {
    name: "settlement-chargeback-told-and-not-booked",
    file: PASS,
    text: "if (lacking.length > 0) {",
    replacement: "if (lacking.length > 1) {",
    tests: PASS_TESTS,
  },
  {
    name: "settlement-taken-back-twice-untold",
    file: RULES,
    text: "takenBackOf(lines) - refundedAmount",
    replacement: "takenBackOf(lines) - 2 * refundedAmount",
    tests: RULE_TESTS,
  },
  {
    name: "settlement-centavo-forgiven",
    file: RULES,
    text: "...(feeDifference > 0 ?",
    replacement: "...(feeDifference > 1 ?",
    tests: RULE_TESTS,
  },
  {
    name: "settlement-less-fee-told",
    file: RULES,
    text: "...(feeDifference > 0 ?",
    replacement: "...(feeDifference !== 0 ?",
    tests: RULE_TESTS,
  },
  {
    name: "settlement-division-of-a-whole-payment-forgiven",
    file: RULES,
    text: "if (!isWhole && Math.abs(total) < parts) return charged;",
    replacement: "if (Math.abs(total) < parts) return charged;",
    tests: RULE_TESTS,
  },
  {
    name: "settlement-second-line-of-an-installment-expected",
    file: RULES,
    text: "if (seen.has(installment) || installment > parts) return 0;",
    replacement: "if (installment > parts) return 0;",
    tests: RULE_TESTS,
  },
  {
    name: "settlement-agreed-fee-for-what-goes-back",
    file: RULES,
    text: ": { agreed: 0, feeDifference: line.fee,",
    replacement: ": { agreed: line.fee, feeDifference: 0,",
    tests: RULE_TESTS,
  },
  {
    name: "settlement-weekend-is-late",
    file: RULES,
    text: "let last = businessDayFrom(dueOn);",
    replacement: "let last = dueOn;",
    tests: RULE_TESTS,
  },
  {
    name: "settlement-grace-of-a-day-more",
    file: RULES,
    text: "return paidOn > last ?",
    replacement: "return paidOn > addDays(last, 1) ?",
    tests: RULE_TESTS,
  },
  {
    name: "settlement-known-fault-told-again",
    file: RULES,
    text: "const known = before === undefined ? [] : faultsOf(before);",
    replacement: "const known: ReturnType<typeof faultsOf> = [];",
    tests: RULE_TESTS,
  },
  {
    name: "settlement-missing-line-not-looked-for",
    file: STORE,
    text: "AND refunded_amount = 0 AND installments >",
    replacement: "AND refunded_amount = 0 AND installments - 1 >",
    tests: PASS_TESTS,
  },
  {
    name: "settlement-of-an-unbooked-payment-passed-over",
    file: PASS,
    text: "if (unknown.length > 0) {",
    replacement: "if (unknown.length > 99) {",
    tests: PASS_TESTS,
  },
  {
    name: "settlement-of-a-payment-the-house-is-silent-about-passed-over",
    file: PASS,
    text: "isSilent && !isLate",
    replacement: "false",
    tests: PASS_TESTS,
  },
  {
    name: "settlement-money-come-again-untold",
    file: RULES,
    text: "return line === lastReturned && excess < 0",
    replacement: "return line === lastReturned && excess > 0",
    tests: RULE_TESTS,
  },
  {
    name: "settlement-day-ends-after-its-first-page",
    file: PASS,
    text: 'if (page.next === null) return { kind: "read" };',
    replacement: 'if (page.next !== "") return { kind: "read" };',
    tests: PASS_TESTS,
  },
  {
    name: "settlement-overdue-before-all-is-read",
    file: PASS,
    text: "await openFindings(env, of, pass.day);",
    replacement: "await findOverdue(env, of, pass.day); await openFindings(env, of, pass.day);",
    tests: PASS_TESTS,
  },
  {
    name: "settlement-pages-in-a-circle-followed",
    file: PASS,
    text: 'page.kind === "unknown" || isLoop ? "unknown"',
    replacement: 'page.kind === "unknown" ? "unknown"',
    tests: PASS_TESTS,
  },
  {
    name: "settlement-pass-that-stands-still-untold",
    file: "src/db/operator/status.ts",
    text: ", ...(await lateSettlementPasses(env, nowMs, limit))",
    replacement: "",
    tests: PASS_TESTS,
  },
  {
    name: "settlement-anticipation-that-nobody-ordered-not-taken",
    file: PAYABLES,
    text: "fee: isAnticipated ? taken : taken + anticipation,",
    replacement: "fee: taken,",
    tests: PAYABLE_TESTS,
  },
  {
    name: "settlement-refund-by-its-sign",
    file: PAYABLES,
    text: 'gross: type === "OTHER" ? amount :',
    replacement: 'gross: type !== "CREDIT" ? amount :',
    tests: PAYABLE_TESTS,
  },
];
