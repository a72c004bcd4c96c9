import { UnexpectedPaymentStore } from "../../src/company/charges/unexpected-payment-store.ts";
import { ExitRules } from "../../src/company/exits/exit-rules.ts";
import { LedgerStore } from "../../src/company/ledger/ledger-store.ts";
import { OperationStore } from "../../src/company/operations/operation-store.ts";
import { DecisionStore } from "../../src/company/operators/decision-store.ts";
import { WithdrawStore } from "../../src/company/withdraws/withdraw-store.ts";
import type { Env } from "../../src/config.ts";
import type { Hooks } from "./real.ts";

/** A bug that is injected while a property runs; `timesApplied` counts its effects. */
export interface SeededBug {
  hooks: Partial<Hooks>;
  timesApplied: () => number;
  undo: () => void;
}

/** One posting rule books nothing: a returned withdraw credits no money. */
export function lostPosting(): SeededBug {
  let struck = 0;
  const undo = patch(LedgerStore.prototype, "post", (post) => {
    return function lossy(this: LedgerStore, movement, nowMs) {
      if (movement.type === "withdraw_returned") struck += 1;
      else post.call(this, movement, nowMs);
    };
  });
  return { hooks: {}, timesApplied: () => struck, undo };
}

/** A returned payment keeps its status and is announced to nobody. */
export function forgottenReturn(): SeededBug {
  let struck = 0;
  const undo = patch(UnexpectedPaymentStore.prototype, "change", (change) => {
    return function forgetful(this: UnexpectedPaymentStore, paymentId, status, nowMs) {
      if (status === "returned") struck += 1;
      else change.call(this, paymentId, status, nowMs);
    };
  });
  return { hooks: {}, timesApplied: () => struck, undo };
}

const GUARD = /("(?:transactions|withdraws)"\."version" < \?)/g;
/** No version is that high: the guard lets every write pass. */
const UNGUARDED = "$1 + 1000000";

/** The projection writer overwrites newer states in D1. */
export function missingVersionGuard(): SeededBug {
  let struck = 0;
  const drainEnv = (env: Env): Env => ({
    ...env,
    DB: new Proxy(env.DB, {
      get: (db, name: keyof D1Database) =>
        name === "prepare"
          ? (sql: string) => {
              const unguarded = sql.replaceAll(GUARD, UNGUARDED);
              if (unguarded !== sql) struck += 1;
              return db.prepare(unguarded);
            }
          : (db[name] as (...parameters: unknown[]) => unknown).bind(db),
    }),
  });
  return { hooks: { drainEnv }, timesApplied: () => struck, undo: () => undefined };
}

/** A withdraw's key is stored after its response, not in the commit of the withdraw. */
export function keyStoredAfterTheEffect(): SeededBug {
  const late = new Set<string>();
  let struck = 0;
  const undoInsert = patch(WithdrawStore.prototype, "insert", (insert) => {
    return function tardy(this: WithdrawStore, withdraw, marks) {
      const { idempotencyKey: key } = withdraw;
      struck += 1;
      // A repeat within the same step passes, because no row has the key yet.
      const taken = late.has(key) ? `${key} of ${withdraw.id}` : key;
      late.add(key);
      insert.call(this, { ...withdraw, idempotencyKey: taken }, marks);
    };
  });
  const undoFind = patch(WithdrawStore.prototype, "findByIdempotencyKey", (byKey) => {
    return function forgetful(this: WithdrawStore, key) {
      return late.has(key) ? null : byKey.call(this, key);
    };
  });
  const undo = () => {
    undoInsert();
    undoFind();
  };
  return { hooks: { afterStep: () => late.clear() }, timesApplied: () => struck, undo };
}

/** A capture is credited at its refresh and again at its end. */
export function captureCreditedTwice(): SeededBug {
  let struck = 0;
  let again: (() => void) | null = null;
  const undoPost = patch(LedgerStore.prototype, "post", (post) => {
    return function remembering(this: LedgerStore, movement, nowMs) {
      if (movement.type === "charge_paid") again = () => post.call(this, movement, nowMs);
      post.call(this, movement, nowMs);
    };
  });
  const undoEnd = patch(OperationStore.prototype, "end", (end) => {
    return function eager(this: OperationStore, operation, reason) {
      if (operation.kind === "capture" && reason === null) {
        struck += 1;
        again?.();
      }
      return end.call(this, operation, reason);
    };
  });
  const undo = () => {
    undoPost();
    undoEnd();
  };
  return { hooks: {}, timesApplied: () => struck, undo };
}

/** A refund or return above the company's limit waits for nobody. */
export function forgottenApproval(): SeededBug {
  let struck = 0;
  const undo = patch(ExitRules.prototype, "waits", (waits) => {
    return function careless(this: ExitRules, limits, amount, nowMs) {
      if (waits.call(this, limits, amount, nowMs)) struck += 1;
      return false;
    };
  });
  return { hooks: {}, timesApplied: () => struck, undo };
}

/** What two operators decided is booked again where the approval is repeated. */
export function decisionBookedAgain(): SeededBug {
  let struck = 0;
  const undo = patch(DecisionStore.prototype, "findAttempt", (find) => {
    return function forgetful(this: DecisionStore, proposalId) {
      if (find.call(this, proposalId) !== null) struck += 1;
      return null;
    };
  });
  return { hooks: {}, timesApplied: () => struck, undo };
}

/** Replaces a method of a class; the returned function restores it. */
export function patch<Class extends object, Name extends keyof Class>(
  prototype: Class,
  name: Name,
  wrap: (real: Class[Name]) => Class[Name],
): () => void {
  const real = prototype[name];
  prototype[name] = wrap(real);
  return () => {
    prototype[name] = real;
  };
}
