import { and, gt, isNull, ne, or, sql, type SQL } from "drizzle-orm";
import type { AccountConnection } from "../../domain/psp/psp-account.ts";
import { FORMER_ACCOUNT_RETENTION_MS } from "../../domain/psp/psp-settings.ts";
import type { Database } from "../client.ts";
import { companyAccounts } from "../schema/psp-accounts.ts";

/** The query for the companies that use a client of a PSP's API at an account that is still served. */
export function selectPspClientHolders(db: Database, clientId: string, nowMs: number) {
  return db
    .select({
      companyId: companyAccounts.companyId,
      tokenUrl: sql<string>`json_extract(settings, '$.tokenUrl')`,
    })
    .from(companyAccounts)
    .where(and(sql`json_extract(settings, '$.clientId') = ${clientId}`, isServed(nowMs)));
}

/**
 * The query, as a part of another one, for the companies (`company_id`) whose account at its bank this is
 * (`identitiesOf`), as far as it is still served. Only accounts over the Pix API are also in the tables of before.
 */
export function accountHolders({ provider, settings }: AccountConnection, nowMs: number): SQL {
  const isServedNow = sql`sealed <> '' AND (left_at IS NULL OR left_at > ${nowMs - FORMER_ACCOUNT_RETENTION_MS})`;
  const ofHouse = (isSame: SQL) =>
    sql`SELECT company_id FROM psp_accounts WHERE provider = ${provider} AND (${isSame}) AND ${isServedNow}`;
  switch (provider) {
    case "PixApi":
      return sql`SELECT company_id FROM company_accounts WHERE json_extract(settings, '$.pixKey') = ${settings.pixKey} AND ${isServedNow}`;
    case "EfiCobrancas":
      return ofHouse(
        sql`json_extract(settings, '$.clientId') = ${settings.clientId} OR settings ->> 'payeeCode' = ${settings.payeeCode}`,
      );
    case "PagarMe":
      return ofHouse(
        sql`settings ->> 'publicKey' = ${settings.publicKey} OR settings ->> 'accountId' = ${settings.accountId ?? null}`,
      );
  }
}

/** A condition on `company_accounts`: it is not disconnected. */
export const hasSecrets = ne(companyAccounts.sealed, "");

/** A condition on `company_accounts`: its callbacks are accepted and its PIX key is its own. */
export function isServed(nowMs: number) {
  const { leftAt } = companyAccounts;
  return and(hasSecrets, or(isNull(leftAt), gt(leftAt, nowMs - FORMER_ACCOUNT_RETENTION_MS)));
}
