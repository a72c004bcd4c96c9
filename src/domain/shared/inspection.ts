/** A row as its table holds it, by the names of its columns. */
export type TableRow = Record<string, string | number | null>;

/** Rows by the name of their table. */
export type RowsByTable = Record<string, TableRow[]>;

/** A field of which D1 says something else than the company's object. */
export interface Mismatch {
  field: string;
  /** What D1 says. */
  here: unknown;
  /** What the object says. */
  there: unknown;
}

/** All that the gateway knows of one thing, as it stands in its two storages. */
export interface Inspection {
  companyId: number;
  /** Rows of the company's D1 database. */
  database: RowsByTable;
  /** Rows of the company's Durable Object. */
  object: RowsByTable;
  /** Where the two do not agree. A change that the object still owes D1 is among them. */
  differences: Mismatch[];
}
