import { forgetProviderAccounts } from "../../../db/watch/providers.ts";
import { callCompany } from "../../../company-client/stub.ts";
import { disconnectAccounts } from "../../../db/companies/accounts/account-changes.ts";
import {
  listAccounts,
  releaseAccountClaims,
  saveAccount,
  saveCallbackToken,
  type PspAccountRow,
} from "../../../db/companies/psp-accounts.ts";
import {
  FIRST_PRIORITY,
  isPixApi,
  pixApiAccount,
  type ConnectionOf,
} from "../../../domain/psp/psp-account.ts";
import { findReconciledUntil } from "../../../db/reconciliation/reconciliation.ts";
import { isoTime, type RandomSource } from "../../../domain/shared/clock.ts";
import type { Company } from "../../../domain/shared/company.ts";
import {
  deskUrlOf,
  PSP_HEADERS,
  type PixApiAccess,
  type PixApiSecrets,
  type PixApiSettings,
} from "../../../domain/psp/psp-settings.ts";
import { parsePixKey } from "../../../domain/shared/pix-key.ts";
import { NEWEST_WINDOW_MAX_MS } from "../../../domain/reconciliation/reconciliation.ts";
import { configOf, type Env } from "../../../config.ts";
import type { Dependencies } from "../../../http/context.ts";
import { StaleVersionError } from "../../../http/auth/optimistic-auth.ts";
import { invalidState, notFound } from "../../../http/problems.ts";
import { assert } from "../../../lib/assert.ts";
import { toBase64Url } from "../../../lib/base64.ts";
import { canonicalJson, sha256Hex } from "../../../lib/hash.ts";
import { callbackUrlOf } from "../../../providers/callback-url.ts";
import { pixApiMethods } from "../../../providers/pix-api/config.ts";
import { callProvider } from "../../../providers/provider.ts";
import { openSecrets, sealSecrets, type StoredAccountOf } from "../../../providers/registry.ts";
import { newCallbackToken } from "../../provider-callbacks/token.ts";
import { updateCredentials } from "../../settings/update-credentials.ts";
import type { PixApiRequest } from "./schemas.ts";

const HOUR_MS = 3_600_000;
/** The id of a company's first account. */
const FIRST_ACCOUNT = "first";
/** 48 bits make the ids of a company's few accounts distinct. */
const ACCOUNT_BYTES = 6;

type PixApiRow = PspAccountRow & ConnectionOf<"PixApi">;

export interface PixApiContext {
  env: Env;
  deps: Dependencies;
  company: Company;
}

/** A connection to configure: `origin` is called back where the request names none. */
export interface PixApiChange {
  request: PixApiRequest;
  origin: string;
  /** Whether two operators decided it. */
  isApproved: boolean;
}

/**
 * Whether a connection leads elsewhere than the company's, or than the one that it had last: another PSP, account,
 * key or way of payouts. Who sets it alone could give the company's money to a PSP of his own, or have one report
 * payments that never were.
 */
export async function takesTwoOperators(
  { env, company }: Pick<PixApiContext, "env" | "company">,
  request: PixApiRequest,
): Promise<boolean> {
  const accounts = await listAccounts(env, company.id);
  const last = accounts.find((account) => isPixApi(account));
  if (last === undefined) return accounts.length > 0;
  const settings = settingsOf(request, last.settings.callbackOrigin);
  return leadsElsewhere(last.settings, settings) || callsBackElsewhere(env, last, { settings });
}

/**
 * Configures a live company's PSP and registers the callback URL there. A new account makes the current one a
 * former account, which the gateway still queries. Throws 409 for a sandbox company, for another company's
 * PIX key, and for a connection that leads elsewhere without two operators.
 */
export async function configurePixApi(
  context: PixApiContext,
  { request, origin, isApproved }: PixApiChange,
) {
  const { env, deps, company } = context;
  if (company.mode !== "live")
    throw invalidState("A sandbox company cannot have a PSP", "sandbox_company");
  if (!isApproved && (await takesTwoOperators(context, request))) {
    throw invalidState(
      "The connection has changed meanwhile. Send this again",
      "changed_meanwhile",
    );
  }
  const all = await listAccounts(env, company.id);
  const accounts = all.filter((account) => isPixApi(account));
  const before = accounts.find(isConnected) ?? null;
  const settings = settingsOf(request, origin);
  const isNewAccount =
    before !== null && !request.sameAccount && isOtherAccount(before.settings, settings);
  const known =
    isNewAccount || before === null ? matchingFormerAccount(accounts, settings) : before;
  const callbackToken = await callbackTokenOf(context, known);
  const secrets: PixApiSecrets = { clientSecret: request.clientSecret, callbackToken };
  const now = deps.platformClock.now();
  const connection = {
    provider: "PixApi" as const,
    account: known?.account ?? newAccountId(all.length > 0, deps.random),
    settings,
  };
  const row: PixApiRow = {
    ...connection,
    companyId: company.id,
    sealed: await sealSecrets(env, company, connection, secrets),
    callbackTokenHash: await sha256Hex(callbackToken),
    previousCallbackTokenHash: null,
    previousCallbackTokenUntil: null,
    methods: methodsAfter(isNewAccount ? null : before, settings),
    priority: before?.priority ?? FIRST_PRIORITY,
    conditions: (isNewAccount ? null : before)?.conditions ?? {},
    state: "active",
    reconciledUntil: now,
    nextRunAt: now,
    windowMs: NEWEST_WINDOW_MAX_MS,
    // A former account keeps its date: payments that it received as a former account are the company's too.
    createdAt: known?.createdAt ?? now,
    updatedAt: now,
    leftAt: null,
  };
  const change = {
    isSame: before !== null && !isNewAccount,
    replaces: isNewAccount ? before.account : null,
    credentialsVersion: company.credentialsVersion,
  };
  const saved = await updateCredentials(env, company.id, () => saveAccount(env, row, change));
  if (saved === "stale") throw new StaleVersionError(null);
  if (saved === "taken")
    throw invalidState("Another company already uses this PIX key", "pix_key_taken");
  const registered = await registerAt(context, row);
  return { ...(await viewOf(env, row, secrets)), ...registered };
}

/** The PSP configuration of a company, without its secret. Throws 404. */
export async function showPixApi({ env, company }: PixApiContext) {
  const row = pixApiAccount((await listAccounts(env, company.id)).filter(isConnected));
  if (row === null) throw notFound("provider");
  return viewOf(env, row, await openSecrets(env, company, row));
}

/** What the operator lets an account carry stays, as far as its settings allow; a new way of payouts or debits is used. */
function methodsAfter(before: PixApiRow | null, settings: PixApiSettings) {
  const possible = pixApiMethods(settings);
  if (before === null) return possible;
  const then = pixApiMethods(before.settings);
  return possible.filter((method) => before.methods.includes(method) || !then.includes(method));
}

/**
 * Disconnects a company's PSP with its former accounts; later refunds of their payments are refused. Throws 404
 * without a PSP, 409 while a charge, withdraw, refund, return, dispute or callback is open.
 */
export async function disconnectPixApi(context: PixApiContext) {
  const { env, deps, company } = context;
  const current = pixApiAccount(company.accounts);
  if (current === null) {
    // An interrupted configuration or removal may have left claims.
    await releaseAccountClaims(env, company.id, company.credentialsVersion);
    throw notFound("provider");
  }
  await retireCredentials(context, null);
  const all = await listAccounts(env, company.id);
  const accounts = all
    .filter((each) => isPixApi(each) && (each.account === current.account || !isConnected(each)))
    .map(({ account }) => account);
  const { id: companyId, credentialsVersion } = company;
  const disconnection = { companyId, accounts, openAt: null, credentialsVersion };
  const outcome = await disconnectAccounts(env, disconnection, deps.platformClock.now());
  if (outcome === "stale") throw new StaleVersionError(null);
  if (outcome === "open") throw providerHasOpenItems();
  await forgetProviderAccounts(env, companyId, accounts);
  return { removed: true as const };
}

/** Registers the callback URL at a company's PSP. Idempotent. Throws 404 without a PSP. */
export async function registerWebhook(context: PixApiContext) {
  const account = pixApiAccount(context.company.accounts);
  if (account === null) throw notFound("provider");
  return registerAt(context, account);
}

/** Registers the callback URL of an account at its PSP. Idempotent. */
export async function registerAt(
  { env, deps, company }: PixApiContext,
  account: StoredAccountOf<"PixApi">,
) {
  const provider = deps.providers(env).pixApi(company, account);
  const callbackUrl = callbackUrlOf(account, await openSecrets(env, company, account));
  const outcome = await callProvider(provider.registerWebhook(callbackUrl), {
    provider: provider.name,
    companyId: company.id,
  });
  switch (outcome.kind) {
    case "registered":
      return { callbackUrl, webhook: "registered" as const, webhookFault: null };
    case "refused":
      return { callbackUrl, webhook: "failed" as const, webhookFault: outcome.message };
    case "unknown":
      return { callbackUrl, webhook: "failed" as const, webhookFault: "The PSP did not answer." };
  }
}

/**
 * Replaces the token of a company's callback URL and registers the new URL at the PSP. The one before stays valid
 * for `overlapHours`, so that callbacks under way are not lost. Throws 404 without a PSP.
 */
export async function rotateCallbackToken(context: PixApiContext, overlapHours: number) {
  const { env, deps, company } = context;
  const current = pixApiAccount(company.accounts);
  if (current === null) throw notFound("provider");
  const { clientSecret } = await openSecrets(env, company, current);
  const callbackToken = newCallbackToken(company.id, deps.random);
  const previousUntil = deps.platformClock.now() + overlapHours * HOUR_MS;
  const token = {
    sealed: await sealSecrets(env, company, current, { clientSecret, callbackToken }),
    hash: await sha256Hex(callbackToken),
    previousUntil,
  };
  const saved = await updateCredentials(env, company.id, () =>
    saveCallbackToken(
      env,
      { companyId: company.id, account: current.account },
      token,
      company.credentialsVersion,
    ),
  );
  if (saved === "stale") throw new StaleVersionError(null);
  const registered = await registerAt(context, { ...current, sealed: saved.sealed });
  return { ...registered, previousValidUntil: isoTime(previousUntil) };
}

function settingsOf(request: PixApiRequest, origin: string): PixApiSettings {
  const {
    clientSecret: _secret,
    sameAccount: _same,
    reason: _reason,
    pixKeyType,
    ...settings
  } = request;
  const verdict = parsePixKey(request.pixKey, pixKeyType);
  assert(verdict.kind === "valid", "validation has checked the key");
  const callbackOrigin = request.callbackOrigin ?? origin;
  return { ...settings, pixKey: verdict.key.value, callbackOrigin };
}

function isConnected({ leftAt }: PspAccountRow): boolean {
  return leftAt === null;
}

/** The former account that the settings reach; null for a new account. */
function matchingFormerAccount(accounts: PixApiRow[], settings: PixApiSettings): PixApiRow | null {
  const former = accounts.filter((each) => !isConnected(each));
  return former.find((each) => !isOtherAccount(each.settings, settings)) ?? null;
}

/** Each account has its own token, which identifies the account of a callback. */
async function callbackTokenOf(
  { env, deps, company }: PixApiContext,
  known: PixApiRow | null,
): Promise<string> {
  if (known === null || known.sealed === "") return newCallbackToken(company.id, deps.random);
  return (await openSecrets(env, company, known)).callbackToken;
}

function newAccountId(hasHadOthers: boolean, random: RandomSource): string {
  return hasHadOthers ? toBase64Url(random.bytes(ACCOUNT_BYTES)) : FIRST_ACCOUNT;
}

/** Whether the settings reach another account or PSP. */
function isOtherAccount(before: PixApiAccess, after: PixApiAccess): boolean {
  return (
    before.baseUrl !== after.baseUrl ||
    before.clientId !== after.clientId ||
    before.pixKey !== after.pixKey ||
    before.payouts?.url !== after.payouts?.url ||
    canonicalJson(before.receiver ?? null) !== canonicalJson(after.receiver ?? null) ||
    // Dossiers name payers.
    deskUrlOf(before.disputeDesk) !== deskUrlOf(after.disputeDesk)
  );
}

/**
 * Whether money or credentials would go, or reports come from, elsewhere. At Inter a header names the account
 * (`x-conta-corrente`).
 */
export function leadsElsewhere(before: PixApiAccess, after: PixApiAccess): boolean {
  return (
    isOtherAccount(before, after) ||
    before.tokenUrl !== after.tokenUrl ||
    PSP_HEADERS.some((name) => before.headers?.[name] !== after.headers?.[name])
  );
}

interface CalledBack {
  settings: { callbackOrigin: string };
}

/**
 * Whether the provider's notices, with the payers and the token in them, would go to another service than before. This
 * one's own address is never another.
 */
export function callsBackElsewhere(env: Env, before: CalledBack, after: CalledBack): boolean {
  const { publicUrl } = configOf(env);
  const own = publicUrl === null ? null : new URL(publicUrl).origin;
  const { callbackOrigin } = after.settings;
  return callbackOrigin !== before.settings.callbackOrigin && callbackOrigin !== own;
}

/**
 * Throws 409 if the object has open items, of one account where it is named; the write to D1 checks the others. The
 * object then rejects commands with the present credentials version until D1 has a newer one (decision 0034).
 */
export async function retireCredentials(
  { env, company }: Pick<PixApiContext, "env" | "company">,
  account: string | null,
): Promise<void> {
  const { id: companyId, credentialsVersion } = company;
  const answer = await callCompany(env, companyId, (object) =>
    object.retireCredentials({ companyId, credentialsVersion, unless: "work", account }),
  );
  if (answer.kind === "version_conflict") throw new StaleVersionError(answer.newest);
  if (answer.kind === "open") throw providerHasOpenItems();
}

/** The 409 of an account that is still needed. */
export function providerHasOpenItems() {
  return invalidState(
    "Close the company's open charges and payouts at the PSP first",
    "company_in_use",
  );
}

export type PixApiView = Awaited<ReturnType<typeof viewOf>>;

async function viewOf(env: Env, row: PixApiRow, secrets: PixApiSecrets) {
  const accounts = await listAccounts(env, row.companyId);
  const former = accounts
    .filter((account) => isPixApi(account))
    .filter((each) => !isConnected(each));
  const currentAccount = { company: { id: row.companyId }, account: row.account };
  const { callbackOrigin: _origin, ...settings } = row.settings;
  return {
    ...settings,
    account: row.account,
    formerAccounts: former.map(({ account, sealed, leftAt, settings: { baseUrl, pixKey } }) => ({
      account,
      baseUrl,
      pixKey,
      connected: sealed !== "",
      leftAt: isoTime(leftAt ?? row.updatedAt),
    })),
    clientSecretSet: true as const,
    callbackUrl: callbackUrlOf(row, secrets),
    reconciledUntil: isoTime(
      (await findReconciledUntil(env, currentAccount, "payments")) ?? row.reconciledUntil,
    ),
    createdAt: isoTime(row.createdAt),
    updatedAt: isoTime(row.updatedAt),
  };
}
