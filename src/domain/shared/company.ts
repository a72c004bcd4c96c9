import type { PendingSetting } from "../access/pending-setting.ts";
import type { CompanyTerms } from "../ledger/fees.ts";
import type { PspAccount } from "../psp/psp-account.ts";
import type { PixKey } from "./pix-key.ts";
import type { UnexpectedReason, UnexpectedRule } from "../charges/unexpected-payment.ts";
import type { Reminders } from "../reminders/reminder.ts";
import type { RefundPolicy } from "../exits/refund-policy.ts";
import type { SandboxFault } from "../time/sandbox-fault.ts";
import type { WithdrawPolicy } from "../withdraws/withdraw-policy.ts";

export const SCOPES = [
  "transactions:read",
  "transactions:write",
  "refunds:write",
  "withdraws:read",
  "withdraws:write",
  "withdraws:approve",
  "balance:read",
  "webhooks:read",
  "webhooks:write",
  "settings:write",
  "payments:write",
  "disputes:write",
  "keys:write",
  "people:write",
  "pii:read",
  "cashier:write",
] as const;

export type Scope = (typeof SCOPES)[number];

/**
 * Scopes that were part of another one before they were scopes of their own: an application whose scopes were
 * stored then has both (`SCOPES_VERSION`).
 */
const SPLIT_SCOPES: Partial<Record<Scope, Scope>> = {
  "transactions:write": "refunds:write",
  "withdraws:write": "withdraws:approve",
};
/** The version of the list of scopes under which an application's scopes are stored now. */
export const SCOPES_VERSION = 1;

/** The scopes of a stored text (`SCOPES_VERSION`); words that are no scope any more are left out. */
export function scopesOf(stored: string, version: number): ReadonlySet<Scope> {
  const words = new Set(stored.split(" "));
  if (version < SCOPES_VERSION) {
    for (const [whole, part] of Object.entries(SPLIT_SCOPES)) if (words.has(whole)) words.add(part);
  }
  return new Set(SCOPES.filter((scope) => words.has(scope)));
}

/**
 * The scopes of the first key of a company, which no second person gave: it does not approve what it asks for
 * itself, and makes other keys only if the operator asks for `keys:write`.
 */
export const FIRST_KEY_SCOPES = SCOPES.filter((scope) => scope !== "withdraws:approve");
export const DEFAULT_FIRST_KEY_SCOPES = FIRST_KEY_SCOPES.filter((scope) => scope !== "keys:write");

export type CompanyMode = "sandbox" | "live";

/** How a company's payers see it on the checkout. */
export interface Brand {
  /** Shown instead of the company's registered name; null for that name. */
  name: string | null;
  /** `#rrggbb` in lower case; null for the gateway's own colour. */
  color: string | null;
  /** An https address of an image; null for none. */
  logoUrl: string | null;
}

/** The brand of a company that has set none. */
export const NO_BRAND: Brand = { name: null, color: null, logoUrl: null };

/** A merchant, as its authenticated application sees it. */
export interface Company {
  id: number;
  name: string;
  mode: CompanyMode;
  /** How far its clock is ahead of the platform's, in milliseconds; 0 for a live company. */
  clockOffsetMs: number;
  /** What goes wrong at its bank and its receiver, by its clock; nothing for a live company. */
  sandboxFaults: readonly SandboxFault[];
  /** A UUID fixed per company. */
  providerCompanyId: string;
  /** The main PIX key of the company's registered bank account. */
  mainPixKey: PixKey | null;
  /** When the main PIX key was last changed (Unix milliseconds); null if it never was. */
  mainPixKeySince: number | null;
  /** The document of the registered bank account; `""` when there is none. */
  bankDocument: string;
  /** `""` when none is set. */
  webhookUrl: string;
  withdrawPolicy: WithdrawPolicy;
  refundPolicy: RefundPolicy;
  /** Rules that were loosened and do not hold yet, or not in this copy (`companyAt`). */
  pendingSettings: PendingSetting[];
  /** What becomes of each kind of unexpected payment. */
  unexpectedPayments: Record<UnexpectedReason, UnexpectedRule>;
  /** Days after a charge's end until its payer's data are replaced; null for never. */
  retentionDays: number | null;
  /** How its payers see it. */
  brand: Brand;
  /** Origins whose pages may frame its payers' pages (`embedOriginError`). */
  embedOrigins: string[];
  /** When it reminds its payers. */
  reminders: Reminders;
  terms: CompanyTerms;
  /** Its connected accounts at PSPs, the lowest priority first. Sandbox companies have none. */
  accounts: PspAccount[];
  /** Why there are no new charges: the company's object or its database is nearly full, or operators froze them. */
  chargesStopped: "storage" | "freeze" | null;
  /** The part that it has of the usual `QUOTAS`, in percent. */
  quotaPercent: number;
  /** The key of the keyed hashes of its payers, sealed; null before the first. */
  leadKeySealed: string | null;
  /** Rises with each change of the rows that authentication reads (`credentialsVersionOf`). */
  credentialsVersion: number;
}

/** The encryption context of a webhook secret: the ciphertext decrypts in no other company's row. */
export function webhookSecretContext(providerCompanyId: string): string {
  return `webhook-secret:${providerCompanyId}`;
}

/** The encryption context of the key of a company's keyed hashes of payers. */
export function payerKeyContext(providerCompanyId: string): string {
  return `lead-key:${providerCompanyId}`;
}
