import type { Mutant } from "../mutant.ts";

const PAUSE = "src/domain/operators/pause.ts";
const KNOWN = "src/service-state/known-pauses.ts";
const STATE = "src/service-state/service-state.ts";
const QUEUE = "src/queue.ts";
const FREEZES = "src/company/operators/freezes.ts";
const RESTORE_ROUTES = "src/api/operator/restore/routes.ts";
const RESTORE_ACTION = "src/api/operator/proposals/actions/restore.ts";
const SERVICE_TESTS = ["test/worker/api/operator/service/service-pause.test.ts"];
const PAUSES_TESTS = ["test/worker/api/operator/service/pauses.test.ts"];
const RESTORE_TESTS = ["test/worker/api/operator/restore/restore.test.ts"];
const FREEZE_TESTS = ["test/worker/api/operator/companies/charges-freeze.test.ts"];
const REWIND_TESTS = ["test/worker/api/bank-reconciliation/restored-object.test.ts"];

/** What stops while the service or a company is paused, and while charges are frozen. */
export const pauseMutants: Mutant[] = [
  {
    name: "pause-lets-charges-through",
    file: PAUSE,
    text: '  "transactions:write",\n',
    replacement: "",
    tests: SERVICE_TESTS,
  },
  {
    name: "pause-lets-exits-through",
    file: PAUSE,
    text: "(scope === null ? [] : [scope])",
    replacement: '(scope === null ? [scope ?? "pii:read"] : [])',
    tests: SERVICE_TESTS,
  },
  {
    name: "pause-of-the-service-ignored",
    file: PAUSE,
    text: "return service ?? companies[companyId] ?? null;",
    replacement: "return companies[companyId] ?? (service === null ? service : null);",
    tests: SERVICE_TESTS,
  },
  {
    name: "pause-of-a-company-ignored",
    file: PAUSE,
    text: "return service ?? companies[companyId] ?? null;",
    replacement: "return companies[companyId] === undefined ? service : service;",
    tests: PAUSES_TESTS,
  },
  {
    name: "pause-lets-payers-of-links-through",
    file: "src/api/payment-links/pay.ts",
    text: 'if (isPaused) return { kind: "problem", problem: servicePaused() };',
    replacement: "if (isPaused) servicePaused();",
    tests: SERVICE_TESTS,
  },
  {
    name: "pause-lets-operators-decide",
    file: "src/api/operator/proposals/execution.ts",
    text: 'if (ACTIONS[action].permission === "money:decide") await requireRunning(c, companyId);',
    replacement: "",
    tests: SERVICE_TESTS,
  },
  {
    name: "pause-pays-out",
    file: QUEUE,
    text: "if ((await systemDependencies.pauses.of(env, companyId)) === null) await handle();",
    replacement: "await handle();",
    tests: SERVICE_TESTS,
  },
  {
    name: "pause-asks-about-callbacks",
    file: "src/api/provider-callbacks/routes.ts",
    text: "if (pause !== null) return keepNotifications(",
    replacement: "if (pause === undefined) return keepNotifications(",
    tests: SERVICE_TESTS,
  },
  {
    name: "pause-cron-goes-on",
    file: "src/scheduled.ts",
    text: "if (service === null) await task(env, deps, step);",
    replacement: "if (service === null || step !== null) await task(env, deps, step);",
    tests: SERVICE_TESTS,
  },
  {
    name: "pause-answered-before-it-holds",
    file: KNOWN,
    text: "    if (waitMs > 0) await this.#wait(waitMs);\n",
    replacement: "",
    tests: PAUSES_TESTS,
  },
  {
    name: "pause-forgotten-while-unreadable",
    file: KNOWN,
    text: "this.#known ??= NOTHING_PAUSED;",
    replacement: "this.#known = NOTHING_PAUSED;",
    tests: PAUSES_TESTS,
  },
  {
    name: "pause-not-known-at-first",
    file: KNOWN,
    text: "if (this.#known !== null && now < this.#askAt) return this.#known;",
    replacement: "if (now < this.#askAt) return this.#known ?? NOTHING_PAUSED;",
    tests: PAUSES_TESTS,
  },
  {
    name: "pause-takes-another-reason",
    file: STATE,
    text: "service: before.service ?? pause",
    replacement: "service: before.service === null ? pause : pause",
    tests: PAUSES_TESTS,
  },
  {
    name: "restore-begins-unpaused",
    file: RESTORE_ROUTES,
    text: "  await pauses.pause(c.env, companyId, pause);\n",
    replacement: "",
    tests: RESTORE_TESTS,
  },
  {
    name: "restore-ends-paused",
    file: RESTORE_ROUTES,
    text: "if (step.after === null) await",
    replacement: "if (step.after === undefined) await",
    tests: RESTORE_TESTS,
  },
  {
    name: "restore-of-an-object-unpaused",
    file: RESTORE_ACTION,
    text: "await deps.pauses.pause(env, company.id, own);",
    replacement: "await deps.pauses.ask(env);",
    tests: RESTORE_TESTS,
  },
  {
    name: "restore-refused-and-paused-for-ever",
    file: RESTORE_ACTION,
    text: "if (companies[company.id]?.since === since) await deps.pauses.resume(env, company.id);",
    replacement: "",
    tests: RESTORE_TESTS,
  },
  {
    name: "restore-rewind-undone-by-a-run",
    file: "src/db/reconciliation/reconciliation.ts",
    text: "and(ofAccount(account), isOf, isHeld)",
    replacement: "and(ofAccount(account), isOf)",
    tests: REWIND_TESTS,
  },
  {
    name: "restore-rewinds-nothing",
    file: "src/db/reconciliation/reconciliation.ts",
    text: "readUntil: sql`min(${readUntil}, ${toMs})`, nextRunAt: nowMs",
    replacement: "nextRunAt: nowMs",
    tests: REWIND_TESTS,
  },
  {
    name: "charges-freeze-lets-captures-through",
    file: "src/company/operations/operation-commands.ts",
    text: 'if (kind === "capture" && this.#exits.chargesFrozen())',
    replacement: 'if (kind === "cancel" && this.#exits.chargesFrozen())',
    tests: FREEZE_TESTS,
  },
  {
    name: "charges-freeze-lets-creates-through",
    file: "src/api/transactions/create.ts",
    text: 'if (stop === "freeze") await',
    replacement: "if (stop === null) await",
    tests: FREEZE_TESTS,
  },
  {
    name: "charges-freeze-ended-by-storage",
    file: "src/db/operator/storage-figures.ts",
    text: "sql`charges_stopped & ${STOP_REASON_BITS.freeze} | ${chargesStopped}`",
    replacement: "sql`${chargesStopped}`",
    tests: FREEZE_TESTS,
  },
  {
    name: "charges-freeze-ends-that-of-withdraws",
    file: FREEZES,
    text: "withdraws: one.withdraws || other.withdraws,",
    replacement: "withdraws: other.withdraws,",
    tests: FREEZE_TESTS,
  },
  {
    name: "charges-freeze-is-lost-by-another",
    file: FREEZES,
    text: "charges: one.charges || other.charges,",
    replacement: "charges: other.charges,",
    tests: FREEZE_TESTS,
  },
];
