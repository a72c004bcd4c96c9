import {
  leadKeyContext,
  SCOPES,
  webhookSecretContext,
  type CompanyMode,
} from "../../src/domain/shared/company.ts";
import { keyPrefix } from "../../src/domain/access/api-key.ts";
import type { PixKey } from "../../src/domain/shared/pix-key.ts";
import { toBase64 } from "../../src/lib/base64.ts";
import { sha256Hex } from "../../src/lib/hash.ts";
import { seal, type KeyRing } from "../../src/lib/secret-box.ts";

const LEAD_KEY_BYTES = 32;

export interface NewCompany {
  name: string;
  mode: CompanyMode;
  providerCompanyId: string;
  clientId: string;
  apiKey: string;
  webhookSecret: string;
  mainPixKey: PixKey | null;
  bankDocument: string;
  /** Whether a repeated withdraw needs a confirmation; the contract's default is no. */
  duplicateWithdrawGuard: boolean;
}

/** The next free company number. The directory has every company, or its shard assignment (`placements`). */
const NEXT_COMPANY = `max(coalesce((SELECT max(id) FROM companies), 0),
  coalesce((SELECT max(company_id) FROM placements), 0)) + 1`;

/**
 * The SQL that creates a company with one application (all scopes) and one API key. It contains the secrets
 * only as SHA-256 and as AES-GCM ciphertext. The id is `claimed` (`claimSql`) or the next free number.
 */
export async function companySql(
  company: NewCompany,
  secretsKeys: KeyRing,
  nowMs: number,
  claimed: number | null = null,
): Promise<string> {
  const sealed = await seal(
    secretsKeys,
    company.webhookSecret,
    webhookSecretContext(company.providerCompanyId),
  );
  const leadKey = await seal(
    secretsKeys,
    toBase64(crypto.getRandomValues(new Uint8Array(LEAD_KEY_BYTES))),
    leadKeyContext(company.providerCompanyId),
  );
  const keyHash = await sha256Hex(company.apiKey);
  const id = `(SELECT id FROM companies WHERE provider_company_id = ${quote(company.providerCompanyId)})`;
  return `
INSERT INTO companies (id, name, mode, provider_company_id, main_pix_key, main_pix_key_type,
  bank_document, webhook_url, webhook_secret_sealed, lead_key_sealed,
  duplicate_withdraw_guard, created_at)
SELECT ${claimed ?? NEXT_COMPANY}, ${quote(company.name)}, ${quote(company.mode)},
  ${quote(company.providerCompanyId)}, ${quote(company.mainPixKey?.value ?? null)},
  ${quote(company.mainPixKey?.type ?? null)}, ${quote(company.bankDocument)}, '', ${quote(sealed)},
  ${quote(leadKey)}, ${company.duplicateWithdrawGuard ? 1 : 0}, ${nowMs}
WHERE NOT EXISTS (SELECT 1 FROM companies
  WHERE provider_company_id = ${quote(company.providerCompanyId)});
INSERT INTO applications (client_id, company_id, name, scopes, created_at)
VALUES (${quote(company.clientId)}, ${id}, 'default', ${quote(SCOPES.join(" "))}, ${nowMs})
ON CONFLICT DO NOTHING;
INSERT INTO api_keys (company_id, client_id, key_hash, prefix, created_at)
VALUES (${id}, ${quote(company.clientId)}, ${quote(keyHash)},
  ${quote(keyPrefix(company.apiKey))}, ${nowMs})
ON CONFLICT DO NOTHING;
`;
}

/** The SQL that claims the next number for a company of another database, and returns it as `id`. */
export function claimSql(database: string): string {
  return `INSERT INTO placements (company_id, database, move, at_table, after_key, turn, lease_until)
SELECT ${NEXT_COMPANY}, ${quote(database)}, 0, '', 'null', 0, 0 RETURNING company_id AS id;`;
}

/**
 * The SQL that registers a company of another database in the directory: its client id, and a fence that
 * says it is not in `DB`, for isolates that looked for it there before.
 */
export function directorySql(company: NewCompany, id: number): string {
  return `INSERT INTO fences (company_id, state, move, turn) VALUES (${id}, 'left', 0, 0)
ON CONFLICT DO NOTHING;
INSERT INTO clients (client_id, company_id) VALUES (${quote(company.clientId)}, ${id})
ON CONFLICT DO NOTHING;`;
}

function quote(value: string | null): string {
  return value === null ? "NULL" : `'${value.replaceAll("'", "''")}'`;
}
