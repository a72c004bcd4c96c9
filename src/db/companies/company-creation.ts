import { eq, sql } from "drizzle-orm";
import { SCOPES_VERSION, type CompanyMode } from "../../domain/shared/company.ts";
import type { PixKey } from "../../domain/shared/pix-key.ts";
import type { Env } from "../../config.ts";
import { databaseFor, directoryOf } from "../client.ts";
import { apiKeys, applications, companies } from "../schema/companies.ts";
import { clients, companyCreations, fences, shardAssignments } from "../schema/routing.ts";
import { DIRECTORY } from "../sharding/databases.ts";
import { runIdempotent } from "../storage-errors.ts";
import { NEXT_COMPANY } from "./next-company.ts";

export type CompanyClaim = Omit<typeof companyCreations.$inferSelect, "companyId">;

/** A company to write under its number. Times in Unix milliseconds. */
export interface NewCompanyRows {
  companyId: number;
  providerCompanyId: string;
  clientId: string;
  name: string;
  mode: CompanyMode;
  mainPixKey: PixKey | null;
  bankDocument: string;
  webhookSecretSealed: string;
  /** Space separated. */
  scopes: string;
  keyHash: string;
  keyPrefix: string;
  nowMs: number;
}

/**
 * Takes the next company number for a request, with its database in the directory. A repeated key takes none
 * and returns what the first request took. One batch on `DB`.
 */
export async function claimCompany(
  env: Env,
  claim: CompanyClaim,
): Promise<typeof companyCreations.$inferSelect> {
  const db = directoryOf(env);
  const { idempotencyKey, requestHash, database, providerCompanyId, clientId, createdAt } = claim;
  const taken = sql`FROM company_creations
    WHERE provider_company_id = ${providerCompanyId} AND database <> ${DIRECTORY}
      AND idempotency_key = ${idempotencyKey}`;
  const [, , , , [stored]] = await runIdempotent(() =>
    db.batch([
      db
        .insert(companyCreations)
        // In the order of the table's columns. SQLite reads an upsert after a SELECT only with a WHERE.
        .select(
          sql`SELECT ${sql.raw(NEXT_COMPANY)}, ${idempotencyKey}, ${requestHash}, ${database},
            ${providerCompanyId}, ${clientId}, ${createdAt} WHERE true`,
        )
        .onConflictDoNothing(),
      db
        .insert(shardAssignments)
        .select(sql`SELECT company_id, database, 0, NULL, NULL, NULL, '', 'null', 0, 0 ${taken}`)
        .onConflictDoNothing(),
      // For isolates that looked for the company in `DB` before.
      db
        .insert(fences)
        .select(sql`SELECT company_id, 'left', 0, 0, 0 ${taken}`)
        .onConflictDoNothing(),
      db
        .insert(clients)
        .select(sql`SELECT client_id, company_id ${taken}`)
        .onConflictDoNothing(),
      db.select().from(companyCreations).where(eq(companyCreations.idempotencyKey, idempotencyKey)),
    ]),
  );
  return stored!;
}

/**
 * Writes a company with one application and one API key, in one batch on its database. False if the company
 * is there already, which then stays as it is.
 */
export async function addCompany(env: Env, rows: NewCompanyRows): Promise<boolean> {
  const { companyId, clientId, keyHash, nowMs, mainPixKey, webhookSecretSealed } = rows;
  const db = databaseFor(env, companyId);
  // Each sealing has a random nonce, so equal ciphertexts mean that this call made the company.
  const isMade = sql`EXISTS (SELECT 1 FROM companies
    WHERE id = ${companyId} AND webhook_secret_sealed = ${webhookSecretSealed})`;
  const [, , , [stored]] = await runIdempotent(() =>
    db.batch([
      db
        .insert(companies)
        .values({
          id: companyId,
          name: rows.name,
          mode: rows.mode,
          providerCompanyId: rows.providerCompanyId,
          mainPixKey: mainPixKey?.value ?? null,
          mainPixKeyType: mainPixKey?.type ?? null,
          bankDocument: rows.bankDocument,
          duplicateWithdrawGuard: true,
          webhookSecretSealed,
          createdAt: nowMs,
        })
        .onConflictDoNothing(),
      db
        .insert(applications)
        .values({
          clientId,
          companyId,
          name: "default",
          scopes: rows.scopes,
          scopesVersion: SCOPES_VERSION,
          createdAt: nowMs,
        })
        .onConflictDoNothing(),
      db
        .insert(apiKeys)
        // In the order of the table's columns.
        .select(
          sql`SELECT NULL, ${companyId}, ${keyHash}, ${nowMs}, NULL, NULL, ${clientId},
            ${rows.keyPrefix}, NULL, NULL, NULL WHERE ${isMade}`,
        )
        .onConflictDoNothing(),
      db
        .select({ sealed: companies.webhookSecretSealed })
        .from(companies)
        .where(eq(companies.id, companyId)),
    ]),
  );
  return stored?.sealed === webhookSecretSealed;
}
