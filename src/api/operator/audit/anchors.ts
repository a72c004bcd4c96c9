import { callCompany } from "../../../company-client/stub.ts";
import {
  addAnchor,
  advanceAnchorDay,
  listAnchors,
  beginAnchorDay,
  toAnchoredHead,
  newestAnchorDay,
  type AnchorDay,
} from "../../../db/reconciliation/anchors.ts";
import { listCompanyIds } from "../../../db/companies/companies.ts";
import {
  anchorSigningPayload,
  daySigningPayload,
  digestPreimage,
  type AnchoredHead,
} from "../../../domain/ledger/anchor.ts";
import { isoTime } from "../../../domain/shared/clock.ts";
import { GENESIS_HASH } from "../../../domain/ledger/movement-hash.ts";
import { configOf, type Env } from "../../../config.ts";
import type { Dependencies } from "../../../http/context.ts";
import { toBase64, fromBase64Url } from "../../../lib/base64.ts";
import { sha256Hex } from "../../../lib/hash.ts";
import { errorFields, log } from "../../../lib/log.ts";
import {
  anchorKeySeed,
  publishedKey,
  signAsymmetric,
} from "../../../webhooks/signing/asymmetric-key.ts";

/** Companies per run: each takes a call to its object and two to D1, of the 1,000 an invocation may make. */
const COMPANIES_MAX = 50;
/** Anchors that one check compares: the newest covers those before it by the hash chain. */
const ANCHORS_PER_CHECK = 10;
const DAY_LENGTH = "YYYY-MM-DD".length;

/**
 * Cron task: one bounded run of the day's anchors (UTC). It stores the head of each company's ledger in D1,
 * each with a digest over the heads before; then it signs the day's digest and sends each company its
 * anchor. The next run resumes after a crash. Returns `more` until the day is finished.
 */
export async function anchorLedgers(env: Env, deps: Dependencies): Promise<"more" | "done"> {
  const day = await openDay(env, deps);
  if (day === null) return "done";
  const companyIds = await listCompanyIds(env, day.atCompany ?? 0, COMPANIES_MAX);
  const next = companyIds.length < COMPANIES_MAX ? null : (companyIds.at(-1) ?? null);
  if (day.signature === null) await appendHeads(env, deps, { day, companyIds, next });
  else await publishAnchors(env, { day, companyIds, next });
  return next === null && day.signature !== null ? "done" : "more";
}

/** A company's newest anchors, which its object compares with its movements. */
export async function anchorsToCompare(env: Env, companyId: number): Promise<AnchoredHead[]> {
  return (await listAnchors(env, companyId, ANCHORS_PER_CHECK)).map(toAnchoredHead);
}

interface Run {
  day: AnchorDay;
  companyIds: number[];
  /** The company after which the next run continues; null in the last run over the companies. */
  next: number | null;
}

/** The unfinished day, or today once the day before is finished; null if today is finished. */
async function openDay(env: Env, deps: Dependencies): Promise<AnchorDay | null> {
  const today = isoTime(deps.platformClock.now()).slice(0, DAY_LENGTH);
  const newest = await newestAnchorDay(env);
  if (newest !== null && newest.atCompany !== null) return newest;
  if (newest !== null && newest.day >= today) return null;
  await beginAnchorDay(env, today, newest?.digest ?? GENESIS_HASH);
  return newestAnchorDay(env);
}

async function appendHeads(
  env: Env,
  deps: Dependencies,
  { day, companyIds, next }: Run,
): Promise<void> {
  const heads = await Promise.all(
    companyIds.map((companyId) => nullOnError(companyId, () => newHead(env, companyId, day.day))),
  );
  let { digest, companies } = day;
  // In sequence: each digest covers the one before.
  for (const [index, companyId] of companyIds.entries()) {
    const head = heads[index];
    if (head === undefined || head === null) continue;
    const anchor = { companyId, ...head, anchoredAt: deps.platformClock.now() };
    const previousDigest = digest;
    const stored = await nullOnError(companyId, async () =>
      addAnchor(env, {
        ...anchor,
        digest: await sha256Hex(digestPreimage(previousDigest, companyId, head)),
      }),
    );
    if (stored === null) continue;
    digest = stored.digest;
    companies += 1;
  }
  if (next !== null) return advanceAnchorDay(env, day, { atCompany: next, digest, companies });
  const seed = await anchorKeySeed(configOf(env).secretsKeys);
  await advanceAnchorDay(env, day, {
    atCompany: 0,
    digest,
    companies,
    signature: toBase64(await signAsymmetric(seed, daySigningPayload(day.day, digest))),
    publicKey: await publicKeyOf(seed),
    signedAt: deps.platformClock.now(),
  });
}

/** The head of a company's ledger; null if the ledger is empty or has not changed since the last anchor. */
async function newHead(env: Env, companyId: number, day: string): Promise<AnchoredHead | null> {
  const [head, [last]] = await Promise.all([
    callCompany(env, companyId, (account) => account.ledgerHead()),
    listAnchors(env, companyId, 1),
  ]);
  // An earlier run of the day that crashed has stored this head: later movements do not change it.
  if (last?.day === day) return toAnchoredHead(last);
  if (head.movement === 0) return null;
  const isUnchanged = last?.movement === head.movement && last.hash === head.hash;
  return isUnchanged ? null : { day, ...head };
}

async function publishAnchors(env: Env, { day, companyIds, next }: Run): Promise<void> {
  const seed = await anchorKeySeed(configOf(env).secretsKeys);
  const publicKey = await publicKeyOf(seed);
  await Promise.all(
    companyIds.map((companyId) =>
      nullOnError(companyId, async () => {
        const [anchor] = await listAnchors(env, companyId, 1);
        if (anchor?.day !== day.day) return null;
        const head = toAnchoredHead(anchor);
        const text = anchorSigningPayload(companyId, head, day.digest);
        const signature = toBase64(await signAsymmetric(seed, text));
        const signed = { ...head, digest: day.digest, signature, publicKey };
        return callCompany(env, companyId, (account) =>
          account.announceAnchor({ companyId, head: signed }),
        );
      }),
    ),
  );
  await advanceAnchorDay(env, day, { atCompany: next });
}

async function publicKeyOf(seed: Uint8Array): Promise<string> {
  return toBase64(fromBase64Url((await publishedKey(seed)).x));
}

/** Logs a company's failure and continues with the others; its next anchor is tomorrow's. */
async function nullOnError<Answer>(
  companyId: number,
  work: () => Promise<Answer | null>,
): Promise<Answer | null> {
  try {
    return await work();
  } catch (error) {
    log("error", "anchor_failed", { ...errorFields(error), companyId });
    return null;
  }
}
