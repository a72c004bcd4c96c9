import { ChargeCommands } from "../../../src/company/charges/charge-commands.ts";
import { ContradictionStore } from "../../../src/company/contradictions/contradiction-store.ts";
import { LedgerStore } from "../../../src/company/ledger/ledger-store.ts";
import { EfiCobrancasProvider } from "../../../src/providers/efi-cobrancas/provider.ts";
import { PagarMeClient } from "../../../src/providers/pagarme/client.ts";
import { PagarMePayables } from "../../../src/providers/pagarme/payables.ts";
import { PagarMeProvider } from "../../../src/providers/pagarme/provider.ts";
import { patch, type SeededBug } from "../seeded-bugs.ts";
import { withProviders } from "./process.ts";

type HouseBug = Omit<SeededBug, "hooks">;

/** A chargeback takes no money from the ledger. */
export function lostChargeback(): HouseBug {
  let struck = 0;
  const undo = patch(LedgerStore.prototype, "post", (post) => {
    return function lossy(this: LedgerStore, movement, nowMs) {
      if (movement.type === "chargeback") struck += 1;
      else post.call(this, movement, nowMs);
    };
  });
  return { timesApplied: () => struck, undo };
}

/** The same, and a contradiction names a centavo of it. */
export function chargebackNamedInPart(): HouseBug {
  const unbooked: string[] = [];
  let named = 0;
  const undoPost = patch(LedgerStore.prototype, "post", (post) => {
    return function lossy(this: LedgerStore, movement, nowMs) {
      if (movement.type === "chargeback") unbooked.push(movement.transactionId ?? "");
      else post.call(this, movement, nowMs);
    };
  });
  // The end of each report of a dispute.
  const undoClose = patch(ContradictionStore.prototype, "close", (close) => {
    return function naming(this: ContradictionStore, finding, reason, nowMs, made) {
      for (const object of unbooked.splice(0)) {
        named += 1;
        const amounts = { said: {}, booked: {}, amount: 1, held: 0 };
        this.open(
          { finding: `part:${finding}`, kind: "dispute_status", object, ...amounts },
          nowMs,
        );
      }
      close.call(this, finding, reason, nowMs, made);
    };
  });
  const undo = () => {
    undoPost();
    undoClose();
  };
  return { timesApplied: () => named, undo };
}

/** A house's list of charges is taken for empty, while that of its settlements, which would tell of it, does not answer. */
export function unreadList(): HouseBug {
  let struck = 0;
  const undoCharges = patch(PagarMeProvider.prototype, "list", () => {
    return async function blind() {
      struck += 1;
      return { kind: "known", records: [], unreadable: [], hasMore: false };
    };
  });
  const undoSettlements = patch(PagarMePayables.prototype, "page", () => {
    return async function silent() {
      return { kind: "unknown" };
    };
  });
  const undo = () => {
    undoCharges();
    undoSettlements();
  };
  return { timesApplied: () => struck, undo };
}

/** A refund counts as done although the house was not asked for it. */
export function unsentRefund(): HouseBug {
  let struck = 0;
  const undo = patch(EfiCobrancasProvider.prototype, "sendRefund", () => {
    return async function idle() {
      struck += 1;
      return { kind: "done" };
    };
  });
  return { timesApplied: () => struck, undo };
}

/** A house gets calls without the key that makes each of them one. */
export function keylessCalls(): HouseBug {
  let struck = 0;
  const undo = patch(PagarMeClient.prototype, "call", (call) => {
    return function keyless(this: PagarMeClient, { idempotencyKey, ...asked }) {
      if (idempotencyKey !== undefined) struck += 1;
      return call.call(this, asked);
    };
  });
  return { timesApplied: () => struck, undo };
}

/** A charge is asked at the account that takes new ones, wherever it was made. */
export function askedAtTheNewHouse(): HouseBug {
  let struck = 0;
  const undo = withProviders((real) => ({
    ...real,
    ofAccount: async (company, account, method) => {
      const [current] = method === undefined ? [] : real.accountsFor(company, method);
      if (current === undefined || current.account === account)
        return real.ofAccount(company, account, method);
      struck += 1;
      return current;
    },
  }));
  return { timesApplied: () => struck, undo };
}

/** A PIX that is told again counts as another payment. */
export function pixCreditedTwice(): HouseBug {
  let struck = 0;
  const undo = patch(ChargeCommands.prototype, "settle", (settle) => {
    return function forgetful(this: ChargeCommands, command, nowMs) {
      const answer = settle.call(this, command, nowMs);
      const { payment } = command;
      if (answer.kind !== "already" || payment.method !== "PIX") return answer;
      struck += 1;
      const paymentId = `${payment.paymentId.slice(0, -1)}X`;
      return settle.call(this, { ...command, payment: { ...payment, paymentId } }, nowMs);
    };
  });
  return { timesApplied: () => struck, undo };
}

/** An account that drains takes new charges. */
export function drainsInVain(): HouseBug {
  let struck = 0;
  const undo = withProviders((real) => ({
    ...real,
    routesFor: (company, method, amount) => {
      if (company.accounts.some(({ state }) => state === "draining")) struck += 1;
      const accounts = company.accounts.map((each) => ({ ...each, state: "active" as const }));
      return real.routesFor({ ...company, accounts }, method, amount);
    },
  }));
  return { timesApplied: () => struck, undo };
}
