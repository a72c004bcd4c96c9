import { env } from "../companies/env.ts";

/** Stores an account of a company without configuring it, as one over the Pix API that is connected. */
export async function givenAccountRow(
  companyId: number,
  settings: object,
  others: Partial<{ account: string; sealed: string; hash: string; leftAt: number }> = {},
): Promise<void> {
  const { account = "first", sealed = "", hash = "", leftAt = null } = others;
  await env.DB.prepare(
    `INSERT INTO psp_accounts (company_id, account, provider, settings, sealed, callback_token_hash, methods, priority,
       conditions, state, listed_until, list_at, list_window, created_at, updated_at, left_at)
     VALUES (?, ?, 'PixApi', ?, ?, ?, '["PIX"]', 1, '{}', ?, 0, 9000000000000000, 0, 0, 0, ?)`,
  )
    .bind(
      companyId,
      account,
      JSON.stringify(settings),
      sealed,
      hash,
      leftAt === null ? "active" : "left",
      leftAt,
    )
    .run();
}
