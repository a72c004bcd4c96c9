import type { Mutant } from "../mutant.ts";

const REPORT = "src/providers/pagarme/charge-report.ts";
const ORDERS = "src/providers/pagarme/orders.ts";
const PROVIDER = "src/providers/pagarme/provider.ts";
const REFUNDS = "src/providers/pagarme/refunds.ts";
const REQUEST = "src/providers/pagarme/order-request.ts";
const RETRIES = "src/domain/cards/retry-rules.ts";
const CREATE_TESTS = ["test/unit/providers/pagarme/create.test.ts"];
const STATE_TESTS = ["test/unit/providers/pagarme/states.test.ts"];
const REFUND_TESTS = ["test/unit/providers/pagarme/refunds.test.ts"];
const SAVED_TESTS = ["test/unit/providers/pagarme/saved-cards.test.ts"];
const CARD_TESTS = ["test/worker/api/cards/saved.test.ts"];
const RETRY_TESTS = ["test/unit/domain/cards/retry-rules.test.ts"];

/** Answers of Pagar.me that say less than they seem to, and what its brands' rules allow. */
export const pagarMeMutants: Mutant[] = [
  {
    name: "pagarme-retry-limit-unread",
    file: REPORT,
    text: "last.retry_info?.transaction_limit ?? null",
    replacement: "null",
    tests: STATE_TESTS,
  },
  {
    name: "retry-rules-acquirers-limit-forgotten",
    file: RETRIES,
    text: "[said.attemptsLeft, standing.attemptsLeft]",
    replacement: "[standing.attemptsLeft]",
    tests: RETRY_TESTS,
  },
  {
    name: "retry-rules-never-again-forgotten",
    file: RETRIES,
    text: "isNever(said) || isNever(standing)",
    replacement: "isNever(said) && isNever(standing)",
    tests: RETRY_TESTS,
  },
  {
    name: "pagarme-money-of-any-time",
    file: REPORT,
    text: "if (paidAt === null || !isPossibleTime(paidAt, bounds, chargeId)) return null;",
    replacement: "if (paidAt === null) return null;",
    tests: STATE_TESTS,
  },
  {
    name: "pagarme-ended-token-believed-unseen",
    file: PROVIDER,
    text: "    const found = await this.#orders.find(chargeId);\n    return found.kind",
    replacement: '    const found = { kind: "not_found" } as FoundCharge;\n    return found.kind',
    tests: CREATE_TESTS,
  },
  {
    name: "pagarme-wrong-order-called-ended-token",
    file: PROVIDER,
    text: "status === BUSINESS_RULE && /token/i.test(message)",
    replacement: "/token/i.test(message)",
    tests: CREATE_TESTS,
  },
  {
    name: "pagarme-any-forbidden-card-called-ended-token",
    file: PROVIDER,
    text: "status === BUSINESS_RULE && /token/i.test(message)",
    replacement: "status === BUSINESS_RULE",
    tests: CREATE_TESTS,
  },
  {
    name: "pagarme-no-answer-refused",
    file: REPORT,
    text: 'const REFUSED = new Set(["not_authorized", "failed"]);',
    replacement: 'const REFUSED = new Set(["not_authorized", "failed", "with_error"]);',
    tests: STATE_TESTS,
  },
  {
    name: "pagarme-chargeback-refunded-too",
    file: REPORT,
    text: 'status === "canceled" || status === "partial_canceled"',
    replacement: 'status !== "pending"',
    tests: STATE_TESTS,
  },
  {
    name: "pagarme-waiting-refund-told",
    file: REPORT,
    text: "if (!isGivenBack || !isSettled(charge) || (amount ?? 0) === 0) return [];",
    replacement: "if (!isGivenBack || (amount ?? 0) === 0) return [];",
    tests: REFUND_TESTS,
  },
  {
    name: "pagarme-unknown-word-with-money-open",
    file: REPORT,
    text: 'return (paid ?? 0) > 0 ? null : without("open");',
    replacement: 'return without("open");',
    tests: STATE_TESTS,
  },
  {
    name: "pagarme-gateway-chargeback",
    file: REPORT,
    text: 'if (charge.status === CHARGED_BACK) return kind === "psp";',
    replacement: "if (charge.status === CHARGED_BACK) return kind !== null;",
    tests: STATE_TESTS,
  },
  {
    name: "pagarme-twin-order-believed",
    file: ORDERS,
    text: "if (others.length === 0) return this.read(chargeId, order);",
    replacement: "if (others.length >= 0) return this.read(chargeId, order);",
    tests: CREATE_TESTS,
  },
  {
    name: "pagarme-listed-twin-believed",
    file: ORDERS,
    text: ": order.data.id === orderId;",
    replacement: ": order.data.id !== undefined;",
    tests: CREATE_TESTS,
  },
  {
    name: "pagarme-others-payment-ours",
    file: ORDERS,
    text: 'if (chargeId === null) return { kind: "not_found" };',
    replacement: 'if (chargeId === null) return { kind: "found", charge, chargeId: "" };',
    tests: STATE_TESTS,
  },
  {
    name: "pagarme-refusal-believed",
    file: PROVIDER,
    text: 'return found.kind === "not_found"\n',
    replacement: 'return found.kind !== "unknown"\n',
    tests: CREATE_TESTS,
  },
  {
    name: "pagarme-lost-create-sent-again",
    file: PROVIDER,
    text: "const isNew = before === null && !mayBeForgotten(chargeId, this.#clock.now());",
    replacement: "const isNew = before?.orderId === undefined;",
    tests: CREATE_TESTS,
  },
  {
    name: "pagarme-forgotten-order-made-anew",
    file: PROVIDER,
    text: "before === null && !mayBeForgotten(chargeId, this.#clock.now())",
    replacement: "before === null",
    tests: CREATE_TESTS,
  },
  {
    name: "pagarme-forgotten-refund-sent-again",
    file: REFUNDS,
    text: 'if (back === 0) return { kind: "not_found", neverSent: true };',
    replacement: 'if (back >= 0) return { kind: "not_found", neverSent: true };',
    tests: REFUND_TESTS,
  },
  {
    name: "pagarme-released-rest-given-back",
    file: REPORT,
    text: "canceled_amount: canceled - counted }",
    replacement: "canceled_amount: canceled }",
    tests: REFUND_TESTS,
  },
  {
    name: "pagarme-released-rest-in-a-refunds-answer",
    file: REFUNDS,
    text: "await this.#orders.withoutReleased(chargeId, answered)",
    replacement: "answered",
    tests: REFUND_TESTS,
  },
  {
    name: "pagarme-released-rest-not-seen",
    file: REPORT,
    text: "restOf(charge) > 0) return canceled;",
    replacement: "restOf(charge) > 0) return known;",
    tests: REFUND_TESTS,
  },
  {
    name: "pagarme-other-amount-registered",
    file: PROVIDER,
    text: " || found.amount !== order.amount",
    replacement: "",
    tests: CREATE_TESTS,
  },
  {
    name: "pagarme-capture-beyond-authorized",
    file: PROVIDER,
    text: "return amount <= charge.amount\n",
    replacement: "return amount > 0\n",
    tests: STATE_TESTS,
  },
  {
    name: "pagarme-key-trusted-too-long",
    file: REFUNDS,
    text: "if (age < KEY_KEPT_MS) return true;",
    replacement: "if (age < KEY_FORGOTTEN_MS) return true;",
    tests: REFUND_TESTS,
  },
  {
    name: "pagarme-refund-sent-anew-though-done",
    file: REFUNDS,
    text: "age >= KEY_FORGOTTEN_MS && isUntouched",
    replacement: "age >= KEY_FORGOTTEN_MS",
    tests: REFUND_TESTS,
  },
  {
    name: "pagarme-refund-cancels-unpaid",
    file: REFUNDS,
    text: " && (paidAmountOf(charge) ?? 0) > 0;",
    replacement: ";",
    tests: REFUND_TESTS,
  },
  {
    name: "pagarme-refund-refusal-believed",
    file: REFUNDS,
    text: " || isBack(ref, order, now.charge)) return UNKNOWN;",
    replacement: ") return UNKNOWN;",
    tests: REFUND_TESTS,
  },
  {
    name: "pagarme-refund-sent-beside-one-without-an-end",
    file: REFUNDS,
    text: "known === null && order.sentBefore !== undefined",
    replacement: "known === null && order.sentBefore === null",
    tests: REFUND_TESTS,
  },
  {
    name: "pagarme-waiting-refund-done",
    file: REFUNDS,
    text: "return isSettled(charge) && (charge.canceled_amount",
    replacement: "return (charge.canceled_amount",
    tests: REFUND_TESTS,
  },
  {
    name: "retry-one-too-many",
    file: RETRIES,
    text: "counted[attempts - 1]",
    replacement: "counted[attempts]",
    tests: RETRY_TESTS,
  },
  {
    name: "retry-advice-of-any-amount",
    file: RETRIES,
    text: " && amount === next && ",
    replacement: " && ",
    tests: RETRY_TESTS,
  },
  {
    name: "pagarme-merchant-repeat-unmarked",
    file: REQUEST,
    text: 'saved !== null && card.initiatedBy === "merchant"',
    replacement: "false",
    tests: SAVED_TESTS,
  },
  {
    name: "pagarme-refused-card-saved",
    file: REPORT,
    text: "const savedCard = isCharged ? savedCardOf(charge) : null;",
    replacement: "const savedCard = savedCardOf(charge);",
    tests: SAVED_TESTS,
  },
  {
    name: "pagarme-kept-card-deleted",
    file: PROVIDER,
    text: 'if (kept.some((each) => walletCard(each).cardId === cardId)) return { kind: "deleted" };',
    replacement: "",
    tests: SAVED_TESTS,
  },
  {
    name: "pagarme-lost-deletion-done",
    file: PROVIDER,
    text: 'return kind === "ok" || kind === "not_found" ? { kind: "deleted" } : UNKNOWN;',
    replacement: 'return { kind: "deleted" };',
    tests: SAVED_TESTS,
  },
  {
    name: "saved-card-charged-elsewhere",
    file: "src/api/transactions/card-accounts.ts",
    text: "if (saved !== null) return saved;",
    replacement: "",
    tests: CARD_TESTS,
  },
  {
    name: "page-token-charged-elsewhere",
    file: "src/api/transactions/card-accounts.ts",
    text: "return routes.find(({ account }) => account === made) ?? routes[0];",
    replacement: "return routes[0];",
    tests: CARD_TESTS,
  },
];
