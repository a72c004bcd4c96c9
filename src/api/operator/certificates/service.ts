import { listAccounts } from "../../../db/companies/psp-accounts.ts";
import { giveUpTrial, saveTrial, trialsOf } from "../../../db/watch/certificate-trials.ts";
import { findProviderAccount, saveProviderExpiry } from "../../../db/watch/providers.ts";
import type { Env } from "../../../config.ts";
import { isPixApi, type ConnectionOf } from "../../../domain/psp/psp-account.ts";
import { invalidState, notFound } from "../../../http/problems.ts";
import { throwIfInvalid } from "../../../http/validation.ts";
import { readCertificate } from "../../../lib/certificates/x509.ts";
import { breaks } from "../../../lib/fields/rules.ts";
import { certificateIssues } from "./fields.ts";
import type { NamedCertificate } from "./schemas.ts";

/** A connected account over the Pix API. */
export interface CertificateOwner {
  companyId: number;
  account: string;
  settings: ConnectionOf<"PixApi">["settings"];
}

/** The account whose certificate a request is about. Throws 404, and 409 for a kind without client certificates. */
export async function certificateOwner(
  env: Env,
  companyId: number,
  account: string,
): Promise<CertificateOwner> {
  const rows = await listAccounts(env, companyId);
  const found = rows.find((each) => each.account === account && each.leftAt === null);
  if (found === undefined) throw notFound("provider");
  if (!isPixApi(found)) {
    throw invalidState("An account of this kind has no client certificate", "no_certificate");
  }
  return found;
}

/**
 * Names an account's next certificate, which the cron tries from the next minute on; another one takes the place of one
 * that is being tried. For the binding in use only notes when it ends. Throws 400 where that is not sent or what was sent does not fit, 409 while a
 * swap is being written.
 */
export async function nameCertificate(
  env: Env,
  owner: CertificateOwner,
  named: NamedCertificate,
  nowMs: number,
): Promise<void> {
  throwIfInvalid(certificateIssues(env, named, nowMs));
  const { binding } = named;
  const endsAt = endOf(named.certificate);
  if (binding === owner.settings.certificate) return noteEnd(env, owner, endsAt);
  const { companyId, account } = owner;
  const isSaved = await saveTrial(env, {
    companyId,
    account,
    binding,
    previous: null,
    state: "trying",
    successes: 0,
    result: null,
    beside: null,
    triedAt: null,
    swappedAt: null,
    endsAt,
    previousEndsAt: null,
    namedAt: nowMs,
    nextRunAt: nowMs,
  });
  if (!isSaved) throw beingSwapped();
}

/** Stops trying an account's next certificate. Throws 404 without one, 409 while a swap is being written. */
export async function giveUpCertificate(
  env: Env,
  { companyId, account }: CertificateOwner,
): Promise<void> {
  if (await giveUpTrial(env, companyId, account)) return;
  const trials = await trialsOf(env, companyId);
  throw trials.some((each) => each.account === account) ? beingSwapped() : notFound("certificate");
}

/** When a certificate ends by its public part, in epoch milliseconds; null without it. */
export function endOf(certificate: string | undefined): number | null {
  return certificate === undefined ? null : (readCertificate(certificate)?.endsAt ?? null);
}

/** Stores when an account's certificate ends; what is known of its credentials stays. */
export async function saveCertificateEnd(
  env: Env,
  { companyId, account, settings }: CertificateOwner,
  certificateExpiresAt: number | null,
): Promise<void> {
  const known = await findProviderAccount(env, companyId, account);
  await saveProviderExpiry(env, {
    companyId,
    account,
    host: new URL(settings.baseUrl).host,
    certificateExpiresAt,
    credentialsExpireAt: known?.credentialsExpireAt ?? null,
  });
}

async function noteEnd(env: Env, owner: CertificateOwner, endsAt: number | null): Promise<void> {
  throwIfInvalid(
    endsAt === null
      ? [{ code: "custom", path: ["certificate"], message: breaks("required"), input: null }]
      : [],
  );
  await saveCertificateEnd(env, owner, endsAt);
}

function beingSwapped() {
  return invalidState(
    "The certificate is being swapped. Send this again in a minute",
    "changed_meanwhile",
  );
}
