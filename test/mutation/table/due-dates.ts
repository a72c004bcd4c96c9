import type { Mutant } from "../mutant.ts";

const EFI = "src/providers/efi-cobrancas/due-dates.ts";
const REQUESTS = "src/api/transactions/due-date.ts";
const RULES = "src/methods/boleto/request.ts";
const CHANGES = "src/company/operations/due-dates.ts";
const COMMANDS = "src/company/operations/operation-commands.ts";
const EFI_TESTS = ["test/unit/providers/efi-cobrancas/due-dates.test.ts"];
const DUE_DATE_TESTS = ["test/worker/api/transactions/due-date.test.ts"];

const ENDS_TESTS = ["test/worker/api/transactions/due-date-ends.test.ts"];

/** Other due dates of boletos: what their house has, beside payments, cancels and ends. */
export const dueDateMutants: Mutant[] = [
  {
    name: "efi-due-date-sent-again-where-efi-has-it",
    file: EFI,
    text: "if (billet.expire_at === order.boleto.dueDate) {",
    replacement: "if (false) {",
    tests: EFI_TESTS,
  },
  {
    name: "efi-due-date-of-any-status",
    file: EFI,
    text: "CHANGEABLE.has(about.status)",
    replacement: "true",
    tests: EFI_TESTS,
  },
  {
    name: "efi-due-date-refused-by-an-error-of-efis-own",
    file: EFI,
    text: "REFUSALS.has(meaningOf(answer.code))",
    replacement: "true",
    tests: EFI_TESTS,
  },
  {
    name: "efi-due-date-unknown-where-the-account-has-no-right",
    file: EFI,
    text: '["refused", "wrong_state", "no_right"]',
    replacement: '["refused", "wrong_state"]',
    tests: EFI_TESTS,
  },
  {
    name: "efi-due-date-with-the-line-of-the-earlier-day",
    file: "src/providers/efi-cobrancas/creation.ts",
    text: "verdict.content.dueDate !== day || verdict.content.amount !== amount",
    replacement: "verdict.content.amount !== amount",
    tests: EFI_TESTS,
  },
  {
    name: "efi-due-date-new-pix-code-not-remembered",
    file: "src/providers/efi-cobrancas/creation.ts",
    text: "pixTxid !== ref.pixTxid",
    replacement: "ref.pixTxid === undefined",
    tests: EFI_TESTS,
  },
  {
    name: "due-date-refusal-of-a-repeat-final-at-once",
    file: REQUESTS,
    text: 'claimed.kind === "send" || claimed.refusalIsFinal',
    replacement: "true",
    tests: DUE_DATE_TESTS,
  },
  {
    name: "due-date-today",
    file: RULES,
    text: "if (dueDate <= today)",
    replacement: "if (dueDate < today)",
    tests: DUE_DATE_TESTS,
  },
  {
    name: "due-date-before-the-discounts-day",
    file: RULES,
    text: "discount !== null && dueDate < discount.untilDate",
    replacement: "false",
    tests: DUE_DATE_TESTS,
  },
  {
    name: "due-date-end-of-the-earlier-day",
    file: CHANGES,
    text: ".slice(Math.max(0, last))",
    replacement: ".slice(last + 1)",
    tests: ENDS_TESTS,
  },
  {
    name: "due-date-end-while-it-may-be-changed",
    file: CHANGES,
    text: "return boleto?.expiresAt ?? expiresAt ?? endOfDay(addDays(to, PAYABLE_DAYS));",
    replacement:
      "return boleto?.expiresAt ?? 0 * endOfDay(addDays(to, expiresAt ?? PAYABLE_DAYS));",
    tests: ENDS_TESTS,
  },
  {
    name: "due-date-that-failed-outlasts-a-later-change",
    file: CHANGES,
    text: ".slice(Math.max(0, last))",
    replacement: "",
    tests: ENDS_TESTS,
  },
  {
    name: "due-date-without-an-answer-never-ends",
    file: CHANGES,
    text: "dueDate !== null && endsAt(dueDate) > nowMs",
    replacement: "dueDate !== null",
    tests: ENDS_TESTS,
  },
  {
    name: "due-date-of-the-release-before-ends-at-once",
    file: CHANGES,
    text: "expiresAt ?? endOfDay(addDays(to, PAYABLE_DAYS))",
    replacement: "expiresAt ?? 0 * endOfDay(addDays(to, PAYABLE_DAYS))",
    tests: ["test/unit/company/operations/due-dates.test.ts"],
  },
  {
    name: "due-date-without-an-answer-blocks-a-cancel",
    file: COMMANDS,
    text: 'kind === "cancel" && open?.kind === "due_date" && open.leaseUntil <= nowMs',
    replacement: "false",
    tests: ENDS_TESTS,
  },
  {
    name: "due-date-under-way-gives-way-to-a-cancel",
    file: COMMANDS,
    text: 'kind === "cancel" && open?.kind === "due_date" && open.leaseUntil <= nowMs',
    replacement: 'kind === "cancel" && open?.kind === "due_date"',
    tests: ENDS_TESTS,
  },
  {
    name: "due-date-goes-on-beside-the-cancel-that-took-its-place",
    file: COMMANDS,
    text: 'if (open !== null) this.#results.book(open, { kind: "failed", reason: CANCELLED }, nowMs);',
    replacement: "",
    tests: ENDS_TESTS,
  },
  {
    name: "due-date-beside-a-cancel",
    file: "src/company/operations/operation-store.ts",
    text: '["cancel", "capture", "due_date"] as const',
    replacement: '["cancel", "capture"] as const',
    tests: DUE_DATE_TESTS,
  },
  {
    name: "due-date-joins-a-change-to-another-day",
    file: COMMANDS,
    text: "open.dueDate?.to === dueDate?.to",
    replacement: "true",
    tests: DUE_DATE_TESTS,
  },
  {
    name: "due-date-key-not-replayed-once-the-day-has-passed",
    file: COMMANDS,
    text: 'const replay = this.#replay("due_date", command, nowMs) ?? this.#usage.refusal(command, nowMs);\n    if (replay !== null) return replay;\n    const charge = this.#charges.findOrInitial(command.terms, nowMs);\n    const { status } = charge;\n    if (status !== "waiting_payment")',
    replacement:
      'if (!command.isPossible) return { kind: "not_possible" };\n    const replay = this.#replay("due_date", command, nowMs) ?? this.#usage.refusal(command, nowMs);\n    if (replay !== null) return replay;\n    const charge = this.#charges.findOrInitial(command.terms, nowMs);\n    const { status } = charge;\n    if (status !== "waiting_payment")',
    tests: DUE_DATE_TESTS,
  },
  {
    name: "due-date-of-a-paid-boleto",
    file: COMMANDS,
    text: 'if (status !== "waiting_payment") return { kind: "not_allowed", status };',
    replacement: "",
    tests: DUE_DATE_TESTS,
  },
  {
    name: "due-date-amount-of-the-earlier-day-unexpected",
    file: "src/api/transactions/sync.ts",
    text: "account.dueDatesOf(row.id)",
    replacement: "account.dueDatesOf(row.id).then(() => [] as string[])",
    tests: DUE_DATE_TESTS,
  },
  {
    name: "due-date-in-the-object-only",
    file: "src/company/operations/operation-results.ts",
    text: "this.#transitions.apply(charge, { boleto }, cause, null, nowMs);",
    replacement: "this.#transitions.apply(charge, {}, cause, null, nowMs);",
    tests: DUE_DATE_TESTS,
  },
  {
    name: "due-date-older-one-written-over-a-newer",
    file: "src/db/projection/projected-rows.ts",
    text: ".where(and(isCharge, sql`boleto IS NOT NULL`, not(isOlder)))",
    replacement: ".where(and(isCharge, sql`boleto IS NOT NULL`))",
    tests: ["test/worker/db/projection/changed-boletos.test.ts"],
  },
  {
    name: "due-date-of-a-restored-object-written-over-a-later",
    file: "src/db/projection/projected-rows.ts",
    text: "sql`iif(${isLost}, ${kept}, ${boletoWith(changed, since)})`",
    replacement: "boletoWith(changed, since)",
    tests: ["test/worker/db/projection/changed-boletos.test.ts"],
  },
  {
    name: "due-date-that-a-restored-object-lost-called-a-difference",
    file: "src/db/projection/projection-diff.ts",
    text: "boleto !== null && projected <= boletoVersion(boleto, state.version)",
    replacement: "boleto !== null",
    tests: ["test/worker/db/projection/changed-boletos.test.ts"],
  },
  {
    name: "due-dates-of-an-older-object-stop-its-payment",
    file: "src/api/payments/call-newer.ts",
    text: "if (!isCallUnknown(error)) throw error;",
    replacement: "throw error;",
    tests: ["test/worker/company-client/other-release-due-dates.test.ts"],
  },
  {
    name: "due-date-absent-of-an-older-object-taken-as-one",
    file: "src/db/projection/projection-diff.ts",
    text: "mendedBoleto(snapshot.boleto ?? null, ",
    replacement: "mendedBoleto(snapshot.boleto as null, ",
    tests: ["test/worker/company-client/other-release-due-dates.test.ts"],
  },
];
