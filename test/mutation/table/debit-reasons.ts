import type { Mutant } from "../mutant.ts";

const NEWS = "src/company/subscriptions/report-news.ts";
const COMMANDS = "src/company/subscriptions/report-commands.ts";
const REASONS = ["test/worker/api/subscriptions/reasons.test.ts"];

/** Why mandates and debits end, and what is told of it. */
export const debitReasonMutants: Mutant[] = [
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
    name: "debit-cancelled-ends-all-others",
    file: "src/domain/subscriptions/debit-codes.ts",
    text: `kind === "cancelled" && code === "PAYER_ACCOUNT_CLOSED" ? "a_person" : action`,
    replacement: "action",
    tests: REASONS,
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
];
