/**
 * SQL: the next free company number. The directory has each company, or the database that it is in; a number
 * that a request has taken is free to nobody else, even if its company was never finished.
 */
export const NEXT_COMPANY = `max(
  coalesce((SELECT max(id) FROM companies), 0),
  coalesce((SELECT max(company_id) FROM placements), 0),
  coalesce((SELECT max(company_id) FROM company_creations), 0)) + 1`;
