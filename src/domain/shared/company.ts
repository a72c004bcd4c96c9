import type { CompanyTerms } from "../ledger/fees.ts";
import type { StoredPixApi } from "./pix-api.ts";
import type { PixKey } from "./pix-key.ts";
import type { WithdrawPolicy } from "../withdraws/withdraw-policy.ts";

export const SCOPES = [
  "transactions:read",
  "transactions:write",
  "withdraws:read",
  "withdraws:write",
  "balance:read",
  "webhooks:read",
  "webhooks:write",
  "settings:write",
] as const;

export type Scope = (typeof SCOPES)[number];

export type CompanyMode = "sandbox" | "live";

/** A merchant, as its authenticated application sees it. */
export interface Company {
  id: number;
  name: string;
  mode: CompanyMode;
  /** A UUID fixed per company. */
  providerCompanyId: string;
  /** The main PIX key of the company's registered bank account. */
  mainPixKey: PixKey | null;
  /** The document of the registered bank account, `""` where there is none. */
  bankDocument: string;
  /** `""` where none is set. */
  webhookUrl: string;
  withdrawPolicy: WithdrawPolicy;
  terms: CompanyTerms;
  /** How it reaches its PSP; null where it has none, as a sandbox company always. */
  pixApi: StoredPixApi | null;
  /** Its object or its database is nearly full: it begins no new charges. */
  chargesStopped: boolean;
  /** Rises with each change of what authentication reads of it (`credentialsVersionOf`). */
  credentialsVersion: number;
}

/** Binds a company's sealed webhook secret to the company, so that it opens in no other row. */
export function webhookSecretContext(providerCompanyId: string): string {
  return `webhook-secret:${providerCompanyId}`;
}
