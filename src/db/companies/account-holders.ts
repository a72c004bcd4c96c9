import { and, eq, gt, isNull, ne, or, sql, type SQL } from "drizzle-orm";
import type { AccountConnection } from "../../domain/psp/psp-account.ts";
import { FORMER_ACCOUNT_RETENTION_MS } from "../../domain/psp/psp-settings.ts";
import type { Database } from "../client.ts";
import { companyAccounts } from "../schema/psp-accounts.ts";

/** The query for the companies that have an account at its bank, as far as it is still served. */
export function selectAccountHolders(db: Database, connection: AccountConnection, nowMs: number) {
  return db
    .select({ companyId: companyAccounts.companyId })
    .from(companyAccounts)
    .where(and(isAccountAtBank(connection), isServed(nowMs)));
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

/**
 * A condition on `company_accounts`: it is this account at its bank (`identitiesOf`). Without a PIX key it reads all
 * accounts of a database, which is acceptable only for a rare operator request.
 */
export function isAccountAtBank({ provider, settings }: AccountConnection): SQL | undefined {
  const isOfKind = eq(companyAccounts.provider, provider);
  switch (provider) {
    case "PixApi":
      return sql`json_extract(settings, '$.pixKey') = ${settings.pixKey}`;
    case "EfiCobrancas": {
      const { clientId, payeeCode } = settings;
      const isPayee = payeeCode === null ? undefined : has("payeeCode", payeeCode);
      return and(isOfKind, or(has("clientId", clientId), isPayee));
    }
    case "PagarMe":
      return and(isOfKind, has("publicKey", settings.publicKey));
  }
}

function has(setting: string, value: string): SQL {
  return sql`json_extract(settings, ${`$.${setting}`}) = ${value}`;
}

/** A condition on `company_accounts`: it is not disconnected. */
export const hasSecrets = ne(companyAccounts.sealed, "");

/** A condition on `company_accounts`: its callbacks are accepted and its PIX key is its own. */
export function isServed(nowMs: number) {
  const { leftAt } = companyAccounts;
  return and(hasSecrets, or(isNull(leftAt), gt(leftAt, nowMs - FORMER_ACCOUNT_RETENTION_MS)));
}
