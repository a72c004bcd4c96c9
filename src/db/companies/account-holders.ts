import { and, gt, isNull, ne, or, sql, type SQL } from "drizzle-orm";
import { FORMER_ACCOUNT_RETENTION_MS } from "../../domain/psp/psp-settings.ts";
import type { Database } from "../client.ts";
import { companyAccounts } from "../schema/psp-accounts.ts";

/** The query for the companies that have a PIX key at an account that is still served. */
export function selectPixKeyHolders(db: Database, pixKey: string, nowMs: number) {
  return db
    .select({ companyId: companyAccounts.companyId })
    .from(companyAccounts)
    .where(and(isPixKey(pixKey), isServed(nowMs)));
}

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

/** A condition on `company_accounts`: it has this PIX key. */
export function isPixKey(pixKey: string): SQL {
  return sql`json_extract(settings, '$.pixKey') = ${pixKey}`;
}

/** A condition on `company_accounts`: it is not disconnected. */
export const hasSecrets = ne(companyAccounts.sealed, "");

/** A condition on `company_accounts`: its callbacks are accepted and its PIX key is its own. */
export function isServed(nowMs: number) {
  const { leftAt } = companyAccounts;
  return and(hasSecrets, or(isNull(leftAt), gt(leftAt, nowMs - FORMER_ACCOUNT_RETENTION_MS)));
}
