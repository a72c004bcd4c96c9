import type { PaymentMethod } from "../charges/charge-status.ts";
import type { Cents } from "../shared/money.ts";
import type { PixApiSettings } from "./psp-settings.ts";

/** What an account may carry: charges of a method, and payouts. */
export type AccountMethod = PaymentMethod | "PAYOUT";

/**
 * `active`: takes new charges and payouts. `draining`: takes none, and serves those that it has. `left`: replaced, and
 * served for `FORMER_ACCOUNT_RETENTION_MS`. `disconnected`: without secrets; says which account took older payments.
 */
export const ACCOUNT_STATES = ["active", "draining", "left", "disconnected"] as const;
export type AccountState = (typeof ACCOUNT_STATES)[number];

/** When an account takes new charges; what is left out is no condition. */
export interface AccountConditions {
  /** Centavos of the charge. */
  amountFrom?: Cents | undefined;
  amountTo?: Cents | undefined;
  /** `HH:MM-HH:MM` of a São Paulo day, from included to excluded; over midnight where the end is the earlier. */
  hours?: string | undefined;
}

/** The connection of each kind of account. */
export type AccountConnection = { provider: "PixApi"; settings: PixApiSettings };

/** A company's account at a PSP or an acquirer. */
export type PspAccount = AccountConnection & {
  /** Its id within the company, which every charge, payment, refund and payout names for ever. */
  account: string;
  /** Its secrets, AES-256-GCM under the Worker secret `SECRETS_KEY`. */
  sealed: string;
  methods: readonly AccountMethod[];
  /** The order among the accounts of a method: the lowest first. */
  priority: number;
  conditions: AccountConditions;
  state: AccountState;
};

/** The priority of a company's first account. */
export const FIRST_PRIORITY = 1;

/** Whether an account takes a new charge or payout of a method. */
export function takes(
  { state, methods }: Pick<PspAccount, "state" | "methods">,
  method: AccountMethod,
): boolean {
  return state === "active" && methods.includes(method);
}

/** The account that `/providers/pix-api` configures: the first connected one over the Pix API; null without one. */
export function pixApiAccount(accounts: readonly PspAccount[]): PspAccount | null {
  return accounts.find(({ provider }) => provider === "PixApi") ?? null;
}
