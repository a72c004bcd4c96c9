import {
  disconnectAccounts,
  saveAccountTerms,
  type AccountTerms,
} from "../../../db/companies/accounts/account-changes.ts";
import {
  listAccounts,
  saveAccount,
  type PspAccountRow,
} from "../../../db/companies/psp-accounts.ts";
import { forgetProviderAccounts } from "../../../db/watch/providers.ts";
import {
  identitiesOf,
  isPixApi,
  isSameAccount,
  sharesPlace,
  type AccountConnection,
  type AccountProvider,
  type AccountSecrets,
} from "../../../domain/psp/psp-account.ts";
import { NEWEST_WINDOW_MAX_MS } from "../../../domain/reconciliation/reconciliation.ts";
import { Problem } from "../../../domain/shared/problem.ts";
import { breaks } from "../../../lib/fields/rules.ts";
import { StaleVersionError } from "../../../http/auth/optimistic-auth.ts";
import { invalidState, notFound } from "../../../http/problems.ts";
import { sha256Hex } from "../../../lib/hash.ts";
import { possibleMethods } from "../../../providers/account-methods.ts";
import { openSecrets, sealSecrets } from "../../../providers/registry.ts";
import { newCallbackToken } from "../../provider-callbacks/token.ts";
import { updateCredentials } from "../../settings/update-credentials.ts";
import {
  callsBackElsewhere,
  leadsElsewhere,
  providerHasOpenItems,
  registerAt,
  retireCredentials,
  type PixApiContext,
} from "../pix-api/service.ts";
import type { AccountChange } from "./schemas.ts";

/** The secrets that a request names: the callback token is the gateway's own. */
type NewSecrets = {
  [Provider in AccountProvider]: Omit<AccountSecrets[Provider], "callbackToken">;
};

/** An account to connect, as a request or a proposal has it. */
export type NewAccount = AccountConnection &
  Pick<PspAccountRow, "account" | "methods" | "priority" | "conditions"> & {
    secrets: NewSecrets[AccountProvider];
  };

function isConnected({ leftAt }: Pick<PspAccountRow, "leftAt">): boolean {
  return leftAt === null;
}

/**
 * Whether one operator alone may not connect it: it is new in a company that has had one, or it leads elsewhere than
 * the account of its name, or it pays out where that one did not.
 */
export async function connectTakesTwo(
  context: Pick<PixApiContext, "env" | "company">,
  wanted: NewAccount,
): Promise<boolean> {
  const rows = await listAccounts(context.env, context.company.id);
  const before = rows.find(({ account }) => account === wanted.account);
  if (before === undefined) return rows.length > 0;
  if (!isConnected(before) || payoutsChange(before, wanted)) return true;
  if (leadsAway(before, wanted) || callsBackElsewhere(context.env, before, wanted)) return true;
  return hasOtherKey(context, before, wanted);
}

/** Whether one operator alone may not change it so: another account would pay out. Throws 404. */
export async function changeTakesTwo(
  context: Pick<PixApiContext, "env" | "company">,
  account: string,
  change: AccountChange,
): Promise<boolean> {
  const before = await connectedAccount(context, account);
  return payoutsChange(before, { ...before, ...termsAfter(before, change) });
}

/**
 * Connects an account, or changes the connection of one. Throws 409 for a sandbox company, for an account that another
 * company has or that has another name, for a priority that is taken, and without two operators where it takes them.
 */
export async function connectAccount(
  context: PixApiContext,
  wanted: NewAccount,
  isApproved: boolean,
) {
  const { env, deps, company } = context;
  if (!isApproved && (await connectTakesTwo(context, wanted))) throw changedMeanwhile();
  const before = await findConflictFree(context, wanted);
  const kept = before === null || before.sealed === "" ? null : before;
  const { secrets, ...connection } = withKnownId(kept, wanted);
  const callbackToken =
    kept === null
      ? newCallbackToken(company.id, deps.random)
      : (await openSecrets(env, company, kept)).callbackToken;
  const now = deps.platformClock.now();
  const sealed = await sealSecrets(env, company, connection, { ...secrets, callbackToken });
  const row: PspAccountRow = {
    ...connection,
    companyId: company.id,
    sealed,
    callbackTokenHash: await sha256Hex(callbackToken),
    previousCallbackTokenHash: null,
    previousCallbackTokenUntil: null,
    state: "active",
    reconciledUntil: now,
    nextRunAt: now,
    windowMs: NEWEST_WINDOW_MAX_MS,
    createdAt: before?.createdAt ?? now,
    updatedAt: now,
    leftAt: null,
  };
  const change = {
    isSame: before !== null && isConnected(before),
    replaces: null,
    credentialsVersion: company.credentialsVersion,
  };
  const saved = await updateCredentials(env, company.id, () => saveAccount(env, row, change));
  if (saved === "stale") throw new StaleVersionError(null);
  if (saved === "taken") {
    throw isPixApi(wanted)
      ? invalidState("Another company already uses this PIX key", "pix_key_taken")
      : invalidState("Another company already uses this account", "account_taken");
  }
  if (!isPixApi(saved)) return { webhook: "manual" as const, webhookFault: null };
  const { webhook, webhookFault } = await registerAt(context, saved);
  return { webhook, webhookFault };
}

/** The connection with the id that its house has for it, where the account had it and the request leaves it out. */
function withKnownId(before: PspAccountRow | null, wanted: NewAccount): NewAccount {
  if (before?.provider !== "PagarMe" || wanted.provider !== "PagarMe") return wanted;
  const accountId = wanted.settings.accountId ?? before.settings.accountId;
  return accountId === undefined
    ? wanted
    : { ...wanted, settings: { ...wanted.settings, accountId } };
}

/**
 * Changes which charges and payouts an account takes. Throws 404 for one that is not connected, 409 for a priority
 * that is taken, and without two operators where it takes them.
 */
export async function changeAccount(
  context: PixApiContext,
  account: string,
  change: AccountChange,
  isApproved: boolean,
): Promise<void> {
  const { env, deps, company } = context;
  if (!isApproved && (await changeTakesTwo(context, account, change))) throw changedMeanwhile();
  const before = await connectedAccount(context, account);
  const after = termsAfter(before, change);
  requirePossible(before, after);
  const rows = await listAccounts(env, company.id);
  requireFreePriority(rows, { ...before, ...after });
  const { credentialsVersion } = company;
  const isSaved = await updateCredentials(env, company.id, () =>
    saveAccountTerms(env, before, after, { credentialsVersion, nowMs: deps.platformClock.now() }),
  );
  if (!isSaved) throw new StaleVersionError(null);
}

/**
 * Disconnects one account; later refunds of its payments are refused. Throws 404 for one that is not there, 409 while
 * a charge, withdraw, refund, return, dispute or callback of it is open.
 */
export async function disconnectAccount(context: PixApiContext, account: string): Promise<void> {
  const { env, deps, company } = context;
  const rows = await listAccounts(env, company.id);
  const row = rows.find((each) => each.account === account && each.sealed !== "");
  if (row === undefined) throw notFound("provider");
  await retireCredentials(context, account);
  const { id: companyId, credentialsVersion } = company;
  const outcome = await disconnectAccounts(
    env,
    { companyId, accounts: [account], openAt: account, credentialsVersion },
    deps.platformClock.now(),
  );
  if (outcome === "stale") throw new StaleVersionError(null);
  if (outcome === "open") throw providerHasOpenItems();
  await forgetProviderAccounts(env, companyId, [account]);
}

/** The origin that an account's provider calls back, else the company's newest account; null for a first one. */
export function originFor(rows: PspAccountRow[], account: string): string | null {
  const known = rows.find((each) => each.account === account) ?? rows[0];
  return known?.settings.callbackOrigin ?? null;
}

/** A connected account of the company. Throws 404. */
async function connectedAccount(
  { env, company }: Pick<PixApiContext, "env" | "company">,
  account: string,
): Promise<PspAccountRow> {
  const rows = await listAccounts(env, company.id);
  const row = rows.find((each) => each.account === account && isConnected(each));
  if (row === undefined) throw notFound("provider");
  return row;
}

/** What a change leaves of an account's terms. */
export function termsAfter(
  { state, methods, priority, conditions }: AccountTerms,
  change: AccountChange,
): AccountTerms {
  return {
    state: change.state ?? state,
    methods: change.methods ?? methods,
    priority: change.priority ?? priority,
    conditions: change.conditions ?? conditions,
  };
}

/** The account of before under this name, null for a new one. Throws 409 for what may not stand beside the others. */
async function findConflictFree(
  { env, company }: PixApiContext,
  wanted: NewAccount,
): Promise<PspAccountRow | null> {
  if (company.mode !== "live")
    throw invalidState("A sandbox company cannot have a PSP", "sandbox_company");
  const rows = await listAccounts(env, company.id);
  const before = rows.find(({ account }) => account === wanted.account) ?? null;
  if (before !== null && !isSameAccount(before, wanted)) {
    throw invalidState(
      "This name is another account at its bank. Connect a new one and drain this one",
      "account_other",
    );
  }
  const twin = rows.find(
    (each) => each.account !== wanted.account && each.sealed !== "" && isSameAccount(each, wanted),
  );
  if (twin !== undefined) {
    throw invalidState(`The company has this account already: ${twin.account}`, "account_known");
  }
  requireFreePriority(rows, wanted);
  return before;
}

/** Throws 400 for a method that the account cannot carry. */
function requirePossible(connection: AccountConnection, { methods }: AccountTerms): void {
  const possible = possibleMethods(connection);
  if (methods.every((method) => possible.includes(method))) return;
  throw new Problem({
    code: "VALIDATION_FAILED",
    detail: "Invalid fields: methods.",
    errors: { methods: [breaks("someOf", { values: possible.join(", ") })] },
  });
}

/** Throws 409 where another account has the same place for one of the methods. */
function requireFreePriority(
  rows: PspAccountRow[],
  wanted: Pick<PspAccountRow, "account" | "methods" | "priority" | "conditions">,
): void {
  const other = rows.find(
    (each) => each.account !== wanted.account && isConnected(each) && sharesPlace(each, wanted),
  );
  if (other === undefined) return;
  throw invalidState(`The account ${other.account} has this priority`, "priority_taken");
}

type Payouts = Pick<PspAccountRow, "methods" | "priority">;

/** Whether payouts would leave over it that did not, or in another order. */
function payoutsChange(before: Payouts, after: Payouts): boolean {
  if (!after.methods.includes("PAYOUT")) return false;
  return !before.methods.includes("PAYOUT") || before.priority !== after.priority;
}

/** Whether money or credentials would go, or reports come from, elsewhere. */
function leadsAway(before: AccountConnection, after: AccountConnection): boolean {
  if (isPixApi(before) && isPixApi(after)) return leadsElsewhere(before.settings, after.settings);
  if (before.settings.baseUrl !== after.settings.baseUrl) return true;
  const identities = identitiesOf(before);
  return identitiesOf(after).some((identity) => !identities.includes(identity));
}

/** At Pagar.me the secret key, and no other part, says whose account is charged. */
async function hasOtherKey(
  { env, company }: Pick<PixApiContext, "env" | "company">,
  before: PspAccountRow,
  { secrets }: NewAccount,
): Promise<boolean> {
  if (before.provider !== "PagarMe" || !("secretKey" in secrets)) return false;
  return (await openSecrets(env, company, before)).secretKey !== secrets.secretKey;
}

function changedMeanwhile() {
  return invalidState("The accounts have changed meanwhile. Send this again", "changed_meanwhile");
}
