import type { Mutant } from "../mutant.ts";

const EFI_CLIENT = "src/providers/efi-cobrancas/client.ts";
const EFI_NOTICES = "src/providers/efi-cobrancas/notifications.ts";
const SERVICE = "src/api/provider-callbacks/service.ts";
const CALLBACKS = "src/db/reconciliation/callbacks.ts";
const PAGARME_CLIENT = "src/providers/pagarme/client.ts";
const DESK = "src/providers/pix-api/disputes/desk.ts";
const EFI_DESK = "src/providers/pix-api/disputes/efi-desk.ts";
const TOKENISER = "src/pages/payment-link/tokeniser-script.ts";
const ABECS = "src/domain/cards/abecs.ts";
const EFI_CLIENT_TESTS = ["test/unit/providers/efi-cobrancas/client.test.ts"];
const EFI_NOTICE_TESTS = ["test/unit/providers/efi-cobrancas/notices.test.ts"];
const CALLBACK_TESTS = ["test/worker/api/provider-callbacks/houses.test.ts"];
const EFI_FAULT_TESTS = ["test/unit/providers/efi-cobrancas/order-faults.test.ts"];
const PAGARME_CLIENT_TESTS = ["test/unit/providers/pagarme/client.test.ts"];
const DESK_TESTS = ["test/worker/providers/pix-api/dispute-desk.test.ts"];
const EFI_DESK_TESTS = ["test/worker/providers/pix-api/efi-desk.test.ts"];
const TOKENISER_TESTS = ["test/unit/pages/payment-link/tokeniser.test.ts"];
const ABECS_TESTS = ["test/unit/domain/cards/abecs.test.ts"];

/** What houses say on the wire, and what is sent to them: calls, notices, desks, a browser's tokens, codes. */
export const houseClientMutants: Mutant[] = [
  {
    name: "efi-error-with-200-is-a-success",
    file: EFI_CLIENT,
    text: "if (isSuccess && Success.safeParse(body).success)",
    replacement: "if (isSuccess)",
    tests: EFI_CLIENT_TESTS,
  },
  {
    name: "efi-page-with-401-keeps-its-token",
    file: EFI_CLIENT,
    text: "if (answer.status === 401) return true;",
    replacement: "",
    tests: EFI_CLIENT_TESTS,
  },
  {
    name: "efi-used-up-endpoint-called-again",
    file: EFI_CLIENT,
    text: 'if ((exhausted.get(endpoint) ?? 0) > clock.now()) return { kind: "unknown" };',
    replacement: "",
    tests: EFI_CLIENT_TESTS,
  },
  {
    name: "efi-quota-used-up-for-ever",
    file: EFI_CLIENT,
    text: "exhausted.set(endpoint, startOfNextDay(clock.now()));",
    replacement: "exhausted.set(endpoint, Infinity);",
    tests: EFI_CLIENT_TESTS,
  },
  {
    name: "efi-quota-is-a-word-that-nobody-knows",
    file: "src/providers/efi-cobrancas/problems.ts",
    text: 'quota: ["3500049", "3500055"],',
    replacement: 'quota: ["3500055"],',
    tests: EFI_CLIENT_TESTS,
  },
  {
    name: "efi-any-code-is-200",
    file: "src/providers/efi-cobrancas/wire.ts",
    text: 'z.object({ code: Code.refine((code) => code === "200") }),',
    replacement: "z.object({ code: Code }),",
    tests: EFI_CLIENT_TESTS,
  },
  {
    name: "efi-notice-of-another-charge-of-one-order-believed",
    file: EFI_NOTICES,
    text: "ref.efiId === undefined || ref.efiId === identifiers.charge_id,",
    replacement: "identifiers !== null,",
    tests: EFI_NOTICE_TESTS,
  },
  {
    name: "later-notice-of-one-token-shares-its-attempts",
    file: CALLBACKS,
    text: ".set({ attempts: 0, dueAt: sql`min(due_at, ${dueAt})`, receivedAt })",
    replacement: ".set({ receivedAt })",
    tests: CALLBACK_TESTS,
  },
  {
    name: "notice-that-came-meanwhile-ends-with-the-one-before",
    file: CALLBACKS,
    text: "sql`coalesce(told_at, 0) <= ${receivedAt ?? 0}`",
    replacement: "sql`coalesce(told_at, 0) >= ${receivedAt ?? 0}`",
    tests: CALLBACK_TESTS,
  },
  {
    name: "efi-notice-of-an-open-boleto-asked-about-for-a-day",
    file: SERVICE,
    text: 'isOpen && outcome === "nothing" ? "booked" : outcome',
    replacement: "outcome",
    tests: CALLBACK_TESTS,
  },
  {
    name: "efi-notice-of-a-payment-that-does-not-show-forgotten",
    file: SERVICE,
    text: 'isOpen && outcome === "nothing" ? "booked" : outcome',
    replacement: 'isOpen || outcome === "nothing" ? "booked" : outcome',
    tests: CALLBACK_TESTS,
  },
  {
    name: "efi-notice-read-by-its-first-state",
    file: EFI_NOTICES,
    text: "const last = own.at(-1);",
    replacement: "const last = own.at(0);",
    tests: EFI_NOTICE_TESTS,
  },
  {
    name: "efi-notice-that-cannot-be-read-is-of-nothing",
    file: EFI_NOTICES,
    text: 'meaning === "not_found" || meaning === "refused" ? "not_found" : "unknown"',
    replacement: '"not_found"',
    tests: EFI_NOTICE_TESTS,
  },
  {
    name: "efi-card-to-capture-later-is-captured-at-once",
    file: "src/providers/efi-cobrancas/charge-request.ts",
    text: 'if (!card.capture) yield ["card.capture", breaks("providerCannot")];',
    replacement: "",
    tests: EFI_FAULT_TESTS,
  },
  {
    name: "efi-another-page-than-was-asked-for-is-read",
    file: "src/providers/efi-cobrancas/lists.ts",
    text: " || read.data.params.pagination.page !== page + 1",
    replacement: "",
    tests: ["test/unit/providers/efi-cobrancas/lists.test.ts"],
  },
  {
    name: "efi-defence-sent-to-a-case-that-is-not-open",
    file: EFI_DESK,
    text: 'if (status !== "ABERTA") {',
    replacement: 'if (status === "CANCELADA_EFI") {',
    tests: EFI_DESK_TESTS,
  },
  {
    name: "efi-defence-sent-after-the-deadline",
    file: EFI_DESK,
    text: "if (deadline === null || nowMs <= deadline) return null;",
    replacement: "return null;",
    tests: EFI_DESK_TESTS,
  },
  {
    name: "efi-defence-sent-beside-another",
    file: EFI_DESK,
    text: 'if (hasText(defesa) || (status === "ABERTA" && hasText(recebimentoDefesa))) {',
    replacement: "if (hasText(defesa) && hasText(recebimentoDefesa)) {",
    tests: EFI_DESK_TESTS,
  },
  {
    name: "efi-defence-of-ours-sent-again",
    file: EFI_DESK,
    text: 'if (hasOurs(infraction, responseId) && known.kind !== "not_found") return known;',
    replacement: "",
    tests: EFI_DESK_TESTS,
  },
  {
    name: "efi-defence-without-an-answer-not-looked-up",
    file: EFI_DESK,
    text: 'if (found.kind !== "not_found") return found;',
    replacement: "",
    tests: EFI_DESK_TESTS,
  },
  {
    name: "efi-defence-sent-when-nobody-waits",
    file: EFI_DESK,
    text: "if (clock.now() - startedAt > PROVIDER_TIMEOUT_MS) return UNKNOWN;",
    replacement: "",
    tests: EFI_DESK_TESTS,
  },
  {
    name: "efi-cases-of-the-first-page-only",
    file: EFI_DESK,
    text: "if (!read.hasMore) return all;",
    replacement: "return all;",
    tests: EFI_DESK_TESTS,
  },
  {
    name: "efi-cases-since-a-day-after-the-payment",
    file: EFI_DESK,
    text: "(await this.#list(paidAt - DAY_MS)) ?? []",
    replacement: "(await this.#list(paidAt + DAY_MS)) ?? []",
    tests: EFI_DESK_TESTS,
  },
  {
    name: "efi-case-of-another-payment-defended",
    file: EFI_DESK,
    text: "if (idFieldsOf(entry).endToEndId !== endToEndId) continue;",
    replacement: "",
    tests: EFI_DESK_TESTS,
  },
  {
    name: "efi-accepted-claim-is-won",
    file: EFI_DESK,
    text: 'ACEITA: "refused",',
    replacement: 'ACEITA: "accepted",',
    tests: EFI_DESK_TESTS,
  },
  {
    name: "efi-defence-of-others-is-ours",
    file: EFI_DESK,
    text: "const isOthers = hasText(defesa) && !hasOurs(infraction, responseId);",
    replacement: "const isOthers = false;",
    tests: EFI_DESK_TESTS,
  },
  {
    name: "efi-case-that-is-not-listed-has-no-defence",
    file: EFI_DESK,
    text: "return infraction === null ? UNKNOWN : reportOf(infraction, sent.responseId);",
    replacement:
      'return infraction === null ? { kind: "not_found" } : reportOf(infraction, sent.responseId);',
    tests: EFI_DESK_TESTS,
  },
  {
    name: "efi-open-case-passed-over-for-the-last",
    file: EFI_DESK,
    text: `others.find(({ status }) => status === "ABERTA") ?? others.at(-1)`,
    replacement: "others.at(-1)",
    tests: EFI_DESK_TESTS,
  },
  {
    name: "pagarme-key-without-its-colon",
    file: PAGARME_CLIENT,
    text: "`${await this.#options.openSecret()}:`",
    replacement: "await this.#options.openSecret()",
    tests: PAGARME_CLIENT_TESTS,
  },
  {
    name: "pagarme-idempotency-key-left-out",
    file: PAGARME_CLIENT,
    text: '...(idempotencyKey === undefined ? {} : { "idempotency-key": idempotencyKey }),',
    replacement: "",
    tests: PAGARME_CLIENT_TESTS,
  },
  {
    name: "pagarme-outage-is-a-refusal",
    file: PAGARME_CLIENT,
    text: 'if (!REFUSALS.has(status)) return { kind: "unknown" };',
    replacement: "",
    tests: PAGARME_CLIENT_TESTS,
  },
  {
    name: "pagarme-notice-about-a-charge-passed-over",
    file: "src/providers/pagarme/callback.ts",
    text: "ourChargeId(order.code) ?? ourChargeId(code);",
    replacement: "ourChargeId(code);",
    tests: ["test/unit/providers/pagarme/callback.test.ts"],
  },
  {
    name: "pagarme-time-without-an-offset-believed",
    file: "src/providers/pagarme/wire.ts",
    text: "const Time = z.iso.datetime({ offset: true })",
    replacement: "const Time = z.iso.datetime({ offset: true, local: true })",
    tests: ["test/unit/providers/pagarme/states.test.ts"],
  },
  {
    name: "pagarme-saved-card-of-another-order-charged",
    file: "src/providers/pagarme/saved-card.ts",
    text: "    cardId: last?.card?.id,\n    chargeId: id,",
    replacement: "    cardId: last?.card?.id,\n    chargeId: `${id}0`,",
    tests: ["test/unit/providers/pagarme/saved-cards.test.ts"],
  },
  {
    name: "desk-answer-about-another-dossier-believed",
    file: DESK,
    text: " || read.data.id !== responseId",
    replacement: "",
    tests: DESK_TESTS,
  },
  {
    name: "desk-refusal-of-what-it-has-believed",
    file: DESK,
    text: 'if (found.kind !== "not_found") return found;',
    replacement: "",
    tests: DESK_TESTS,
  },
  {
    name: "tokeniser-error-with-200-is-a-token",
    file: TOKENISER,
    text: "answer.ok && typeof body.code",
    replacement: "!answer.ok && typeof body.code",
    tests: TOKENISER_TESTS,
  },
  {
    name: "tokeniser-busy-house-blames-the-card",
    file: TOKENISER,
    text: "status >= 500 || status === 429",
    replacement: "status >= 500",
    tests: TOKENISER_TESTS,
  },
  {
    name: "abecs-advice-of-any-brand",
    file: ABECS,
    text: 'brand === "mastercard" ?',
    replacement: 'brand !== "" ?',
    tests: ABECS_TESTS,
  },
  {
    name: "abecs-one-set-of-codes-for-all-brands",
    file: ABECS,
    text: 'brand === "american-express" ? AMEX_MEANINGS : MEANINGS',
    replacement: "MEANINGS",
    tests: ABECS_TESTS,
  },
];
