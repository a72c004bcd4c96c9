import { PAYMENT_METHODS } from "../charges/charge-status.ts";
import type { Fee } from "../ledger/fees.ts";
import type { Cents } from "../shared/money.ts";
import type { EfiCobrancasSettings } from "./efi-cobrancas-settings.ts";
import type { PagarMeSettings } from "./pagarme-settings.ts";
import type { PixApiSecrets, PixApiSettings } from "./psp-settings.ts";

/** What an account may carry: charges of a method, payouts, and automatic debits (Pix Automático). */
export const ACCOUNT_METHODS = [...PAYMENT_METHODS, "PAYOUT", "AUTOMATIC_PIX"] as const;
export type AccountMethod = (typeof ACCOUNT_METHODS)[number];

/**
 * `active`: takes new charges and payouts. `draining`: takes none, and serves those that it has. `left`: replaced, and
 * served for `FORMER_ACCOUNT_RETENTION_MS`. `disconnected`: without secrets; says which account took older payments.
 */
export const ACCOUNT_STATES = ["active", "draining", "left", "disconnected"] as const;
export type AccountState = (typeof ACCOUNT_STATES)[number];

/** When an account takes new charges, and for how much; what is left out is no condition. */
export interface AccountConditions {
  /** Centavos of the charge. */
  amountFrom?: Cents | undefined;
  amountTo?: Cents | undefined;
  /** `HH:MM-HH:MM` of a São Paulo day, from included to excluded; over midnight where the end is the earlier. */
  hours?: string | undefined;
  /** What the provider takes of each charge. Of accounts with one priority the cheapest for the amount comes first. */
  cost?: Fee | undefined;
}

/** The connection of each kind of account. */
export type AccountConnection =
  | { provider: "PixApi"; settings: PixApiSettings }
  | { provider: "EfiCobrancas"; settings: EfiCobrancasSettings }
  | { provider: "PagarMe"; settings: PagarMeSettings };

/** The kinds of accounts of live companies. */
export type AccountProvider = AccountConnection["provider"];

/** The connection of one kind. */
export type ConnectionOf<Provider extends AccountProvider> = Extract<
  AccountConnection,
  { provider: Provider }
>;

/** The secrets of each kind, stored encrypted. `callbackToken`: the last part of the callback path. */
export interface AccountSecrets {
  PixApi: PixApiSecrets;
  EfiCobrancas: { clientSecret: string; callbackToken: string };
  PagarMe: { secretKey: string; callbackToken: string };
}

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
  /** When it was configured, epoch milliseconds. */
  createdAt: number;
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

type Place = Pick<PspAccount, "methods" | "priority" | "conditions">;

/**
 * Whether two accounts would have one place in the order of a method: one priority, where their costs do not say which
 * comes first. Payouts know no costs.
 */
export function sharesPlace(one: Place, other: Place): boolean {
  if (one.priority !== other.priority) return false;
  const shared = one.methods.filter((method) => other.methods.includes(method));
  const haveCosts = one.conditions.cost !== undefined && other.conditions.cost !== undefined;
  return shared.some((method) => method === "PAYOUT" || !haveCosts);
}

/** Whether an account is one over the Pix API. */
export function isPixApi<Account extends AccountConnection>(
  account: Account,
): account is Extract<Account, { provider: "PixApi" }> {
  return account.provider === "PixApi";
}

/** The account that `/providers/pix-api` configures: the first connected one over the Pix API; null without one. */
export function pixApiAccount<Account extends AccountConnection>(
  accounts: readonly Account[],
): Extract<Account, { provider: "PixApi" }> | null {
  return accounts.find((account) => isPixApi(account)) ?? null;
}

/**
 * What makes two connections one account at its bank: a PIX key; at Efí the client or the payee code; at Pagar.me the
 * public key and the account's id. Each belongs to one company, so that no payment is credited to two.
 */
export function identitiesOf({ provider, settings }: AccountConnection): string[] {
  switch (provider) {
    case "PixApi":
      return [settings.pixKey];
    case "EfiCobrancas": {
      const { clientId, payeeCode } = settings;
      const payee = payeeCode === null ? [] : [`efi-cobrancas:payee:${payeeCode}`];
      return [`efi-cobrancas:client:${clientId}`, ...payee];
    }
    case "PagarMe":
      return [
        `pagarme:${settings.publicKey}`,
        ...(settings.accountId === undefined ? [] : [`pagarme:account:${settings.accountId}`]),
      ];
  }
}

/**
 * Whether a connection reaches the account at its bank that another one does, so that its charges can be asked about
 * there. Of a PIX account also the PSP and its client: a key may move to another bank.
 */
export function isSameAccount(before: AccountConnection, after: AccountConnection): boolean {
  if (before.provider !== after.provider) return false;
  if (isPixApi(before) && isPixApi(after)) {
    const isSameClient = before.settings.clientId === after.settings.clientId;
    if (!isSameClient || hostOf(before) !== hostOf(after)) return false;
  }
  if (before.provider === "PagarMe" && after.provider === "PagarMe") {
    const ids = [before.settings.accountId, after.settings.accountId];
    if (!ids.includes(undefined)) return ids[0] === ids[1];
  }
  const identities = identitiesOf(before);
  return identitiesOf(after).some((identity) => identities.includes(identity));
}

function hostOf({ settings: { baseUrl } }: AccountConnection): string {
  return new URL(baseUrl).host;
}
