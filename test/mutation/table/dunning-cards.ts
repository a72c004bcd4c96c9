import type { Mutant } from "../mutant.ts";

const OFFERS = "src/domain/subscriptions/dunning/offers.ts";
const CARD = "src/api/subscriptions/charges/saved-card.ts";
const UNIT = ["test/unit/domain/subscriptions/dunning-offers.test.ts"];
const STORIES = ["test/worker/api/subscriptions/dunning-cards.test.ts"];

const STOPPED = ["test/worker/api/subscriptions/dunning-cards-stopped.test.ts"];
const DUNNING = "src/domain/subscriptions/dunning.ts";

/** What the saved card of a dunning is charged for, and when. */
export const dunningCardMutants: Mutant[] = [
  {
    name: "dunning-card-charged-beside-a-debit",
    file: OFFERS,
    text: `return !isDebited && subscription.status !== "paused"`,
    replacement: `return subscription.status !== "paused"`,
    tests: UNIT,
  },
  {
    name: "dunning-card-charged-in-a-pause",
    file: OFFERS,
    text: `!isDebited && subscription.status !== "paused" && isDunned`,
    replacement: "!isDebited && isDunned",
    tests: UNIT,
  },
  {
    name: "dunning-card-charged-before-its-brand-allows",
    file: OFFERS,
    text: "Math.max(nextChargeAt(cycle), Date.parse(retryNotBefore))",
    replacement: "nextChargeAt(cycle)",
    tests: UNIT,
  },
  {
    name: "dunning-card-charged-after-a-final-refusal",
    file: OFFERS,
    text: " || !refusal.retryable",
    replacement: "",
    tests: UNIT,
  },
  {
    name: "dunning-card-charged-without-attempts-left",
    file: OFFERS,
    text: "attemptsLeft === 0 ? null : nextChargeAt(cycle)",
    replacement: "nextChargeAt(cycle)",
    tests: UNIT,
  },
  {
    name: "dunning-card-charged-for-ever",
    file: OFFERS,
    text: "at !== null && at < since + policy.days * DAY_MS ? at : null",
    replacement: "at",
    tests: UNIT,
  },
  {
    name: "dunning-undecided-card-not-waited-for",
    file: OFFERS,
    text: "isByHandUnmade(cycle) || isCardOpen(cycle)",
    replacement: "isByHandUnmade(cycle)",
    tests: UNIT,
  },
  {
    name: "dunning-card-told-as-a-link",
    file: OFFERS,
    text: "byHand?.isMade === true && !isOfSavedCard(byHand)",
    replacement: "byHand?.isMade === true",
    tests: STORIES,
  },
  {
    name: "dunning-card-sent-against-its-brand",
    file: CARD,
    text: "if (refused !== null) return refused;",
    replacement: "",
    tests: STORIES,
  },
  {
    name: "dunning-card-charged-after-its-cycle-is-stopped",
    file: CARD,
    text: `if (!(await isStillWanted(context, about))) return { kind: "not_made" };`,
    replacement: "",
    tests: STOPPED,
  },
  {
    name: "dunning-card-charged-for-a-cycle-paid-meanwhile",
    file: CARD,
    text: " || current.isPaid",
    replacement: "",
    tests: STOPPED,
  },
  {
    name: "dunning-card-sent-again-after-its-cycle-is-stopped",
    file: CARD,
    text: " === null &&\n    (await isStillWanted(context, about));",
    replacement: " === null;",
    tests: STOPPED,
  },
  {
    name: "dunning-card-called-the-payers-act",
    file: CARD,
    text: `initiatedBy: "merchant"`,
    replacement: `initiatedBy: "payer"`,
    tests: STORIES,
  },
  {
    name: "dunning-card-sent-again-unasked",
    file: CARD,
    text: "if (known !== null) return resumeSavedCard(context, about, known);",
    replacement: "",
    tests: STORIES,
  },
  {
    name: "dunning-deleted-card-waited-for",
    file: CARD,
    text: `if (saved === null) return skipped("deleted");`,
    replacement: `if (saved === null) return { kind: "unknown" };`,
    tests: STORIES,
  },
  {
    name: "dunning-card-beside-a-retry",
    file: "src/company/subscriptions/cycle-commands.ts",
    text: "are ordered.\n      if (this.#isCardOpen(cycle))",
    replacement: "are ordered.\n      if (false)",
    tests: STORIES,
  },
  {
    name: "dunning-card-counted-as-by-hand",
    file: "src/company/subscriptions/cycle-payments.ts",
    text: `isOfCard ? "card" : "hand"`,
    replacement: `"hand"`,
    tests: STORIES,
  },
  {
    name: "dunning-ends-before-a-bank-tells-of-its-boleto",
    file: DUNNING,
    text: "isToldLate ? Math.max(endsAt, boletoToldUntil(dunning.since, policy.days)) : endsAt",
    replacement: "endsAt",
    tests: UNIT,
  },
  {
    name: "dunning-boleto-waited-for-a-day-too-few",
    file: DUNNING,
    text: "const BOLETO_TOLD_DAYS = 2;",
    replacement: "const BOLETO_TOLD_DAYS = 1;",
    tests: UNIT,
  },
  {
    name: "dunning-boleto-made-again-after-its-last-day",
    file: OFFERS,
    text: " || isUsedUp(subscription, cycle)",
    replacement: "",
    tests: ["test/worker/api/subscriptions/dunning-boletos.test.ts"],
  },
  {
    name: "dunning-boleto-waited-for",
    file: "src/api/subscriptions/charges/beside-debit.ts",
    text: `new Set([wanted, "PIX" as const])`,
    replacement: "[wanted]",
    tests: STORIES,
  },
];
