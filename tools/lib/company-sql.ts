import { NEXT_COMPANY } from "../../src/db/companies/next-company.ts";
import {
  FIRST_KEY_SCOPES,
  payerKeyContext,
  SCOPES_VERSION,
  webhookSecretContext,
  type CompanyMode,
  type Scope,
} from "../../src/domain/shared/company.ts";
import { keyPrefix } from "../../src/domain/access/masks.ts";
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

/** A second application of a company of a local database, for what one application does not do alone. */
export interface FurtherApplication {
  company: Pick<NewCompany, "providerCompanyId">;
  name: string;
  clientId: string;
  apiKey: string;
  scopes: readonly Scope[];
}

/**
 * The SQL that creates a company of a local database, with one application (all scopes but approving) and one API key. It
 * contains the secrets only as SHA-256 and as AES-GCM ciphertext. Operators create companies over HTTP.
 */
export async function companySql(
  company: NewCompany,
  secretsKeys: KeyRing,
  nowMs: number,
): Promise<string> {
  const sealed = await seal(
    secretsKeys,
    company.webhookSecret,
    webhookSecretContext(company.providerCompanyId),
  );
  const leadKey = await seal(
    secretsKeys,
    toBase64(crypto.getRandomValues(new Uint8Array(LEAD_KEY_BYTES))),
    payerKeyContext(company.providerCompanyId),
  );
  return `
INSERT INTO companies (id, name, mode, provider_company_id, main_pix_key, main_pix_key_type,
  bank_document, webhook_url, webhook_secret_sealed, duplicate_withdraw_guard, lead_key_sealed,
  created_at)
SELECT ${NEXT_COMPANY}, ${quote(company.name)}, ${quote(company.mode)},
  ${quote(company.providerCompanyId)}, ${quote(company.mainPixKey?.value ?? null)},
  ${quote(company.mainPixKey?.type ?? null)}, ${quote(company.bankDocument)}, '', ${quote(sealed)},
  ${company.duplicateWithdrawGuard ? 1 : 0}, ${quote(leadKey)}, ${nowMs}
WHERE NOT EXISTS (SELECT 1 FROM companies
  WHERE provider_company_id = ${quote(company.providerCompanyId)});
${await applicationSql({ ...company, company, name: "default", scopes: FIRST_KEY_SCOPES }, nowMs)}`;
}

/** The SQL that adds an application with one API key to a company; one that is there stays as it is. */
export async function applicationSql(
  { company, name, clientId, apiKey, scopes }: FurtherApplication,
  nowMs: number,
): Promise<string> {
  const keyHash = await sha256Hex(apiKey);
  const id = `(SELECT id FROM companies WHERE provider_company_id = ${quote(company.providerCompanyId)})`;
  return `
INSERT INTO applications (client_id, company_id, name, scopes, scopes_version, created_at)
VALUES (${quote(clientId)}, ${id}, ${quote(name)}, ${quote(scopes.join(" "))}, ${SCOPES_VERSION}, ${nowMs})
ON CONFLICT DO NOTHING;
INSERT INTO api_keys (company_id, client_id, key_hash, prefix, created_at)
VALUES (${id}, ${quote(clientId)}, ${quote(keyHash)},
  ${quote(keyPrefix(apiKey))}, ${nowMs})
ON CONFLICT DO NOTHING;
`;
}

function quote(value: string | null): string {
  return value === null ? "NULL" : `'${value.replaceAll("'", "''")}'`;
}
