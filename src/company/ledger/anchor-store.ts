import { anchorView, type LedgerAnchor, type SignedAnchor } from "../../domain/ledger/anchor.ts";
import { CURRENCY } from "../../domain/shared/money.ts";
import { jsonBytes } from "../../domain/storage/quotas.ts";
import type { LedgerStore } from "./ledger-store.ts";
import type { MetaStore } from "../storage/meta-store.ts";
import type { OutboxStore } from "../outbox/outbox-store.ts";
import { Table } from "../storage/table.ts";

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
 * `mismatch`: the movement has another hash than the anchor. The audit reports it; no event does.
 */
export type AnnounceAnchorAnswer = { kind: "announced" | "already" | "mismatch" };

const NEWEST_ANCHOR = new Table<AnchorRow & { only: 1 }>("newest_anchor");

/** The newest anchor: a head of the ledger, stored and signed outside the object. */
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

  /** As the balance shows it; null before the first. */
  newest(): LedgerAnchor | null {
    const row = this.#row();
    if (row === null) return null;
    const { day, sequence, hash, digest, signature, public_key: publicKey } = row;
    return { day, sequence, hash, digest, signature, publicKey };
  }

  /** Stores an anchor and announces it, once a day. Runs inside one `transactionSync`. */
  recordAndAnnounce(head: SignedAnchor, nowMs: number): AnnounceAnchorAnswer {
    const known = this.#row();
    if (known !== null && known.day >= head.day) return { kind: "already" };
    const sequence = this.#ledger.lastLineOf(head.movement);
    if (sequence === null || this.#ledger.mismatchedHeads([head]).length > 0)
      return { kind: "mismatch" };
    const anchor = anchorView(head, sequence);
    const number = (known?.number ?? 0) + 1;
    NEWEST_ANCHOR.replace(this.#sql, {
      only: 1,
      number,
      day: anchor.day,
      sequence: anchor.sequence,
      hash: anchor.hash,
      digest: anchor.digest,
      signature: anchor.signature,
      public_key: anchor.publicKey,
    });
    this.#outbox.add(
      {
        kind: "anchor",
        currency: CURRENCY,
        anchor,
        event: {
          type: "ledger.anchored",
          ...this.#meta.nextEvent({ nowMs, bytes: jsonBytes(anchor) }),
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
