import { listAccounts, type PspAccountRow } from "../../../db/companies/psp-accounts.ts";
import {
  accountsOfCompanies,
  listProviderHosts,
  type ProviderAccount,
  type ProviderHost,
} from "../../../db/watch/providers.ts";
import { maskText } from "../../../domain/access/masks.ts";
import { quantileOf } from "../../../domain/figures/durations.ts";
import { isPixApi } from "../../../domain/psp/psp-account.ts";
import { isoTime, isoTimeOrNull } from "../../../domain/shared/clock.ts";
import type { AppContext } from "../../../http/context.ts";
import { callbackUrlOf } from "../../../providers/callback-url.ts";
import { openSecrets } from "../../../providers/registry.ts";
import { seesPayers } from "../payer-views.ts";
import { maskedPspKey, withoutQuery } from "../pix-api/audit.ts";
import type { PixApiContext } from "../pix-api/service.ts";
import { kindOf } from "./schemas.ts";

const DAY_MS = 24 * 3_600_000;

/** What the service has seen of the accounts of a company and their hosts. */
interface Watched {
  accounts: ProviderAccount[];
  hosts: ProviderHost[];
}

/** A company's accounts as an operator sees them: the connected ones by priority, then those that it left. */
export async function shownAccounts(c: AppContext, context: PixApiContext) {
  const { env, company } = context;
  const [rows, accounts, hosts] = await Promise.all([
    listAccounts(env, company.id),
    accountsOfCompanies(env, [company.id]),
    listProviderHosts(env),
  ]);
  return Promise.all(rows.map((row) => viewOf(c, context, row, { accounts, hosts })));
}

/** One of them, which the company has. */
export async function shownAccount(c: AppContext, context: PixApiContext, account: string) {
  const shown = (await shownAccounts(c, context)).find((each) => each.account === account);
  if (shown === undefined) throw new Error(`the company has the account ${account}`);
  return shown;
}

async function viewOf(
  c: AppContext,
  { env, deps, company }: PixApiContext,
  row: PspAccountRow,
  { accounts, hosts }: Watched,
) {
  const { account, provider, methods, priority, conditions, state } = row;
  const known = accounts.find((each) => each.account === account);
  const ends = known?.certificateExpiresAt ?? null;
  const callbackUrl = await openCallbackUrl(env, company, row);
  const isMasked = !seesPayers(c);
  return {
    account,
    provider: kindOf(provider),
    methods,
    priority,
    conditions,
    state,
    settings: settingsOf(row, isMasked),
    callbackUrl: isMasked ? (callbackUrl?.replace(/[^/]*$/, maskText) ?? null) : callbackUrl,
    health: {
      lastSuccessAt: isoTimeOrNull(known?.lastSuccessAt ?? null),
      failingSince: isoTimeOrNull(known?.failingSince ?? null),
      latencyMs: latencyOf(hosts.find(({ host }) => host === new URL(row.settings.baseUrl).host)),
    },
    certificateDaysLeft:
      ends === null ? null : Math.floor((ends - deps.platformClock.now()) / DAY_MS),
    createdAt: isoTime(row.createdAt),
    updatedAt: isoTime(row.updatedAt),
    leftAt: isoTimeOrNull(row.leftAt),
  };
}

/** Null without secrets, and where no key opens them: the alarm says so, and the list is shown all the same. */
async function openCallbackUrl(
  env: PixApiContext["env"],
  company: PixApiContext["company"],
  row: PspAccountRow,
): Promise<string | null> {
  if (row.sealed === "") return null;
  try {
    return callbackUrlOf(row, await openSecrets(env, company, row));
  } catch {
    return null;
  }
}

/** The role `read` sees PIX keys masked, and no query of a URL, which may be a key of the PSP. */
function settingsOf(row: PspAccountRow, isMasked: boolean): Record<string, unknown> {
  const { callbackOrigin: _origin, ...settings } = row.settings;
  if (!isMasked) return settings;
  const baseUrl = withoutQuery(settings.baseUrl);
  if (!isPixApi(row)) return { ...settings, baseUrl };
  const { tokenUrl, pixKey, payouts, disputeDesk } = row.settings;
  return {
    ...settings,
    baseUrl,
    tokenUrl: withoutQuery(tokenUrl),
    pixKey: maskedPspKey(pixKey),
    payouts: payouts === null ? null : { url: withoutQuery(payouts.url) },
    ...(disputeDesk === undefined
      ? {}
      : { disputeDesk: { ...disputeDesk, url: withoutQuery(disputeDesk.url) } }),
  };
}

function latencyOf(host: ProviderHost | undefined): number | null {
  if (host === undefined) return null;
  const { durationMs, durations } = host;
  const seconds = quantileOf({ totalMs: durationMs, buckets: durations }, 0.5);
  return seconds === null ? null : Math.round(seconds * 1_000);
}
