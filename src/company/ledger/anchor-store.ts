import { anchorView, type LedgerAnchor, type SignedAnchor } from "../../domain/ledger/anchor.ts";
import { CURRENCY } from "../../domain/shared/money.ts";
import type { LedgerStore } from "./ledger-store.ts";
import type { MetaStore } from "../storage/meta-store.ts";
import type { OutboxStore } from "../outbox/outbox-store.ts";

type AnchorRow = {
  number: number;
  day: string;
  sequence: number;
  hash: string;
  digest: string;
  signature: string;
  public_key: string;
};

/**
 * `mismatch`: no movement here has the hash that was anchored, which the audit tells; nobody is told of
 * such an anchor.
 */
export type AnnounceAnchorAnswer = { kind: "announced" | "already" | "mismatch" };

/** The newest head of the ledger that was anchored outside the object, as the company is told it. */
export class AnchorStore {
  readonly #sql: SqlStorage;
  readonly #ledger: LedgerStore;
  readonly #meta: MetaStore;
  readonly #outbox: OutboxStore;

  constructor(deps: {
    sql: SqlStorage;
    ledger: LedgerStore;
    meta: MetaStore;
    outbox: OutboxStore;
  }) {
    this.#sql = deps.sql;
    this.#ledger = deps.ledger;
    this.#meta = deps.meta;
    this.#outbox = deps.outbox;
  }

  /** Null before the first. */
  newest(): LedgerAnchor | null {
    const row = this.#row();
    if (row === null) return null;
    const { day, sequence, hash, digest, signature, public_key: publicKey } = row;
    return { day, sequence, hash, digest, signature, publicKey };
  }

  /** Keeps an anchor and tells the company, once for each day. Runs inside one `transactionSync`. */
  recordAndAnnounce(head: SignedAnchor, nowMs: number): AnnounceAnchorAnswer {
    const known = this.#row();
    if (known !== null && known.day >= head.day) return { kind: "already" };
    const sequence = this.#ledger.lastLineOf(head.movement);
    if (sequence === null || this.#ledger.mismatchedHeads([head]).length > 0)
      return { kind: "mismatch" };
    const anchor = anchorView(head, sequence);
    const number = (known?.number ?? 0) + 1;
    this.#sql.exec(
      `INSERT OR REPLACE INTO newest_anchor
         (only, number, day, sequence, hash, digest, signature, public_key)
       VALUES (1, ?, ?, ?, ?, ?, ?, ?)`,
      number,
      anchor.day,
      anchor.sequence,
      anchor.hash,
      anchor.digest,
      anchor.signature,
      anchor.publicKey,
    );
    this.#outbox.add(
      {
        kind: "anchor",
        currency: CURRENCY,
        anchor,
        event: {
          type: "ledger.anchored",
          companySequence: this.#meta.nextEvent(),
          sequence: number,
          previousStatus: null,
          timestamp: nowMs,
        },
      },
      nowMs,
    );
    return { kind: "announced" };
  }

  #row(): AnchorRow | null {
    const [row] = this.#sql.exec<AnchorRow>("SELECT * FROM newest_anchor WHERE only = 1").toArray();
    return row ?? null;
  }
}
