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

/** Companies of one run: each costs a call of its object and two trips to D1, of the 1,000 there are. */
const COMPANIES_MAX = 50;
/** Anchors that one check hands to the object: the newest covers all before it by the chain. */
const ANCHORS_PER_CHECK = 10;
const DAY_LENGTH = "YYYY-MM-DD".length;

/**
 * One bounded run of the day's anchors (UTC): first the head of each company's ledger is written to D1,
 * each with a digest over those before it; then the day's digest is signed; then each company whose head
 * was written is told. A crash at any point is gone on from. `more` where the day is not finished.
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

/** A company's newest anchors, for its object to compare with its own movements. */
export async function anchorsToCompare(env: Env, companyId: number): Promise<AnchoredHead[]> {
  return (await listAnchors(env, companyId, ANCHORS_PER_CHECK)).map(toAnchoredHead);
}

interface Run {
  day: AnchorDay;
  companyIds: number[];
  /** Where the next run goes on; null where this is the walk's last. */
  next: number | null;
}

/** The day to go on with; today's is begun once the one before is finished. */
async function openDay(env: Env, deps: Dependencies): Promise<AnchorDay | null> {
  const today = isoTime(deps.clock.now()).slice(0, DAY_LENGTH);
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
  // One after the other: each digest is over the one before.
  for (const [index, companyId] of companyIds.entries()) {
    const head = heads[index];
    if (head === undefined || head === null) continue;
    const anchor = { companyId, ...head, anchoredAt: deps.clock.now() };
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
  const seed = await anchorKeySeed(configOf(env).secretsKey);
  await advanceAnchorDay(env, day, {
    atCompany: 0,
    digest,
    companies,
    signature: toBase64(await signAsymmetric(seed, daySigningPayload(day.day, digest))),
    publicKey: await publicKeyOf(seed),
    signedAt: deps.clock.now(),
  });
}

/** The head of a company's ledger; null where it is the one that was anchored last, or there is none. */
async function newHead(env: Env, companyId: number, day: string): Promise<AnchoredHead | null> {
  const [head, [last]] = await Promise.all([
    callCompany(env, companyId, (account) => account.ledgerHead()),
    listAnchors(env, companyId, 1),
  ]);
  // A run that died has written it: it stays, whatever moved since.
  if (last?.day === day) return toAnchoredHead(last);
  if (head.movement === 0) return null;
  const isKnown = last?.movement === head.movement && last.hash === head.hash;
  return isKnown ? null : { day, ...head };
}

async function publishAnchors(env: Env, { day, companyIds, next }: Run): Promise<void> {
  const seed = await anchorKeySeed(configOf(env).secretsKey);
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
        return callCompany(env, companyId, (account) => account.announceAnchor(companyId, signed));
      }),
    ),
  );
  await advanceAnchorDay(env, day, { atCompany: next });
}

async function publicKeyOf(seed: Uint8Array): Promise<string> {
  return toBase64(fromBase64Url((await publishedKey(seed)).x));
}

/** One company that fails keeps no other from its anchor; it has its next one tomorrow. */
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
