import type { Mutant } from "../mutant.ts";

const PAYMENTS = "src/company/subscriptions/cycle-payments.ts";
const COMMANDS = "src/company/subscriptions/cycle-commands.ts";
const CLOSE = "src/api/subscriptions/close-charge.ts";
const CHARGE = "src/domain/subscriptions/cycle-charge.ts";
const STEP = "src/domain/subscriptions/next-step.ts";
const BY_HAND = ["test/worker/api/subscriptions/by-hand.test.ts"];
const ENDS = ["test/worker/api/subscriptions/by-hand-ends.test.ts"];
const RESTORES = ["test/worker/api/subscriptions/by-hand-restores.test.ts"];
const SILENCE = ["test/worker/api/subscriptions/silence.test.ts"];
const STEPS = ["test/unit/domain/subscriptions/next-step.test.ts"];
const TRIALS = ["test/worker/api/subscriptions/by-hand-trials.test.ts"];
const WAITS = ["test/worker/api/subscriptions/dunning-waits.test.ts"];
const DUNNING_STEPS = ["test/unit/domain/subscriptions/dunning-steps.test.ts"];

/** What becomes of a cycle that can be paid by hand. */
export const byHandMutants: Mutant[] = [
  {
    name: "by-hand-second-payment-credited",
    file: PAYMENTS,
    text: `isPaidByHand || isDebited ? "paid_otherwise" : null`,
    replacement: "null",
    tests: BY_HAND,
  },
  {
    name: "by-hand-cycle-not-found",
    file: "src/company/subscriptions/cycle-store.ts",
    text: "return row === undefined ? null : fromRow(row);\n  }\n\n  /** A subscription's open cycles",
    replacement: "return null;\n  }\n\n  /** A subscription's open cycles",
    tests: BY_HAND,
  },
  {
    name: "by-hand-for-a-paid-cycle",
    file: COMMANDS,
    text: `if (isPaid || !isOwed(cycle)) return { kind: "closed" };`,
    replacement: "",
    tests: BY_HAND,
  },
  {
    name: "by-hand-payable-after-the-debit",
    file: "src/company/subscriptions/step-commands.ts",
    text: `      case "close_cycle":
        return null;`,
    replacement: `        return null;
      case "close_cycle":
        return this.#ends.close(
          subscription,
          this.#cycleOf(subscription, step),
          { isByHandOver: true },
          nowMs,
        );`,
    tests: BY_HAND,
  },
  {
    name: "by-hand-early-payment-counted-as-recovered",
    file: "src/domain/subscriptions/subscription-view.ts",
    text: "(paidOn === null || paidOn >= failedOn)",
    replacement: "true",
    tests: BY_HAND,
  },
  {
    name: "by-hand-debit-failed-though-paid",
    file: CLOSE,
    text: `isUnpaid && isFailed ? "failed" : "cancelled"`,
    replacement: `isFailed ? "failed" : "cancelled"`,
    tests: BY_HAND,
  },
  {
    name: "by-hand-link-lost-by-a-restore",
    file: "src/company/subscriptions/cycle-store.ts",
    text: `transaction_id: byHandIdOf(cycle), cycle: cycle.number`,
    replacement: `transaction_id: cycle.recovery?.byHand?.id ?? cycle.transactionId, cycle: cycle.number`,
    tests: RESTORES,
  },
  {
    name: "by-hand-payment-lost-by-a-restore",
    file: CHARGE,
    text: `return cycle.recovery?.byHand?.id ?? byHandChargeId(cycle);`,
    replacement: `return cycle.recovery?.byHand?.id ?? cycle.transactionId;`,
    tests: RESTORES,
  },
  {
    name: "by-hand-further-one-not-of-its-cycle",
    file: CHARGE,
    text: `last: withTrial(BY_HAND_MAX - 1)`,
    replacement: `last: id`,
    tests: RESTORES,
  },
  {
    name: "by-hand-of-whatever-is-made-at-its-time",
    file: CHARGE,
    text: "const from = trialAt + TRIAL_DIGITS + 1;",
    replacement: "const from = id.length + 1;",
    tests: STEPS,
  },
  {
    name: "by-hand-at-the-time-of-debits",
    file: CHARGE,
    text: "const part = 1 + (Number.parseInt(random, 16) % (PARTS_OF_DAY - 1));",
    replacement: "const part = 1;",
    tests: STEPS,
  },
  {
    name: "by-hand-first-ids-forgotten",
    file: CHARGE,
    text: "return [byHandChargeId(cycle), first].map(byHandChargeIds);",
    replacement: "return [byHandChargeId(cycle)].map(byHandChargeIds);",
    tests: RESTORES,
  },
  {
    name: "by-hand-paid-by-the-debit-of-another-cycle",
    file: PAYMENTS,
    text: ".filter(({ id }) => this.#cycles.ofCharge(id) === null)",
    replacement: "",
    tests: RESTORES,
  },
  {
    name: "by-hand-refused-for-ever",
    file: PAYMENTS,
    text: `this.#ended(cycle) + 1),`,
    replacement: `1),`,
    tests: RESTORES,
  },
  {
    name: "by-hand-refused-answered-again",
    file: COMMANDS,
    text: `cycle.recovery?.byHand !== undefined && !this.#payments.isByHandOver(cycle)`,
    replacement: `cycle.recovery?.byHand !== undefined`,
    tests: RESTORES,
  },
  {
    name: "by-hand-paid-taken-as-over",
    file: PAYMENTS,
    text: `isEndedCharge(status) && paidAt === null`,
    replacement: `isEndedCharge(status)`,
    tests: BY_HAND,
  },
  {
    name: "by-hand-trials-without-a-wait",
    file: PAYMENTS,
    text: `waits * WAIT_MS`,
    replacement: `0`,
    tests: TRIALS,
  },
  {
    name: "by-hand-waits-do-not-grow",
    file: PAYMENTS,
    text: `waits * WAIT_MS`,
    replacement: `Math.min(1, waits) * WAIT_MS`,
    tests: TRIALS,
  },
  {
    name: "by-hand-refused-ones-ended-again",
    file: CLOSE,
    text: "byHand.filter((id) => !ended.has(id))",
    replacement: "byHand",
    tests: TRIALS,
  },
  {
    name: "by-hand-none-at-an-object-of-the-release-before",
    file: "src/api/payments/call-newer.ts",
    text: "if (!isCallUnknown(error)) throw error;",
    replacement: "throw error;",
    tests: BY_HAND,
  },
  {
    name: "by-hand-refusal-unknown-after-a-restore",
    file: CLOSE,
    text: `return transition(context, row, { to, ...why });`,
    replacement: `return why.failureReason === undefined ? null : "already";`,
    tests: RESTORES,
  },
  {
    name: "by-hand-lost-refusals-told-one-by-one",
    file: CLOSE,
    text: `for (const other of await withTextsOfAll(env, others)) await tellEnded(context, other);`,
    replacement: `void others;`,
    tests: RESTORES,
  },
  {
    name: "by-hand-refused-link-told",
    file: "src/domain/subscriptions/subscription-view.ts",
    text: "hasLink(cycle?.recovery ?? null) && isLinkOver !== true",
    replacement: "cycle?.recovery?.byHand !== undefined && isLinkOver !== true",
    tests: WAITS,
  },
  {
    name: "by-hand-cancelled-link-told",
    file: "src/domain/subscriptions/subscription-view.ts",
    text: "hasLink(cycle?.recovery ?? null) && isLinkOver !== true",
    replacement: "hasLink(cycle?.recovery ?? null)",
    tests: WAITS,
  },
  {
    name: "by-hand-refused-link-not-erased",
    file: "src/db/projection/subscriptions/subscription-writes.ts",
    text: "OR ${sql.join(isOther, sql` OR `)}",
    replacement: "",
    tests: WAITS,
  },
  {
    name: "by-hand-refused-link-waited-for",
    file: "src/domain/subscriptions/dunning/steps.ts",
    text: "isAwaited ? endOfDay(day) + DAY_MS : 0",
    replacement: "endOfDay(day) + DAY_MS",
    tests: DUNNING_STEPS,
  },
  {
    name: "by-hand-refused-link-mailed",
    file: "src/domain/subscriptions/dunning/steps.ts",
    text: "hasLink(recovery) && cycle.byHandOverAt === null",
    replacement: "hasLink(recovery)",
    tests: DUNNING_STEPS,
  },
  {
    name: "by-hand-refused-made-for-ever",
    file: "src/domain/subscriptions/dunning/offers.ts",
    text: "isMade === false && byHandOverAt === null",
    replacement: "isMade === false",
    tests: STEPS,
  },
  {
    name: "by-hand-made-of-what-ends",
    file: "src/domain/subscriptions/dunning/offers.ts",
    text: "!isByHandUnmade(cycle) || !isOwed(cycle)",
    replacement: "!isByHandUnmade(cycle)",
    tests: STEPS,
  },
  {
    name: "by-hand-untold-debit-forgotten",
    file: STEP,
    text: `  if (cycle.attempts.length === 0) return of("check_debit", untoldCheck(subscription, cycle));
`,
    replacement: ``,
    tests: STEPS,
  },
  {
    name: "by-hand-untold-debit-read-on-its-due-date",
    file: STEP,
    text: `const day = debitDayOf(dueDate, customer.city);`,
    replacement: `const day = debitDayOf(dueDate, null);`,
    tests: STEPS,
  },
  {
    name: "by-hand-unanswered-order-read-for-ever",
    file: STEP,
    text: `if (debit.status === "none") return true;`,
    replacement: "",
    tests: STEPS,
  },
  {
    name: "by-hand-late-debit-unheard",
    file: "src/api/subscriptions/listed.ts",
    text: `status === "paid" && debit.status === "paid"`,
    replacement: `status === "paid"`,
    tests: SILENCE,
  },
  {
    name: "by-hand-late-debit-heard-for-ever",
    file: "src/company/subscriptions/report-commands.ts",
    text: `cycle.status !== "open" && !isTakenClosed(result)`,
    replacement: `cycle.status !== "open"`,
    tests: SILENCE,
  },
  {
    name: "by-hand-payable-after-the-end",
    file: CLOSE,
    text: `!isOwed(cycle) || paid.length > 0`,
    replacement: `paid.length > 0`,
    tests: ENDS,
  },
  {
    name: "by-hand-ended-without-its-provider",
    file: CLOSE,
    text: `row.status === "creating" || !(await endsCode(context, row))`,
    replacement: `row.status === "creating"`,
    tests: ENDS,
  },
  {
    name: "by-hand-made-for-what-ends",
    file: COMMANDS,
    text: `if (isPaid || !isOwed(cycle))`,
    replacement: `if (isPaid)`,
    tests: ENDS,
  },
  {
    name: "by-hand-mailed-after-the-end",
    file: "src/api/emails/dunning.ts",
    text: `cycle === null ? "never" : askedByHand(cycle)`,
    replacement: `cycle === null ? "never" : "now"`,
    tests: ENDS,
  },
  {
    name: "by-hand-made-for-an-erased-payer",
    file: COMMANDS,
    text: `isPayerErased(subscription) || customer.isErasing === true`,
    replacement: `customer.isErasing === true`,
    tests: ENDS,
  },
  {
    name: "by-hand-made-for-a-payer-to-erase",
    file: COMMANDS,
    text: `isPayerErased(subscription) || customer.isErasing === true`,
    replacement: `isPayerErased(subscription)`,
    tests: ENDS,
  },
  {
    name: "by-hand-payer-not-erased",
    file: "src/company/subscriptions/subscription-commands.ts",
    text: `this.#cycles.ofAnyCharge(transactionId)`,
    replacement: `this.#cycles.ofCharge(transactionId)`,
    tests: ENDS,
  },
  {
    name: "by-hand-end-dropped",
    file: CLOSE,
    text: `account.cancelLostCharge({ companyId: company.id, terms: chargeTerms(row) })`,
    replacement: `account.findCharge(row.id)`,
    tests: ENDS,
  },
  {
    name: "dunning-next-link-counted-from-the-last-ones-making",
    file: "src/domain/subscriptions/dunning/offers.ts",
    text: "Math.max(byHandOverAt ?? 0, recovery?.byHand?.fixedAt ?? 0)",
    replacement: "(recovery?.byHand?.fixedAt ?? 0)",
    tests: ["test/worker/api/subscriptions/dunning-waits.test.ts"],
  },
  {
    name: "dunning-last-link-made-again-and-again",
    file: "src/domain/subscriptions/dunning/offers.ts",
    text: "Math.max(byHandOverAt ?? 0, recovery?.byHand?.fixedAt ?? 0)",
    replacement: "(byHandOverAt ?? 0)",
    tests: DUNNING_STEPS,
  },
  {
    name: "by-hand-late-one-keeps-an-erased-payer",
    file: "src/api/subscriptions/charges/draft.ts",
    text: "limits, (db) =>\n    eraseLateCharge(db, subscription, draft),\n  )",
    replacement: "limits)",
    tests: ["test/worker/api/subscriptions/erasure.test.ts"],
  },
  {
    name: "by-hand-early-code-ends-before-its-charge",
    file: "src/providers/pix-api/charge-request.ts",
    text: "Math.min(createdAtOfTransactionId(chargeId), createdAt)",
    replacement: "createdAtOfTransactionId(chargeId)",
    tests: ["test/worker/api/subscriptions/live.test.ts"],
  },
  {
    name: "by-hand-closed-before-its-end",
    file: "src/company/subscriptions/cycle-ends.ts",
    text: `isUnowed && !isByHandOver && open.recovery?.byHand !== undefined`,
    replacement: `false`,
    tests: ENDS,
  },
  {
    name: "by-hand-closed-though-it-was-cancelled",
    file: "src/company/subscriptions/cycle-ends.ts",
    text: `this.#payments.isChargePaid(open) || !isOwed(open)`,
    replacement: `this.#payments.isChargePaid(open)`,
    tests: ENDS,
  },
];
