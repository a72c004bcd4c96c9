import type { LinkTerms, PaymentLink } from "../../domain/links/payment-link.ts";
import { assert } from "../../lib/assert.ts";
import { named } from "../storage/named-sql.ts";
import { Table } from "../storage/table.ts";

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

const PAYMENT_LINKS = new Table<LinkRow>("payment_links");

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
    return named("SELECT * FROM payment_links WHERE number > :number ORDER BY number LIMIT :limit")
      .exec<LinkRow>(this.#sql, { number, limit })
      .toArray()
      .map(fromRow);
  }

  save(link: StoredLink): void {
    PAYMENT_LINKS.replace(this.#sql, {
      number: link.number,
      id: link.id,
      slug: link.slug,
      name: link.name,
      is_active: link.isActive ? 1 : 0,
      terms: JSON.stringify(link.terms),
      max_payments: link.maxPayments,
      expires_at: link.expiresAt,
      metadata: link.metadata,
      paid_count: link.paidCount,
      open_count: link.openCount,
      created_at: link.createdAt,
      updated_at: link.updatedAt,
      version: link.version,
      event_sequence: link.eventSequence,
    });
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
