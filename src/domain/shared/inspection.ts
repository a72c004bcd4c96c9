/** A row, by column name. */
export type TableRow = Record<string, string | number | null>;

/** Rows, by table name. */
export type RowsByTable = Record<string, TableRow[]>;

/** A field whose value in D1 differs from the one in the company's object. */
export interface Mismatch {
  field: string;
  /** The value in D1. */
  here: unknown;
  /** The value in the object. */
  there: unknown;
}

/** Everything that the gateway stores about one transaction, withdraw or company. */
export interface Inspection {
  companyId: number;
  /** Rows of the company's D1 database. */
  database: RowsByTable;
  /** Rows of the company's Durable Object. */
  object: RowsByTable;
  /** Fields in which the two differ, pending outbox entries included. */
  differences: Mismatch[];
}
