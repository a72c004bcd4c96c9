/** What a fork's first movement and its row name of the original: its newest movement and that one's hash. */
export interface ForkOrigin {
  companyId: number;
  movement: number;
  hash: string;
}

/** A company as it was read for a fork. */
export interface ForkHead extends ForkOrigin {
  /** The original's time then, epoch milliseconds. */
  at: number;
  /** How far its clock was ahead then, in milliseconds. */
  clockOffsetMs: number;
}

/** Of a copied row of `movements`. */
interface MovementRow {
  sequence: number;
  /** JSON. */
  postings: string;
  /** JSON; null for none. */
  details: string | null;
}

/**
 * The details of a ledger's first movement with the original's head, so that the chain begins with it. Null stays where
 * the audit reads releases from details, in ledgers of before they had any (decision 0039).
 */
export function withOrigin<Row extends MovementRow>(row: Row, origin: ForkOrigin): Row {
  if (row.sequence !== 1) return row;
  const postings = JSON.parse(row.postings) as Record<string, number>;
  if (row.details === null && "awaiting" in postings) return row;
  const details = row.details === null ? {} : (JSON.parse(row.details) as object);
  const { companyId, movement, hash } = origin;
  return {
    ...row,
    details: JSON.stringify({ ...details, forkedFrom: { companyId, movement, hash } }),
  };
}
