import type { Mutant } from "../mutant.ts";

const CARD_ATTEMPTS = "src/company/charges/card-attempts.ts";
const CARD_ATTEMPTS_TESTS = ["test/unit/company/charges/card-attempts.test.ts"];

/** Limits on the testing of cards. */
export const declineMutants: Mutant[] = [
  {
    name: "declines-ended-token-pending",
    file: "src/company/charges/charge-commands.ts",
    text: 'if (to === "failed") this.#cardAttempts.ended(charge.transactionId);',
    replacement: "",
    tests: ["test/worker/api/payment-links/house-cards.test.ts"],
  },
  {
    name: "declines-by-card-only",
    file: CARD_ATTEMPTS,
    text: "for (const by of DECLINE_KEYS)",
    replacement: 'for (const by of ["card"] as const)',
    tests: CARD_ATTEMPTS_TESTS,
  },
  {
    name: "declines-by-address-only",
    file: CARD_ATTEMPTS,
    text: "for (const by of DECLINE_KEYS)",
    replacement: 'for (const by of ["address", "payer"] as const)',
    tests: CARD_ATTEMPTS_TESTS,
  },
  {
    name: "declines-of-payers-uncounted",
    file: CARD_ATTEMPTS,
    text: "payer: pending?.payer ?? null",
    replacement: "payer: null",
    tests: CARD_ATTEMPTS_TESTS,
  },
  {
    name: "declines-one-too-many",
    file: CARD_ATTEMPTS,
    text: "declined.length + others.size < DECLINED_MAX",
    replacement: "declined.length + others.size <= DECLINED_MAX",
    tests: CARD_ATTEMPTS_TESTS,
  },
  {
    name: "declines-pending-uncounted",
    file: CARD_ATTEMPTS,
    text: "declined.length + others.size < DECLINED_MAX",
    replacement: "declined.length < DECLINED_MAX",
    tests: CARD_ATTEMPTS_TESTS,
  },
  {
    name: "declines-repeat-counted-twice",
    file: CARD_ATTEMPTS,
    text: " && each.attempt !== attempt;",
    replacement: ";",
    tests: CARD_ATTEMPTS_TESTS,
  },
  {
    name: "declines-of-links-close-the-api",
    file: CARD_ATTEMPTS,
    text: "const outcomes = [...this.#outcomes[source], { at: nowMs, declined }];\n    this.#outcomes[source] = outcomes",
    replacement:
      "const outcomes = [...this.#outcomes.api, { at: nowMs, declined }];\n    this.#outcomes.api = outcomes",
    tests: CARD_ATTEMPTS_TESTS,
  },
  {
    name: "declines-pending-of-links-close-the-api",
    file: CARD_ATTEMPTS,
    text: "each.source === source && each[by]",
    replacement: "each[by]",
    tests: CARD_ATTEMPTS_TESTS,
  },
  {
    name: "declines-approved-counted",
    file: CARD_ATTEMPTS,
    text: "if (!declined) return null;",
    replacement: "",
    tests: CARD_ATTEMPTS_TESTS,
  },
  {
    name: "declines-pending-for-ever",
    file: CARD_ATTEMPTS,
    text: "if (isOther && each.until > nowMs)",
    replacement: "if (isOther)",
    tests: CARD_ATTEMPTS_TESTS,
  },
  {
    name: "declines-pending-never-ends",
    file: CARD_ATTEMPTS,
    text: "    this.#pending.delete(transactionId);\n    const declined",
    replacement: "    const declined",
    tests: CARD_ATTEMPTS_TESTS,
  },
  {
    name: "declines-all-of-a-source-unlimited",
    file: CARD_ATTEMPTS,
    text: 'if (freeAt !== null) return { kind: "exceeded", scope: "all", retryAt: freeAt };',
    replacement: "",
    tests: CARD_ATTEMPTS_TESTS,
  },
  {
    name: "declines-card-as-sent-forgotten",
    file: CARD_ATTEMPTS,
    text: "card: card ?? pending?.card ?? null",
    replacement: "card",
    tests: CARD_ATTEMPTS_TESTS,
  },
  {
    name: "declines-address-as-sent-forgotten",
    file: CARD_ATTEMPTS,
    text: "address: address ?? pending?.address ?? null",
    replacement: "address",
    tests: CARD_ATTEMPTS_TESTS,
  },
  {
    name: "declines-source-never-free",
    file: CARD_ATTEMPTS,
    text: "this.#outcomes[source].filter(({ at }) => at > nowMs - HOUR_MS);",
    replacement: "this.#outcomes[source];",
    tests: CARD_ATTEMPTS_TESTS,
  },
  {
    name: "declines-pending-unbounded",
    file: CARD_ATTEMPTS,
    text: "if (this.#pending.size > PENDING_MAX && oldest !== undefined)",
    replacement: "if (this.#pending.size > PENDING_MAX * 2 && oldest !== undefined)",
    tests: CARD_ATTEMPTS_TESTS,
  },
];
