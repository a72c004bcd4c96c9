import { accountsOfCompanies, recordProviderCalls } from "../db/watch/providers.ts";
import { findServedAccount } from "../db/companies/psp-accounts.ts";
import { providerRefsOf } from "../db/provider-refs.ts";
import { sandboxBankStore } from "../db/sandbox-bank-store.ts";
import { sandboxMandateStore } from "../db/sandbox-mandates.ts";
import type { PaymentMethod } from "../domain/charges/charge-status.ts";
import {
  companyClock,
  systemClock,
  systemRandom,
  type Clock,
  type RandomSource,
} from "../domain/shared/clock.ts";
import type { Company } from "../domain/shared/company.ts";
import {
  type AccountConnection,
  type AccountMethod,
  type AccountProvider,
  type AccountSecrets,
  type ConnectionOf,
  type PspAccount,
} from "../domain/psp/psp-account.ts";
import { routesOf } from "../domain/psp/routes.ts";
import type { Cents } from "../domain/shared/money.ts";
import { accountSecretContext, pixApiSecretContext } from "../domain/psp/psp-settings.ts";
import type { ProviderName } from "../domain/charges/transaction.ts";
import { certificateOf, configOf, type Env } from "../config.ts";
import { assert } from "../lib/assert.ts";
import { inBackground } from "../lib/in-background.ts";
import { errorFields, log } from "../lib/log.ts";
import { canonicalJson } from "../lib/hash.ts";
import { seal, unseal } from "../lib/secret-box.ts";
import { AccountHealth } from "./account-health.ts";
import { CallRecorder, type EndedCall } from "./call-recorder.ts";
import { callbackUrlOf } from "./callback-url.ts";
import { EfiCobrancasProvider } from "./efi-cobrancas/provider.ts";
import { PagarMeProvider } from "./pagarme/provider.ts";
import { PixApiProvider } from "./pix-api/provider.ts";
import { TokenCache } from "./calls/token-cache.ts";
import type { CallbackReader } from "./notification.ts";
import type { Provider } from "./provider.ts";
import { FaultyBank } from "./sandbox/faulty-bank.ts";
import { SandboxProvider } from "./sandbox/provider.ts";

/** The part of a company that decides its provider. */
export type ProviderOwner = Pick<
  Company,
  "id" | "mode" | "clockOffsetMs" | "sandboxFaults" | "providerCompanyId" | "accounts"
>;

/** The part of an account that its provider needs. */
type StoredAccount = AccountConnection & Pick<PspAccount, "account" | "sealed" | "createdAt">;
/** That of an account of one kind. */
export type StoredAccountOf<Name extends AccountProvider> = ConnectionOf<Name> &
  Pick<PspAccount, "account" | "sealed" | "createdAt">;

type SecretsOwner = Pick<Company, "providerCompanyId">;

type SandboxOwner = Pick<Company, "id" | "clockOffsetMs" | "sandboxFaults">;

/** Finds the provider of a company's charges and payouts. */
export interface ProviderRegistry {
  /** Null where the company has no provider for the method; else the first that is asked. */
  forCharge(company: ProviderOwner, method: PaymentMethod): Provider | null;
  /**
   * The accounts that may take a new charge of so many centavos, in the order in which they are asked; empty where
   * none may. Now and then a silent account keeps its place, which tries it.
   */
  routesFor(company: ProviderOwner, method: PaymentMethod, amount: Cents): Provider[];
  /** The accounts that may take a new mandate for debits of so many centavos, as `routesFor`. */
  mandateRoutesFor(company: ProviderOwner, amount: Cents): Provider[];
  /** All accounts that take new charges of the method, whatever the conditions under which they are asked. */
  accountsFor(company: ProviderOwner, method: PaymentMethod): Provider[];
  /**
   * An account where it takes new charges of the method, whatever the conditions under which it is asked; else null. A
   * saved card can be charged nowhere else.
   */
  accountFor(company: ProviderOwner, method: PaymentMethod, account: string): Provider | null;
  /** Null where the company has no provider for payouts. */
  forPayout(company: ProviderOwner): Provider | null;
  /**
   * The account that took a payment or sent a payout, of today or a former one; null where it is no longer
   * connected. Asks D1 only for a former one. Of a sandbox company always the sandbox.
   */
  ofAccount(
    company: ProviderOwner,
    account: string,
    method?: PaymentMethod,
  ): Promise<Provider | null>;
  /** A live company's account over the Pix API. */
  pixApi(company: ProviderOwner, account: StoredAccountOf<"PixApi">): PixApiProvider;
  /** Who reads the callbacks to an account, of today or a former one; null where it is no longer connected. */
  callbackReader(company: ProviderOwner, account: string): Promise<CallbackReader | null>;
  /** The sandbox bank behind the sandbox routes. */
  sandbox(company: SandboxOwner): SandboxProvider;
}

/** All requests of an isolate share the tokens. */
const tokens = new TokenCache();
/** All requests of an isolate count together. */
const recorder = new CallRecorder(recordProviderCalls);
/** All requests of an isolate learn together. */
const health = new AccountHealth();

/** Writes the calls to PSPs that this isolate has only counted so far. */
export function flushProviderCalls(env: Env, nowMs: number): Promise<void> {
  return recorder.flush(env, nowMs);
}

/**
 * The composition root of the providers: sandbox companies have the sandbox, live ones the PSP that
 * the operator has configured for them.
 */
export function providerRegistry(
  env: Env,
  platformClock: Clock = systemClock,
  random: RandomSource = systemRandom,
): ProviderRegistry {
  const sandbox = (company: SandboxOwner, paymentMethod?: PaymentMethod) => {
    const parts = {
      ...sandboxStores(env, company),
      clock: companyClock(platformClock, company),
      random,
      paymentMethod,
    };
    const faults = company.sandboxFaults;
    return faults.length === 0 ? new SandboxProvider(parts) : new FaultyBank({ ...parts, faults });
  };
  const pixApi = (company: ProviderOwner, account: StoredAccountOf<"PixApi">) =>
    pixApiOf(env, platformClock, company, account);
  const providerOf = (company: ProviderOwner, account: StoredAccount) =>
    liveProvider(env, platformClock, company, account);
  const servedProvider = async (company: ProviderOwner, account: string) => {
    const found =
      company.accounts.find((each) => each.account === account) ??
      (await findServedAccount(env, company.id, account));
    return found === null ? null : providerOf(company, found);
  };
  /** The accounts that take a charge or payout, in order; of a sandbox company none. */
  const routes = (
    company: ProviderOwner,
    method: AccountMethod,
    amount: Cents | null,
    mayTry: boolean,
  ) => {
    if (company.mode === "sandbox") return [];
    const nowMs = platformClock.now();
    if (mayTry) learnHealth(env, company, nowMs);
    const silent = silentAccounts(company, mayTry ? nowMs : null);
    const isSilent = (account: string) => silent.has(account);
    return routesOf(company.accounts, method, { amount, nowMs, isSilent }).map((account) =>
      providerOf(company, account),
    );
  };
  /** Those of charges, of a live or sandbox company: under an amount's conditions, or all where it is null. */
  const chargeRoutes = (company: ProviderOwner, method: PaymentMethod, amount: Cents | null) =>
    company.mode === "sandbox"
      ? [sandbox(company, method)]
      : routes(company, method, amount, amount !== null).filter((each) => isOf(each, method));
  const accountsFor = (company: ProviderOwner, method: PaymentMethod) =>
    chargeRoutes(company, method, null);
  return {
    sandbox: (company) => sandbox(company),
    pixApi,
    callbackReader: async (company, account) =>
      company.mode === "sandbox" ? null : servedProvider(company, account),
    ofAccount: async (company, account, method) =>
      company.mode === "sandbox" ? sandbox(company, method) : servedProvider(company, account),
    routesFor: chargeRoutes,
    mandateRoutesFor: (company, amount) =>
      company.mode === "sandbox"
        ? [sandbox(company, "PIX")]
        : routes(company, "AUTOMATIC_PIX", amount, true).filter(
            ({ mandates }) => mandates !== null,
          ),
    accountsFor,
    accountFor: (company, method, account) =>
      accountsFor(company, method).find((each) => each.account === account) ?? null,
    forCharge: (company, method) => accountsFor(company, method)[0] ?? null,
    forPayout: (company) =>
      company.mode === "sandbox"
        ? sandbox(company)
        : (routes(company, "PAYOUT", null, false)[0] ?? null),
  };
}

function sandboxStores(env: Env, { id }: SandboxOwner) {
  return { store: sandboxBankStore(env, id), mandateStore: sandboxMandateStore(env) };
}

/** The adapter of a live company's account. */
function liveProvider(env: Env, clock: Clock, company: ProviderOwner, account: StoredAccount) {
  switch (account.provider) {
    case "PixApi":
      return pixApiOf(env, clock, company, account);
    case "EfiCobrancas":
      return efiCobrancasOf(env, clock, company, account);
    case "PagarMe":
      return pagarMeOf(env, clock, company, account);
  }
}

function isOf(provider: Provider, method: PaymentMethod): boolean {
  return provider.paymentMethods.includes(method);
}

/** Asks D1 in the background, for the charges after this one; only of a company with a choice. */
function learnHealth(env: Env, { id, accounts }: ProviderOwner, nowMs: number): void {
  if (accounts.length < 2 || !health.takeQuestion(id)) return;
  const learning = accountsOfCompanies(env, [id]).then(
    (known) => known.forEach((account) => health.learn(account, nowMs)),
    (error: unknown) => log("warn", "account_health_unread", errorFields(error)),
  );
  void inBackground(learning);
}

/** A company's silent accounts, without those that are tried now; null tries none. */
function silentAccounts({ id, accounts }: ProviderOwner, tryAt: number | null): Set<string> {
  const isLeftOut = (account: string) =>
    health.isSilent({ companyId: id, account }) &&
    (tryAt === null || !health.takeTry({ companyId: id, account }, tryAt));
  return new Set(accounts.map(({ account }) => account).filter(isLeftOut));
}

/** The provider of a charge, the only one that knows it; null where its account is disconnected. */
export async function providerOfCharge(
  providers: Pick<ProviderRegistry, "ofAccount">,
  company: ProviderOwner,
  charge: { provider: ProviderName; account: string; paymentMethod: PaymentMethod },
): Promise<Provider | null> {
  const provider = await providers.ofAccount(company, charge.account, charge.paymentMethod);
  return provider?.name === charge.provider ? provider : null;
}

/** The secrets of a company's account. Throws where they cannot be opened. */
export async function openSecrets<Name extends AccountProvider>(
  env: Env,
  company: SecretsOwner,
  account: StoredAccountOf<Name>,
): Promise<AccountSecrets[Name]> {
  const context = secretContextOf(company, account);
  const opened = await unseal(configOf(env).secretsKeys, account.sealed, context);
  return JSON.parse(opened) as AccountSecrets[Name];
}

/** Secrets sealed for a company's account and its settings. */
export function sealSecrets<Name extends AccountProvider>(
  env: Env,
  company: SecretsOwner,
  account: ConnectionOf<Name> & Pick<PspAccount, "account">,
  secrets: AccountSecrets[Name],
): Promise<string> {
  const context = secretContextOf(company, account);
  return seal(configOf(env).secretsKeys, JSON.stringify(secrets), context);
}

/** The encryption context of an account's secrets: who changes its settings cannot have them sent elsewhere. */
export function secretContextOf(
  { providerCompanyId }: SecretsOwner,
  { provider, settings, account }: AccountConnection & Pick<PspAccount, "account">,
): string {
  const canonical = canonicalJson(settings);
  return provider === "PixApi"
    ? pixApiSecretContext(providerCompanyId, canonical)
    : accountSecretContext(provider, { providerCompanyId, account }, canonical);
}

function pixApiOf(
  env: Env,
  clock: Clock,
  company: ProviderOwner,
  stored: StoredAccountOf<"PixApi">,
): PixApiProvider {
  const { settings, sealed } = stored;
  return new PixApiProvider({
    ...commonParts(env, clock, company, stored),
    config: { ...settings, clientSecret: sealed },
    openSecret: async () => (await openSecrets(env, company, stored)).clientSecret,
    fetch: mtlsFetcher(env, settings.certificate),
  });
}

function efiCobrancasOf(
  env: Env,
  clock: Clock,
  company: ProviderOwner,
  stored: StoredAccountOf<"EfiCobrancas">,
): EfiCobrancasProvider {
  const { account, settings } = stored;
  const secrets = () => openSecrets(env, company, stored);
  return new EfiCobrancasProvider({
    ...commonParts(env, clock, company, stored),
    config: settings,
    openSecret: async () => (await secrets()).clientSecret,
    notificationUrl: async () => callbackUrlOf(stored, await secrets()),
    refs: providerRefsOf(env, clock, { companyId: company.id, account }),
    fetch: mtlsFetcher(env, null),
  });
}

function pagarMeOf(
  env: Env,
  clock: Clock,
  company: ProviderOwner,
  stored: StoredAccountOf<"PagarMe">,
): PagarMeProvider {
  const { account, settings } = stored;
  return new PagarMeProvider({
    ...commonParts(env, clock, company, stored),
    config: settings,
    openSecret: async () => (await openSecrets(env, company, stored)).secretKey,
    refs: providerRefsOf(env, clock, { companyId: company.id, account }),
    fetch: mtlsFetcher(env, null),
  });
}

/** What the adapters of all kinds take. */
function commonParts(
  env: Env,
  clock: Clock,
  { id: companyId }: ProviderOwner,
  { account, createdAt }: StoredAccount,
) {
  return {
    account,
    createdAt,
    clock,
    tokens,
    ended: (call: Omit<EndedCall, "companyId" | "account">) => {
      const ended = { companyId, account, ...call };
      recorder.ended(env, ended, clock.now());
      health.ended(ended, clock.now());
    },
    allowHttpLoopback: configOf(env).allowHttpLoopbackWebhooks,
  };
}

/** Calls with the client certificate of a binding, or with none where the PSP asks for none. */
function mtlsFetcher(env: Env, certificate: string | null) {
  if (certificate === null) return (request: Request) => fetch(request);
  return async (request: Request): Promise<Response> => {
    const binding = certificateOf(env, certificate);
    assert(binding !== null, `the Worker has a certificate binding ${certificate}`);
    return binding.fetch(request);
  };
}
