import type { Mutant } from "../mutant.ts";

const CREATION = "src/providers/efi-cobrancas/creation.ts";
const CHARGES = "src/providers/efi-cobrancas/charges.ts";
const REFS = "src/providers/efi-cobrancas/refs.ts";
const REMEMBER = "src/api/operator/restore/remember.ts";
const REPORT = "src/providers/efi-cobrancas/charge-report.ts";
const PROVIDER = "src/providers/efi-cobrancas/provider.ts";
const REFUNDS = "src/providers/efi-cobrancas/refunds.ts";
const TERMS = "src/providers/efi-cobrancas/terms.ts";
const CREATION_TESTS = ["test/unit/providers/efi-cobrancas/creation.test.ts"];
const PAYMENT_TESTS = ["test/unit/providers/efi-cobrancas/payments.test.ts"];
const REFUND_TESTS = ["test/unit/providers/efi-cobrancas/refunds.test.ts"];
const FAULT_TESTS = ["test/unit/providers/efi-cobrancas/order-faults.test.ts"];

/** Efí Cobranças: two steps, refunds without an id, boletos that are told twice. */
export const efiCobrancasMutants: Mutant[] = [
  {
    name: "efi-forgotten-refund-taken-as-another-ones",
    file: REPORT,
    text: 'status: "DONE", isSum: true }',
    replacement: 'status: "DONE" }',
    tests: REFUND_TESTS,
  },
  {
    name: "efi-chargeback-takes-what-a-refund-gave-back",
    file: REPORT,
    text: "left - refund.amount",
    replacement: "left",
    tests: REFUND_TESTS,
  },
  {
    name: "efi-chargeback-of-nothing-lost",
    file: REPORT,
    text: "const lost = rest > 0 ?",
    replacement: "const lost = rest >= 0 ?",
    tests: REFUND_TESTS,
  },
  {
    name: "efi-restored-chargeback-forgotten",
    file: REMEMBER,
    text: "await rememberDispute(refsOf(charge.account), chargeId, { ...dispute, status });",
    replacement: "",
    tests: ["test/worker/providers/efi-cobrancas/whole-way.test.ts"],
  },
  {
    name: "efi-restored-chargeback-over-a-later-one",
    file: REFS,
    text: "return number < (known.chargebacks ?? 0) ? known",
    replacement: "return number < 0 ? known",
    tests: ["test/unit/providers/efi-cobrancas/refs.test.ts"],
  },
  {
    name: "efi-restored-pix-of-a-boleto-forgotten",
    file: REMEMBER,
    text: "await rememberBoleto(refsOf(account), chargeId, registered, isBooked);",
    replacement: "",
    tests: ["test/worker/providers/efi-cobrancas/told-twice.test.ts"],
  },
  {
    name: "efi-restored-boleto-paid-another-way",
    file: "src/providers/efi-cobrancas/remember.ts",
    text: "if (paidBy !== undefined) await remembered.addSeen(chargeId, { paidBy });",
    replacement: "",
    tests: ["test/worker/providers/efi-cobrancas/told-twice.test.ts"],
  },
  {
    name: "efi-cards-listed-once-credited",
    file: CHARGES,
    text: 'type === "card" ? "creation" : "payment"',
    replacement: '"payment"',
    tests: PAYMENT_TESTS,
  },
  {
    name: "efi-lost-charge-not-looked-for",
    file: CREATION,
    text: "if (stored !== null || mayBeForgotten",
    replacement: "if (stored?.efiId !== undefined || mayBeForgotten",
    tests: CREATION_TESTS,
  },
  {
    name: "efi-unknown-look-up-makes-another-charge",
    file: CREATION,
    text: 'if (found.kind === "unknown") return UNKNOWN;',
    replacement: "",
    tests: CREATION_TESTS,
  },
  {
    name: "efi-charge-id-not-stored-before-it-is-paid",
    file: CREATION,
    text: "const settled = await this.#refs.settle(chargeId, { ...ref, efiId });",
    replacement: "const settled = { ...ref, efiId };",
    tests: CREATION_TESTS,
  },
  {
    name: "efi-two-creates-at-once-pay-two-charges",
    file: REFS,
    text: "const made = isFirst ?",
    replacement: "const made = isFirst || efiId > 0 ?",
    tests: CREATION_TESTS,
  },
  {
    name: "efi-forgotten-charge-made-anew",
    file: CREATION,
    text: " || mayBeForgotten(chargeId, this.#clock.now())",
    replacement: "",
    tests: CREATION_TESTS,
  },
  {
    name: "efi-inert-charge-found-beside-the-payable-one",
    file: CHARGES,
    text: "payable.size === 1 ? payable :",
    replacement: "payable.size === 2 ? payable :",
    tests: CREATION_TESTS,
  },
  {
    name: "efi-card-charged-again-without-a-look-up",
    file: CREATION,
    text: 'if (after !== "undecided") return after;',
    replacement: "",
    tests: CREATION_TESTS,
  },
  {
    name: "efi-boleto-of-other-terms-shown",
    file: CREATION,
    text: "if (!sameFine || !sameInterest) return null;",
    replacement: "",
    tests: CREATION_TESTS,
  },
  {
    name: "efi-charge-of-another-custom-id-believed",
    file: CHARGES,
    text: "read.data.charge_id !== ref.efiId || !names(read.data, chargeId)",
    replacement: "read.data.charge_id !== ref.efiId",
    tests: PAYMENT_TESTS,
  },
  {
    name: "efi-second-charge-of-one-order-credited",
    file: CHARGES,
    text: 'if (read.data.id !== ref.efiId) return missed("id: Not the charge that was registered");',
    replacement: "",
    tests: PAYMENT_TESTS,
  },
  {
    name: "efi-boleto-credited-by-what-was-asked",
    file: REPORT,
    text: "paid?.paid_value ?? seen.told?.value ?? 0",
    replacement: "ref.amount",
    tests: PAYMENT_TESTS,
  },
  {
    name: "efi-settled-by-hand-is-money",
    file: REPORT,
    text: "return settledByHand(about);",
    replacement: "return paidReport(about, nowMs);",
    tests: PAYMENT_TESTS,
  },
  {
    name: "efi-way-of-payment-changes-its-id",
    file: REPORT,
    text: "if (seen.paidBy !== undefined) return seen.paidBy;",
    replacement: "",
    tests: PAYMENT_TESTS,
  },
  {
    name: "efi-lost-chargeback-is-a-refund-too",
    file: REPORT,
    text: 'if (status !== "refunded" || isContested(about)) return ours;',
    replacement: 'if (status !== "refunded") return ours;',
    tests: PAYMENT_TESTS,
  },
  {
    name: "efi-won-chargeback-lost-by-a-refund",
    file: REPORT,
    text: " && seen.won !== true)",
    replacement: ")",
    tests: PAYMENT_TESTS,
  },
  {
    name: "efi-second-chargeback-won-before",
    file: CHARGES,
    text: "{ chargebacks: known + (isOpen ? 0 : 1), won: false }",
    replacement: "{ chargebacks: known + (isOpen ? 0 : 1) }",
    tests: PAYMENT_TESTS,
  },
  {
    name: "efi-failed-refund-holds-the-next-one-up",
    file: REFUNDS,
    text: "!failedBefore.includes(refundId)",
    replacement: "true || failedBefore",
    tests: REFUND_TESTS,
  },
  {
    name: "efi-refund-not-written-down-before-it-is-sent",
    file: PROVIDER,
    text: "if (!(await refs.swapRefund(refundId, known, { amount, sentAt }))) return PROCESSING;",
    replacement: "",
    tests: REFUND_TESTS,
  },
  {
    name: "efi-refund-sent-by-two-calls-at-once",
    file: PROVIDER,
    text: "if (!(await refs.swapRefunds(chargeId, refunds, sent))) return PROCESSING;",
    replacement: "await refs.swapRefunds(chargeId, refunds, sent);",
    tests: REFUND_TESTS,
  },
  {
    name: "efi-part-that-may-have-gone-back-sent-again",
    file: REFUNDS,
    text: "isUnanswered && isWhole &&",
    replacement: "isUnanswered &&",
    tests: REFUND_TESTS,
  },
  {
    name: "efi-refund-sent-again-within-a-day",
    file: REFUNDS,
    text: "(sent?.sentAt ?? 0) + DAY_MS;",
    replacement: "(sent?.sentAt ?? 0);",
    tests: REFUND_TESTS,
  },
  {
    name: "efi-refund-that-shows-sent-again",
    file: REFUNDS,
    text: " && !history.some(isOfRefund);",
    replacement: ";",
    tests: REFUND_TESTS,
  },
  {
    name: "efi-refusal-of-a-repeated-refund-believed",
    file: PROVIDER,
    text: ' || meaning === "unknown" || isRepeat) return UNKNOWN;',
    replacement: ' || meaning === "unknown") return UNKNOWN;',
    tests: REFUND_TESTS,
  },
  {
    name: "efi-forgotten-refund-sent-again",
    file: PROVIDER,
    text: "const isForgotten = ref === null && (await this.#refs.mayBeLost());",
    replacement: "const isForgotten = false;",
    tests: REFUND_TESTS,
  },
  {
    name: "efi-payment-of-another-id-found",
    file: PROVIDER,
    text: "payments.find((each) => each.paymentId === paymentId)",
    replacement: "payments[0]",
    tests: PAYMENT_TESTS,
  },
  {
    name: "efi-refund-sent-before-the-money-is-credited",
    file: REFUNDS,
    text: 'if (status === "approved") return { kind: "processing" };',
    replacement: 'if (status === "approved") return null;',
    tests: REFUND_TESTS,
  },
  {
    name: "efi-second-refund-sent-beside-the-first",
    file: REFUNDS,
    text: "nowMs < sentAt + APART_MS || !isGivenBack(about, refundId)",
    replacement: "nowMs < sentAt + APART_MS",
    tests: REFUND_TESTS,
  },
  {
    name: "efi-interest-rounded",
    file: TERMS,
    text: "if (Number.isInteger(daily) && daily <= DAILY_INTEREST_MAX)",
    replacement: "if (daily <= DAILY_INTEREST_MAX)",
    tests: FAULT_TESTS,
  },
  {
    name: "boleto-pix-credited-beside-its-charge",
    file: "src/api/payments/boleto-pix.ts",
    text: "if (ref === null) return listed;",
    replacement: "if (id !== ref) return listed;",
    tests: ["test/worker/providers/efi-cobrancas/told-twice.test.ts"],
  },
  {
    name: "efi-paid-charge-called-cancelled-told-to-nobody",
    file: "src/api/transactions/sync.ts",
    text: "isOfPaid && account !== undefined",
    replacement: "false",
    tests: ["test/worker/providers/efi-cobrancas/whole-way.test.ts"],
  },
];
