import type { Mutant } from "../mutant.ts";

const NEWS = "src/company/subscriptions/report-news.ts";
const RECORDS = "src/domain/subscriptions/records.ts";
const COMMANDS = "src/company/subscriptions/report-commands.ts";
const ERASURE = ["test/worker/api/subscriptions/erasure.test.ts"];
const ARCHIVE = ["test/worker/api/subscriptions/erasure-archive.test.ts"];
const RECOVERED = "src/db/projection/subscriptions/recovered-cycles.ts";
const RECOVERY = ["test/worker/api/reports/subscriptions/recovery.test.ts"];
const NEWS_RULES = ["test/unit/company/subscriptions/report-news.test.ts"];
const REFUSED = ["test/worker/api/subscriptions/refused-orders.test.ts"];
const REASONS = ["test/worker/api/subscriptions/reasons.test.ts"];

/** Why mandates and debits end, and what is told of it. */
export const debitReasonMutants: Mutant[] = [
  {
    name: "debit-rejected-by-our-own-word-for-good",
    file: RECORDS,
    text: "isOlder && !isOurWord(cycle) ? status : told",
    replacement: "isOlder ? status : told",
    tests: NEWS_RULES,
  },
  {
    name: "debit-rejection-of-a-bank-taken-back",
    file: RECORDS,
    text: ` && debit.end === undefined && isUntaken`,
    replacement: " && isUntaken",
    tests: NEWS_RULES,
  },
  {
    name: "debit-attempt-not-taken-kept-beside-a-live-debit",
    file: RECORDS,
    text: "return attempts.filter(({ isUntaken }) => isUntaken !== true);",
    replacement: "return attempts;",
    tests: NEWS_RULES,
  },
  {
    name: "debit-attempt-not-taken-dropped-with-its-rejection",
    file: RECORDS,
    text: "if (isDebitOver(told) || ",
    replacement: "if (",
    tests: NEWS_RULES,
  },
  {
    name: "debit-only-we-called-rejected-no-news-of-a-list",
    file: "src/api/subscriptions/listed.ts",
    text: "return debitStatusAfter(cycle, told.status) !== debit.status;",
    replacement: 'return debit.status !== told.status && debit.status !== "rejected";',
    tests: ["test/worker/api/subscriptions/silence.test.ts"],
  },
  {
    name: "debit-live-after-its-cycle-forgotten",
    file: "src/api/subscriptions/listed.ts",
    text: "mergedAttempts(takenAttempts(cycle, told.status), told.attempts)",
    replacement: "mergedAttempts(cycle.attempts, told.attempts)",
    tests: ["test/worker/api/subscriptions/silence.test.ts"],
  },
  {
    name: "erasure-gives-an-archived-event-a-text",
    file: "src/api/payers/erase-archived.ts",
    text: `isOfSubscription && has(data, "metadata")`,
    replacement: "isOfSubscription",
    tests: ARCHIVE,
  },
  {
    name: "erasure-takes-texts-with-each-cycle",
    file: "src/db/projection/subscriptions/subscription-writes.ts",
    text: "...(isOfCycles ? [] : [",
    replacement: "...(false ? [] : [",
    tests: ["test/worker/db/projection/erased-subscriptions.test.ts"],
  },
  {
    name: "debit-end-dropped",
    file: "src/api/subscriptions/told.ts",
    text: "return end === null || !isDebitOver(status) ? told : { ...told, end: debitEnd(end) };",
    replacement: "return told;",
    tests: REASONS,
  },
  {
    name: "debit-rejected-order-without-a-reason",
    file: NEWS,
    text: "if (!isRejected || ",
    replacement: `if (status !== "none" || `,
    tests: REASONS,
  },
  {
    name: "debit-cancelled-by-its-merchant-dunned",
    file: NEWS,
    text: `isWanted && end?.code === "RECEIVER_CANCELLED" ? "requested" : ending`,
    replacement: "ending",
    tests: REASONS,
  },
  {
    name: "debit-of-a-paid-cycle-cancelled-by-its-merchant",
    file: COMMANDS,
    text: "isChargePaid || isPaidOtherwise ? known.ending : endingAfter(known, end)",
    replacement: "endingAfter(known, end)",
    tests: ["test/worker/api/subscriptions/by-hand.test.ts"],
  },
  {
    name: "debit-cancelled-ends-all-others",
    file: "src/domain/subscriptions/debit-codes.ts",
    text: `kind === "cancelled" && code === "PAYER_ACCOUNT_CLOSED" ? "a_person" : action`,
    replacement: "action",
    tests: REASONS,
  },
  {
    name: "debit-code-of-any-length",
    file: "src/domain/subscriptions/debit-codes.ts",
    text: "return text !== null && SHORT_CODE.test(text) ? text : null;",
    replacement: "return text;",
    tests: REASONS,
  },
  {
    name: "debit-words-kept-in-a-cycle",
    file: "src/company/subscriptions/subscription-transitions.ts",
    text: "    this.#eraseCycles(changed, nowMs);\n",
    replacement: "",
    tests: ERASURE,
  },
  {
    name: "debit-words-kept-in-events",
    file: "src/db/projection/subscriptions/subscription-writes.ts",
    text: "'$.data.charge.attempts', json(iif(",
    replacement: "'$.data.charge.other', json(iif(",
    tests: ERASURE,
  },
  {
    name: "debit-words-kept-in-archived-events",
    file: "src/api/payers/erase-archived.ts",
    text: "isOfSubscription ? withoutBankTexts(data) : {}",
    replacement: "{}",
    tests: ARCHIVE,
  },
  {
    name: "mandate-end-dropped",
    file: "src/api/subscriptions/told.ts",
    text: "...(end === null ? {} : { end: toldEnd(end) }),",
    replacement: "",
    tests: REASONS,
  },
  {
    name: "mandate-refusal-overwritten-by-its-end",
    file: COMMANDS,
    text: "known.reason === null || known.reason === told.reason",
    replacement: "true",
    tests: REASONS,
  },
  {
    name: "mandate-refusal-without-its-sentence",
    file: COMMANDS,
    text: "this.#refuseMandate(before, result.message, nowMs)",
    replacement: "this.#refuseMandate(before, null, nowMs)",
    tests: REASONS,
  },
  {
    name: "debit-refused-early-without-its-day",
    file: NEWS,
    text: "const failedOn = earlier === undefined ? early : earlier.failedOn;",
    replacement: "const failedOn = earlier?.failedOn;",
    tests: NEWS_RULES,
  },
  {
    name: "debit-refused-early-forgets-its-day",
    file: NEWS,
    text: "const failedOn = earlier === undefined ? early : earlier.failedOn;",
    replacement: "const failedOn = early;",
    tests: NEWS_RULES,
  },
  {
    name: "debit-rejected-order-tried-on-another-day",
    file: NEWS,
    text: "  return { code, message, action, providerCode };\n",
    replacement: `  return { code, message, action: action === "offer_link" ? "retry" : action, providerCode };\n`,
    tests: NEWS_RULES,
  },
  {
    name: "debit-end-hides-why-it-failed",
    file: "src/domain/subscriptions/records.ts",
    text: "return end === null || (isVague(end) && failed !== null) ? failed : end;",
    replacement: "return end ?? failed;",
    tests: ["test/unit/domain/subscriptions/debit-codes.test.ts"],
  },
  {
    name: "recovery-of-a-debit-refused-early-lost",
    file: RECOVERED,
    text: "coalesce(value ->> 'failedOn', value ->> 'day')",
    replacement: "value ->> 'day'",
    tests: RECOVERY,
  },
  {
    name: "recovery-of-a-debit-refused-early-not-shown",
    file: "src/domain/subscriptions/subscription-view.ts",
    text: "paidOn >= failedOn",
    replacement: "paidOn >= day",
    tests: RECOVERY,
  },
  {
    name: "backtest-of-what-no-other-day-mends",
    file: RECOVERED,
    text: "LIMIT 1), 'retry') = 'retry'",
    replacement: "LIMIT 1), 'retry') <> ''",
    tests: RECOVERY,
  },
  {
    name: "backtest-of-what-was-paid-before",
    file: RECOVERED,
    text: "AND coalesce(${PAID_ON} >= ${FAILED_ON}, true)",
    replacement: "",
    tests: RECOVERY,
  },
  {
    name: "debit-refused-order-not-told",
    file: COMMANDS,
    text: "    this.#findings.open(before, cycle, { day, reason }, nowMs);\n",
    replacement: "",
    tests: REFUSED,
  },
  {
    name: "debit-refused-order-told-for-ever",
    file: "src/company/subscriptions/debit-findings.ts",
    text: "if (!isTaken(known, told)) return;",
    replacement: "if (isTaken(known, told)) return;",
    tests: REFUSED,
  },
  {
    name: "debit-refused-order-tried-by-the-policy",
    file: "src/domain/subscriptions/debit-codes.ts",
    text: `    message: "The provider did not take the order of the debit.",\n    action: "a_person",`,
    replacement: `    message: "The provider did not take the order of the debit.",\n    action: "retry",`,
    tests: REFUSED,
  },
  {
    name: "debit-refused-order-sentence-kept",
    file: "src/domain/subscriptions/payer-erasure.ts",
    text: "debit: { ...debit, ...end, refused: undefined },",
    replacement: "debit: { ...debit, ...end },",
    tests: REFUSED,
  },
  {
    name: "debit-refused-order-sentence-kept-in-an-attempt",
    file: "src/domain/subscriptions/debit-codes.ts",
    text: "return { ...reason, message, providerCode, providerMessage: undefined };",
    replacement: "return { ...reason, message, providerCode };",
    tests: REFUSED,
  },
];
