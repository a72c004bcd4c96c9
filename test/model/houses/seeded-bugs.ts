import { LedgerStore } from "../../../src/company/ledger/ledger-store.ts";
import { EfiCobrancasProvider } from "../../../src/providers/efi-cobrancas/provider.ts";
import { PagarMeClient } from "../../../src/providers/pagarme/client.ts";
import { PagarMePayables } from "../../../src/providers/pagarme/payables.ts";
import { PagarMeProvider } from "../../../src/providers/pagarme/provider.ts";
import { patch, type SeededBug } from "../seeded-bugs.ts";

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
