import type { LedgerPosition } from "../../domain/reconciliation/ledger-position.ts";
import type { ContradictionStore } from "../contradictions/contradiction-store.ts";
import type { MetaStore } from "../storage/meta-store.ts";
import type { LedgerStore } from "./ledger-store.ts";
import type { OpenItemStore } from "./open-item-store.ts";

/** What a position is read from. */
export interface PositionServices {
  stores: {
    ledger: LedgerStore;
    meta: MetaStore;
    contradictions: ContradictionStore;
    openItems: OpenItemStore;
  };
}

/**
 * A company's balances, and the open items whose money may have left the bank already. Centavos.
 * Its cost does not depend on history.
 */
export function ledgerPositionOf({ stores }: PositionServices): LedgerPosition {
  return {
    accounts: stores.ledger.balances(),
    frozen: stores.meta.get("frozen") === 1,
    held: stores.contradictions.heldTotal(),
    openItems: stores.openItems.openItems(),
    undecided: {
      payouts: stores.openItems.undecidedPayouts(),
      operations: stores.openItems.undecidedOperations(),
    },
  };
}
