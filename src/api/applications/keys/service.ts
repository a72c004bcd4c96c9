import type { z } from "@hono/zod-openapi";
import type { Env } from "../../../config.ts";
import {
  ACTIVE_KEYS_MAX,
  addKey,
  findKey,
  listKeys,
  revokeKey,
  type KeyRecord,
  type KeySelection,
} from "../../../db/companies/api-keys.ts";
import type { ApplicationId } from "../../../db/companies/applications.ts";
import { keyPrefix } from "../../../domain/access/masks.ts";
import { chainFrom } from "../../../domain/access/standing.ts";
import type { RandomSource } from "../../../domain/shared/clock.ts";
import type { Company } from "../../../domain/shared/company.ts";
import type { CallerApplication } from "../../../http/context.ts";
import { Problem } from "../../../domain/shared/problem.ts";
import { StaleVersionError } from "../../../http/auth/optimistic-auth.ts";
import { invalidState, notFound } from "../../../http/problems.ts";
import { toBase64Url } from "../../../lib/base64.ts";
import { sha256Hex } from "../../../lib/hash.ts";
import { updateCredentials } from "../../settings/update-credentials.ts";
import { requireControlled, requireFuture, type ApplicationContext } from "../service.ts";
import type { IssueKey } from "./schemas.ts";

const KEY_BYTES = 32;
const HOUR_MS = 3_600_000;

/** A key that no one has yet. */
export interface DraftKey {
  key: string;
  hash: string;
  prefix: string;
}

/** Makes a key of 256 random bits. */
export async function draftKey(
  random: RandomSource,
  { mode }: Pick<Company, "mode">,
): Promise<DraftKey> {
  const kind = mode === "live" ? "sk_live_" : "sk_test_";
  const key = kind + toBase64Url(random.bytes(KEY_BYTES));
  return { key, hash: await sha256Hex(key), prefix: keyPrefix(key) };
}

/** How a key is issued. Times in Unix milliseconds. */
export interface KeyIssue extends z.output<typeof IssueKey> {
  draft: DraftKey;
  idempotencyKey: string | null;
  /** The real time, by which keys end. */
  nowMs: number;
  /** The company's time, by which its age counts. */
  createdAt: number;
  /** The version that the company's credentials must still have; null for any. */
  version: number | null;
  /** Who issues it, with the chain of their rights; null for the application itself and the operator. */
  givenBy: string[] | null;
}

/**
 * Issues a key of an application and lets the application's others expire. Throws 400 for an end in the past,
 * 404, and 409 if two others would stay active or the `Idempotency-Key` has issued a key: that cannot be
 * shown again.
 */
export async function issueKey(
  env: Env,
  owner: ApplicationId,
  { draft, idempotencyKey, nowMs, createdAt, version, givenBy, overlapHours, expiresAt }: KeyIssue,
): Promise<KeyRecord> {
  requireFuture(expiresAt ?? null, nowMs);
  const { companyId, clientId } = owner;
  const idempotencyHash =
    idempotencyKey === null
      ? null
      : await sha256Hex(`key:${companyId}:${clientId}:${idempotencyKey}`);
  const { hash, prefix } = draft;
  const othersEndAt = nowMs + overlapHours * HOUR_MS;
  const issued = await updateCredentials(env, companyId, () =>
    addKey(env, owner, {
      hash,
      prefix,
      nowMs,
      createdAt,
      expiresAt: expiresAt ?? null,
      othersEndAt,
      idempotencyHash,
      version,
      givenBy,
    }),
  );
  switch (issued.kind) {
    case "added":
      return issued.key;
    case "used":
      throw keyShownBefore(issued.key);
    case "full":
      throw invalidState(
        `The application has ${ACTIVE_KEYS_MAX} active API keys. Revoke one, or send overlapHours 0 to end the others at once`,
        "too_many",
      );
    case "stale":
      throw version === null ? notFound("application") : new StaleVersionError(null);
  }
}

/** As `issueKey`, by an application. Throws 403 for one that has more than the caller. */
export async function issueKeyAsCaller(
  context: ApplicationContext,
  clientId: string,
  issue: Omit<KeyIssue, "version" | "givenBy">,
): Promise<KeyRecord> {
  const { isOther } = await requireControlled(context, clientId);
  const { application, company } = context.caller;
  const { id: companyId, credentialsVersion: version } = company;
  return issueKey(
    context.env,
    { companyId, clientId },
    { ...issue, version, givenBy: issuersOf(application, clientId, isOther) },
  );
}

/**
 * Through whom a new key comes: from another application with the chain of its rights. One that its own application
 * issues comes through whom the presented key came, so that a key of a stranger's making does not wash its origin off.
 */
function issuersOf(
  application: CallerApplication,
  clientId: string,
  isOther: boolean,
): string[] | null {
  if (isOther) return chainFrom(application, clientId);
  return application.keyGivenBy.length === 0 ? null : [...application.keyGivenBy];
}

/** A page of keys, newest first. `after`: the number of the last key of the page before. */
export async function pageOfKeys(
  env: Env,
  selection: KeySelection,
  { after, limit }: { after?: number | undefined; limit: number },
): Promise<{ rows: KeyRecord[]; after: string | null }> {
  const before = after ?? Number.MAX_SAFE_INTEGER;
  const found = await listKeys(env, selection, { before, limit: limit + 1 });
  const rows = found.slice(0, limit);
  return { rows, after: found.length > limit ? String(rows.at(-1)?.id) : null };
}

/**
 * Revokes a key from the next request on. Throws 403 for a key of an application that has more than the
 * caller, 404, and 409 for the key that the request came with.
 */
export async function revokeKeyAsCaller(
  context: ApplicationContext,
  clientId: string,
  keyId: number,
): Promise<KeyRecord> {
  const { env, deps, caller } = context;
  await requireControlled(context, clientId, { takesAway: true });
  const { id: companyId, credentialsVersion: version } = caller.company;
  const selection = { companyId, clientId };
  if ((await findKey(env, selection, keyId)) === null) throw notFound("key");
  if (keyId === caller.application.keyId) {
    throw invalidState(
      "A key does not revoke itself. Issue another one and use that",
      "own_access",
    );
  }
  const revoked = await updateCredentials(env, companyId, () =>
    revokeKey(env, selection, keyId, { nowMs: deps.platformClock.now(), version }),
  );
  if (revoked === null) throw new StaleVersionError(null);
  return revoked;
}

function keyShownBefore({ id, prefix }: KeyRecord): Problem {
  return new Problem({
    code: "IDEMPOTENCY_KEY_REUSED",
    detail:
      `This Idempotency-Key has issued the key ${id} (${prefix}...), which was shown once. ` +
      "If its response was lost, revoke it and issue another under a new Idempotency-Key.",
  });
}
