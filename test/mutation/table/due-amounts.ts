import type { Mutant } from "../mutant.ts";

const AMOUNTS_DUE = "src/methods/terms/amounts-due.ts";
const AMOUNTS_DUE_TESTS = ["test/unit/methods/terms/amounts-due.test.ts"];

/** What a payer's bank can rightly have computed. */
export const dueAmountMutants: Mutant[] = [
  {
    name: "due-ordered-before-midnight-refused",
    file: AMOUNTS_DUE,
    text: ", saoPauloDay(paidAt - HELD_MAX_MS)]",
    replacement: "]",
    tests: AMOUNTS_DUE_TESTS,
  },
  {
    name: "due-held-for-a-day",
    file: AMOUNTS_DUE,
    text: "const HELD_MAX_MS = 60 * 60_000;",
    replacement: "const HELD_MAX_MS = 24 * 60 * 60_000;",
    tests: AMOUNTS_DUE_TESTS,
  },
  {
    name: "due-local-holidays-unknown",
    file: AMOUNTS_DUE,
    text: "const LOCAL_HOLIDAYS_MAX = 2;",
    replacement: "const LOCAL_HOLIDAYS_MAX = 0;",
    tests: AMOUNTS_DUE_TESTS,
  },
  {
    name: "due-one-local-holiday-more",
    file: AMOUNTS_DUE,
    text: "const LOCAL_HOLIDAYS_MAX = 2;",
    replacement: "const LOCAL_HOLIDAYS_MAX = 3;",
    tests: AMOUNTS_DUE_TESTS,
  },
  {
    name: "due-one-local-holiday-fewer",
    file: AMOUNTS_DUE,
    text: "const LOCAL_HOLIDAYS_MAX = 2;",
    replacement: "const LOCAL_HOLIDAYS_MAX = 1;",
    tests: AMOUNTS_DUE_TESTS,
  },
  {
    name: "due-moved-to-a-weekend",
    file: AMOUNTS_DUE,
    text: "return span.filter((each) => !isWeekend(each));",
    replacement: "return span;",
    tests: AMOUNTS_DUE_TESTS,
  },
  {
    name: "due-interest-of-one-day-more",
    file: AMOUNTS_DUE,
    text: "daysBetween(movesAll ? dueDate : terms.dueDate, day) : 0",
    replacement: "daysBetween(movesAll ? dueDate : terms.dueDate, day) + 1 : 0",
    tests: AMOUNTS_DUE_TESTS,
  },
  {
    name: "due-fine-before-it-is-late",
    file: AMOUNTS_DUE,
    text: "fine === null || on.daysLate === 0 ? NOTHING",
    replacement: "fine === null ? NOTHING",
    tests: AMOUNTS_DUE_TESTS,
  },
  {
    name: "due-interest-from-first-due-date",
    file: AMOUNTS_DUE,
    text: "daysBetween(movesAll ? dueDate : terms.dueDate, day)",
    replacement: "daysBetween(terms.dueDate, day)",
    tests: AMOUNTS_DUE_TESTS,
  },
  {
    name: "due-discount-not-moved",
    file: AMOUNTS_DUE,
    text: "movesAll ? movedDates(discount.untilDate) : [discount.untilDate]",
    replacement: "[discount.untilDate]",
    tests: AMOUNTS_DUE_TESTS,
  },
  {
    name: "due-discount-over-on-its-day",
    file: AMOUNTS_DUE,
    text: "untilDate !== null && day <= untilDate",
    replacement: "untilDate !== null && day < untilDate",
    tests: AMOUNTS_DUE_TESTS,
  },
  {
    name: "due-any-higher-amount",
    file: AMOUNTS_DUE,
    text: "paid >= low && paid <= high",
    replacement: "paid >= low",
    tests: AMOUNTS_DUE_TESTS,
  },
  {
    name: "due-any-lower-amount",
    file: AMOUNTS_DUE,
    text: "paid >= low && paid <= high",
    replacement: "paid <= high",
    tests: AMOUNTS_DUE_TESTS,
  },
  {
    name: "due-percentage-only-cut",
    file: AMOUNTS_DUE,
    text: "high: divideUp(product, BASIS_POINTS)",
    replacement: "high: product / BASIS_POINTS",
    tests: AMOUNTS_DUE_TESTS,
  },
  {
    name: "due-interest-only-cut",
    file: AMOUNTS_DUE,
    text: "high: divideUp(days * divideUp(rate, whole), RATE_DECIMALS)",
    replacement: "high: (days * (rate / whole)) / RATE_DECIMALS",
    tests: AMOUNTS_DUE_TESTS,
  },
  {
    name: "due-discount-rounded-one-way",
    file: AMOUNTS_DUE,
    text: "low: atLeastMin(whole + added.low + grown.low - off.high)",
    replacement: "low: atLeastMin(whole + added.low + grown.low - off.low)",
    tests: AMOUNTS_DUE_TESTS,
  },
  {
    name: "due-nothing-due",
    file: AMOUNTS_DUE,
    text: "return due < MIN_AMOUNT_DUE ? BigInt(MIN_AMOUNT_DUE) : due;",
    replacement: "return due;",
    tests: AMOUNTS_DUE_TESTS,
  },
];
