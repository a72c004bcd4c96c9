import { listAccounts, type PspAccountRow } from "../../../db/companies/psp-accounts.ts";
import { accountsOfCompanies, type ProviderAccount } from "../../../db/watch/providers.ts";
import { trialsOf, type CertificateTrial } from "../../../db/watch/certificate-trials.ts";
import { maskText } from "../../../domain/access/masks.ts";
import { NO_DURATIONS, quantileOf, type Durations } from "../../../domain/figures/durations.ts";
import { NEVER, trialsNeeded } from "../../../domain/psp/certificate-trial.ts";
import { isPixApi } from "../../../domain/psp/psp-account.ts";
import { isoTime, isoTimeOrNull } from "../../../domain/shared/clock.ts";
import type { AppContext } from "../../../http/context.ts";
import { callbackUrlOf } from "../../../providers/callback-url.ts";
import { openSecrets } from "../../../providers/registry.ts";
import { seesPayers } from "../payer-views.ts";
import { maskedDesk, maskedPspKey, maskedReceiver, withoutQuery } from "../pix-api/audit.ts";
import type { PixApiContext } from "../pix-api/service.ts";
import { kindOf } from "./schemas.ts";

const DAY_MS = 24 * 3_600_000;

/** What the service has seen of the accounts of a company. */
interface Watched {
  accounts: ProviderAccount[];
  trials: CertificateTrial[];
}

/** A company's accounts as an operator sees them: the connected ones by priority, then those that it left. */
export async function shownAccounts(c: AppContext, context: PixApiContext) {
  const { env, company } = context;
  const [rows, accounts, trials] = await Promise.all([
    listAccounts(env, company.id),
    accountsOfCompanies(env, [company.id]),
    trialsOf(env, company.id),
  ]);
  return Promise.all(rows.map((row) => viewOf(c, context, row, { accounts, trials })));
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
  { accounts, trials }: Watched,
) {
  const { account, provider, methods, priority, conditions, state } = row;
  const known = accounts.find((each) => each.account === account);
  const now = deps.platformClock.now();
  const trial = row.leftAt === null ? trials.find((each) => each.account === account) : undefined;
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
    health: healthOf(known),
    certificateDaysLeft: daysLeft(known?.certificateExpiresAt ?? null, now),
    nextCertificate: trial === undefined ? null : trialView(trial, now),
    createdAt: isoTime(row.createdAt),
    updatedAt: isoTime(row.updatedAt),
    leftAt: isoTimeOrNull(row.leftAt),
  };
}

function trialView(trial: CertificateTrial, now: number) {
  const { binding, previous, state, successes, result, beside, triedAt, nextRunAt } = trial;
  return {
    binding,
    previous,
    state,
    successes,
    successesNeeded: trialsNeeded(state),
    result,
    beside,
    triedAt: isoTimeOrNull(triedAt),
    nextTryAt: nextRunAt === NEVER ? null : isoTime(nextRunAt),
    swappedAt: isoTimeOrNull(trial.swappedAt),
    daysLeft: daysLeft(trial.endsAt, now),
  };
}

function daysLeft(endsAt: number | null, now: number): number | null {
  return endsAt === null ? null : Math.floor((endsAt - now) / DAY_MS);
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
  const { tokenUrl, pixKey, payouts, receiver, disputeDesk } = row.settings;
  return {
    ...settings,
    baseUrl,
    tokenUrl: withoutQuery(tokenUrl),
    pixKey: maskedPspKey(pixKey),
    payouts: payouts === null ? null : { url: withoutQuery(payouts.url) },
    ...(receiver === undefined ? {} : { receiver: maskedReceiver(receiver) }),
    ...(disputeDesk === undefined ? {} : { disputeDesk: maskedDesk(disputeDesk) }),
  };
}

/** How it answers, with what was counted on the last day with calls. */
function healthOf(known: ProviderAccount | undefined) {
  const { dayCalls, dayQuotas, dayRefusals, dayDurations } = known ?? {};
  return {
    lastSuccessAt: isoTimeOrNull(known?.lastSuccessAt ?? null),
    failingSince: isoTimeOrNull(known?.failingSince ?? null),
    day: known?.callsDay ?? null,
    calls: Object.values(dayCalls ?? {}).reduce((sum, count) => sum + count, 0),
    endpoints: Object.entries(dayCalls ?? {}).map(([call, calls]) => {
      const { limit = null, isUsedUp = false } = dayQuotas?.[call] ?? {};
      return { call, calls, limit, isUsedUp: isUsedUp || (limit !== null && calls >= limit) };
    }),
    refusals: dayRefusals ?? 0,
    latencyMs: medianOf(dayDurations ?? {}),
  };
}

function medianOf(buckets: Durations["buckets"]): number | null {
  const seconds = quantileOf({ ...NO_DURATIONS, buckets }, 0.5);
  return seconds === null ? null : Math.round(seconds * 1_000);
}
