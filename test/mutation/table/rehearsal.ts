import type { Mutant } from "../mutant.ts";

const CASH = "src/domain/rehearsal/cash-rehearsal.ts";
const CASH_TESTS = ["test/unit/domain/rehearsal/cash-rehearsal.test.ts"];
const ODDS = "src/domain/rehearsal/payment-odds.ts";
const ODDS_TESTS = ["test/unit/domain/rehearsal/payment-odds.test.ts"];
const STORE = "src/company/releases/cash-ahead-store.ts";
const LIVED_TESTS = ["test/worker/api/reports/rehearsal/as-lived.test.ts"];
const REPOSITORY = "src/api/reports/rehearsal/repository.ts";
const REPORT_TESTS = ["test/worker/api/reports/rehearsal/rehearsal.test.ts"];

/** The cash of the next days. */
export const rehearsalMutants: Mutant[] = [
  {
    name: "rehearsal-forgets-overdue",
    file: CASH,
    text: "(day < facts.today ? facts.today : day)",
    replacement: "day",
    tests: CASH_TESTS,
  },
  {
    name: "rehearsal-spends-debt",
    file: CASH,
    text: "net[each] = facts.available - facts.owed;",
    replacement: "net[each] = facts.available;",
    tests: CASH_TESTS,
  },
  {
    name: "rehearsal-due-on-holidays",
    file: CASH,
    text: "isDue ? businessDayFrom(charges.lastDay) : charges.lastDay",
    replacement: "charges.lastDay",
    tests: CASH_TESTS,
  },
  {
    name: "rehearsal-without-fixed-fees",
    file: REPOSITORY,
    text: "/ 10000 + ${fixed})`;",
    replacement: "/ 10000)`;",
    tests: REPORT_TESTS,
  },
  {
    name: "rehearsal-counts-few-charges",
    file: ODDS,
    text: "ended < ENOUGH_ENDED",
    replacement: "ended < 0",
    tests: ODDS_TESTS,
  },
  {
    name: "rehearsal-large-charge-as-sure-as-small-ones",
    file: ODDS,
    text: "gross ** 2 / squares",
    replacement: "open.length",
    tests: ODDS_TESTS,
  },
  {
    name: "rehearsal-approval-without-its-fee",
    file: STORE,
    text: "amount + fee AS amount",
    replacement: "amount AS amount",
    tests: LIVED_TESTS,
  },
  {
    name: "rehearsal-part-back-before-its-release",
    file: STORE,
    text: "max(expires_at, part.value ->> '$.dueAt')",
    replacement: "expires_at",
    tests: LIVED_TESTS,
  },
  {
    name: "rehearsal-won-before-its-release",
    file: STORE,
    text: "max(${DEADLINE}, part.value ->> '$.dueAt')",
    replacement: "${DEADLINE}",
    tests: LIVED_TESTS,
  },
  {
    name: "rehearsal-past-by-fractions",
    file: REPOSITORY,
    text: "1 + (newest - before) / ${PAST_CHARGES_MAX}",
    replacement: "1 + (newest - before) / ${PAST_CHARGES_MAX}.0",
    tests: REPORT_TESTS,
  },
];
