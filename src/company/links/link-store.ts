import type { LinkTerms, PaymentLink } from "../../domain/links/payment-link.ts";
import { assert } from "../../lib/assert.ts";

export interface StoredLink extends PaymentLink {
  /** Events of this link so far. */
  eventSequence: number;
}

type LinkRow = {
  number: number;
  id: string;
  slug: string;
  name: string;
  is_active: number;
  terms: string;
  max_payments: number | null;
  expires_at: number | null;
  metadata: string | null;
  paid_count: number;
  open_count: number;
  created_at: number;
  updated_at: number;
  version: number;
  event_sequence: number;
};

/** Payment links. None is ever deleted. */
export class LinkStore {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** The number of the newest; 0 before the first. */
  newest(): number {
    return this.#sql
      .exec<{ newest: number }>("SELECT coalesce(max(number), 0) AS newest FROM payment_links")
      .one().newest;
  }

  find(id: string): StoredLink | null {
    const [row] = this.#sql.exec<LinkRow>("SELECT * FROM payment_links WHERE id = ?", id).toArray();
    return row === undefined ? null : fromRow(row);
  }

  require(number: number): StoredLink {
    const [row] = this.after(number - 1, 1);
    assert(row?.number === number, `payment link ${number} is stored`);
    return row;
  }

  /** The links after a number, ascending. */
  after(number: number, limit: number): StoredLink[] {
    return this.#sql
      .exec<LinkRow>(
        "SELECT * FROM payment_links WHERE number > ? ORDER BY number LIMIT ?",
        number,
        limit,
      )
      .toArray()
      .map(fromRow);
  }

  save(link: StoredLink): void {
    this.#sql.exec(
      `INSERT OR REPLACE INTO payment_links (number, id, slug, name, is_active, terms, max_payments,
         expires_at, metadata, paid_count, open_count, created_at, updated_at, version, event_sequence)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      link.number,
      link.id,
      link.slug,
      link.name,
      link.isActive ? 1 : 0,
      JSON.stringify(link.terms),
      link.maxPayments,
      link.expiresAt,
      link.metadata,
      link.paidCount,
      link.openCount,
      link.createdAt,
      link.updatedAt,
      link.version,
      link.eventSequence,
    );
  }
}

/** A stored link as D1 and the API have it. */
export function toLink({ eventSequence: _sequence, ...link }: StoredLink): PaymentLink {
  return link;
}

function fromRow(row: LinkRow): StoredLink {
  return {
    number: row.number,
    id: row.id,
    slug: row.slug,
    name: row.name,
    isActive: row.is_active === 1,
    terms: JSON.parse(row.terms) as LinkTerms,
    maxPayments: row.max_payments,
    expiresAt: row.expires_at,
    metadata: row.metadata,
    paidCount: row.paid_count,
    openCount: row.open_count,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    version: row.version,
    eventSequence: row.event_sequence,
  };
}
