import type { z } from "@hono/zod-openapi";
import type { Env } from "../../config.ts";
import {
  addApplication,
  APPLICATIONS_MAX,
  changeApplication as changeRow,
  deleteApplication as deleteRow,
  findApplications,
  findMadeApplication,
  listApplications,
  type ApplicationRow,
  type ApplicationSettings,
} from "../../db/companies/applications.ts";
import { standingOf } from "../../db/companies/credentials.ts";
import { APPLICATION_PREFIX } from "../../domain/access/client-id.ts";
import { APPLICATION_GUARDS, limitNamed } from "../../domain/access/application-guards.ts";
import { planChange, type PendingSetting } from "../../domain/access/pending-setting.ts";
import { coolDownMs } from "../../domain/withdraws/withdraw-policy.ts";
import { partsBeyond, type Authority, type AuthorityPart } from "../../domain/access/authority.ts";
import { roleLimitOf } from "../../domain/exits/exit-limits.ts";
import { chainFrom, standingAt } from "../../domain/access/standing.ts";
import { SCOPES_VERSION, scopesOf } from "../../domain/shared/company.ts";
import { Problem } from "../../domain/shared/problem.ts";
import { StaleVersionError } from "../../http/auth/optimistic-auth.ts";
import { isInNetworks } from "../../http/client-address.ts";
import {
  companyDeps,
  type AppContext,
  type Caller,
  type CompanyDependencies,
} from "../../http/context.ts";
import { keyReused } from "../../http/idempotency.ts";
import { forbidden, invalidState, notFound } from "../../http/problems.ts";
import { toBase64Url } from "../../lib/base64.ts";
import { canonicalJson, sha256Hex } from "../../lib/hash.ts";
import { withoutUndefined } from "../../lib/without-undefined.ts";
import { updateCredentials } from "../settings/update-credentials.ts";
import type { ChangeApplication, CreateApplication } from "./schemas.ts";
import { settingsOf } from "./views.ts";
import { breaks } from "../../lib/fields/rules.ts";

/** Random bytes of a client id, and hexadecimal digits of the hash of one that a key makes: 128 bits. */
const CLIENT_ID_BYTES = 16;
const CLIENT_ID_DIGITS = 32;

/** A request of an application about applications of its company. */
export interface ApplicationContext {
  env: Env;
  deps: Pick<CompanyDependencies, "clock" | "platformClock" | "random">;
  caller: Caller;
}

/** A new application's client id, and the hash of the request if an `Idempotency-Key` marks it. */
export interface NewApplication {
  clientId: string;
  requestHash: string | null;
  settings: ApplicationSettings;
}

/** A page of the company's applications. */
export async function pageOfApplications(
  { env, deps, caller }: ApplicationContext,
  { after = "", limit }: { after?: string | undefined; limit: number },
): Promise<{ rows: ApplicationRow[]; after: string | null }> {
  const all = await listApplications(env, caller.company.id, deps.clock.now());
  const following = all.filter(({ clientId }) => clientId > after);
  const rows = following.slice(0, limit);
  return { rows, after: following.length > limit ? (rows.at(-1)?.clientId ?? null) : null };
}

/**
 * The application that a request is to make. Under an `Idempotency-Key` the client id follows from the company
 * and the key, so that a repeated request makes no second application.
 */
export async function draftApplication(
  { deps, caller }: ApplicationContext,
  request: z.output<typeof CreateApplication>,
  idempotencyKey: string | null,
): Promise<NewApplication> {
  const settings = {
    networks: null,
    expiresAt: null,
    spendingLimits: null,
    refundDailyLimit: null,
    ...(settingsOf(request) as Pick<ApplicationSettings, "name" | "scopes">),
  };
  if (idempotencyKey === null) {
    const random = toBase64Url(deps.random.bytes(CLIENT_ID_BYTES));
    return { clientId: APPLICATION_PREFIX + random, requestHash: null, settings };
  }
  const digits = await sha256Hex(`application:${caller.company.id}:${idempotencyKey}`);
  const clientId = APPLICATION_PREFIX + digits.slice(0, CLIENT_ID_DIGITS);
  return { clientId, requestHash: await requestHashOf(settings), settings };
}

/** The hash of a request. It names the spending limits as before they had that name, so that stored hashes stay equal. */
function requestHashOf({ spendingLimits, ...others }: ApplicationSettings): Promise<string> {
  return sha256Hex(canonicalJson({ ...others, mandate: spendingLimits }));
}

/**
 * The application that an earlier, equal request made, as it was then; null if there was none. Throws 409 if
 * the `Idempotency-Key` was used for another request.
 */
export async function findReplayed(
  { env, caller }: ApplicationContext,
  draft: NewApplication,
): Promise<ApplicationRow | null> {
  if (draft.requestHash === null) return null;
  const id = { companyId: caller.company.id, clientId: draft.clientId };
  const made = await findMadeApplication(env, id);
  return made === null ? null : asMade(made, draft);
}

/**
 * Makes an application. Throws 400 for an end in the past, 403 for more than the caller has, 409 for one too
 * many or a key of another request.
 */
export async function createApplication(
  { env, deps, caller }: ApplicationContext,
  draft: NewApplication,
): Promise<ApplicationRow> {
  const { clientId, requestHash, settings } = draft;
  const nowMs = deps.clock.now();
  requireFuture(settings.expiresAt, deps.platformClock.now());
  const { id: companyId, credentialsVersion } = caller.company;
  const own = await requireOwn(env, caller, nowMs);
  requireWithin(authorityOf({ ...settings, scopesVersion: SCOPES_VERSION }), own, "give", {
    isOther: true,
  });
  const row = {
    ...settings,
    clientId,
    companyId,
    requestHash,
    createdAt: nowMs,
    deletedAt: null,
    scopesVersion: SCOPES_VERSION,
    givenAt: nowMs,
    givenBy: chainFrom(caller.application, clientId),
    pendingSettings: null,
  };
  const made = await updateCredentials(env, companyId, () =>
    addApplication(env, row, credentialsVersion),
  );
  if (made === "stale") throw new StaleVersionError(null);
  if (made === "full") {
    throw invalidState(
      `The company has ${APPLICATIONS_MAX} applications. Delete one first`,
      "too_many",
    );
  }
  return asMade(made, draft);
}

/**
 * Changes the fields that are sent. Limits that are tighter hold at once, looser ones after the company's cool-down, at
 * least a day: `loosened`. Throws 400 for an end in the past, 403 for more than the caller has, 404,
 * and 409 if the caller would lock itself out. `address`: where the request came from.
 */
export async function changeApplication(
  context: ApplicationContext,
  clientId: string,
  request: z.output<typeof ChangeApplication>,
  address: string | null,
): Promise<{ row: ApplicationRow; loosened: PendingSetting[] }> {
  const { env, deps, caller } = context;
  const nowMs = deps.clock.now();
  requireFuture(request.expiresAt ?? null, deps.platformClock.now());
  const before = await requireControlled(context, clientId);
  const changes = settingsOf(request);
  if (Object.keys(changes).length === 0) return { row: before.row, loosened: [] };
  const scopesVersion = changes.scopes === undefined ? before.row.scopesVersion : SCOPES_VERSION;
  const after = authorityOf({ ...before.row, ...changes, scopesVersion });
  requireWithin(after, before.own, "give", before);
  if (!before.isOther) requireStillAdmitted(after, address);
  const { id: companyId, credentialsVersion, withdrawPolicy } = caller.company;
  const delayMs = coolDownMs(withdrawPolicy);
  const { networks, spendingLimits, refundDailyLimit, ...others } = changes;
  const { settings, pending, loosened } = planChange(
    APPLICATION_GUARDS,
    { settings: before.row, pending: before.row.pendingSettings ?? [] },
    withoutUndefined({ networks, spendingLimits, refundDailyLimit }),
    { by: caller.clientId, nowMs, delayMs },
  );
  const { givenAt, givenBy } = before.row;
  const standing = standingAt(standingOf(givenAt, givenBy), nowMs, delayMs);
  const isWider = partsBeyond(after, authorityOf(before.row), { isOther: false }).length > 0;
  const given = {
    givenAt: nowMs,
    // The rights of before came through others, those that are new through the caller.
    givenBy: [...new Set([...chainFrom(caller.application, clientId), ...standing.givenBy])],
  };
  const written = {
    ...others,
    scopesVersion,
    networks: settings.networks,
    spendingLimits: settings.spendingLimits,
    refundDailyLimit: settings.refundDailyLimit,
    pendingSettings: pending.length === 0 ? null : [...pending],
    ...(isWider && before.isOther ? given : {}),
  };
  const row = await updateCredentials(env, companyId, () =>
    changeRow(env, { companyId, clientId }, written, credentialsVersion),
  );
  if (row === null) throw new StaleVersionError(null);
  return { row, loosened };
}

/** Refuses a limit that was loosened and waits: the tighter one stays. Throws 403, 404. */
export async function refusePendingLimit(
  context: ApplicationContext,
  clientId: string,
  field: string,
): Promise<ApplicationRow> {
  const { env, caller } = context;
  const { row } = await requireControlled(context, clientId, { takesAway: true });
  const waiting = row.pendingSettings ?? [];
  const pending = waiting.filter((each) => each.field !== limitNamed(field));
  if (pending.length === waiting.length) throw notFound("pending setting");
  const { networks, spendingLimits, refundDailyLimit } = row;
  const { id: companyId, credentialsVersion } = caller.company;
  const pendingSettings = pending.length === 0 ? null : pending;
  const written = { networks, spendingLimits, refundDailyLimit, pendingSettings };
  const refused = await updateCredentials(env, companyId, () =>
    changeRow(env, { companyId, clientId }, written, credentialsVersion),
  );
  if (refused === null) throw new StaleVersionError(null);
  return refused;
}

/** Deletes an application with its keys, from the next request on. Throws 403, 404, and 409 for itself. */
export async function deleteApplication(
  context: ApplicationContext,
  clientId: string,
): Promise<ApplicationRow> {
  const { env, deps, caller } = context;
  const { isOther } = await requireControlled(context, clientId, { takesAway: true });
  if (!isOther)
    throw invalidState(
      "An application does not delete itself. Let another one do it",
      "own_access",
    );
  const { id: companyId, credentialsVersion: version } = caller.company;
  const deleted = await updateCredentials(env, companyId, () =>
    deleteRow(env, { companyId, clientId }, { version, nowMs: deps.clock.now() }),
  );
  if (deleted === null) throw new StaleVersionError(null);
  return deleted;
}

/** An application of the caller's company. Throws 404. */
export async function requireApplication(c: AppContext, clientId: string): Promise<ApplicationRow> {
  const { id: companyId } = c.get("caller").company;
  const nowMs = companyDeps(c).clock.now();
  const row = (await findApplications(c.env, companyId, [clientId], nowMs)).get(clientId);
  if (row === undefined) throw notFound("application");
  return row;
}

/**
 * An application that has no more than the caller, and so is under its control. A person's own limit of refunds does not
 * keep him from taking rights away (`takesAway`). Throws 403, 404.
 */
export async function requireControlled(
  { env, deps, caller }: ApplicationContext,
  clientId: string,
  { takesAway = false } = {},
): Promise<{ row: ApplicationRow; own: Authority; isOther: boolean }> {
  const ids = [caller.clientId, clientId];
  const found = await findApplications(env, caller.company.id, ids, deps.clock.now());
  const known = ownAuthority(caller, found.get(caller.clientId));
  const isFree = takesAway && caller.person !== null;
  const own = isFree ? { ...known, refundDailyLimit: null } : known;
  const row = found.get(clientId);
  if (row === undefined) throw notFound("application");
  const isOther = clientId !== caller.clientId;
  requireWithin(authorityOf(row), own, "control", { isOther });
  return { row, own, isOther };
}

/** The parts of an authority that the caller lacks, and so does not give. */
export async function partsBeyondCaller(
  env: Env,
  caller: Caller,
  authority: Authority,
  nowMs: number,
): Promise<AuthorityPart[]> {
  return partsBeyond(authority, await requireOwn(env, caller, nowMs), { isOther: true });
}

async function requireOwn(env: Env, caller: Caller, nowMs: number): Promise<Authority> {
  const { company, clientId } = caller;
  const found = await findApplications(env, company.id, [clientId], nowMs);
  return ownAuthority(caller, found.get(clientId));
}

/** What the caller may give: of a person the role's scopes with its limit of refunds, of an application its row. */
function ownAuthority(
  { person, scopes, company }: Caller,
  row: ApplicationRow | undefined,
): Authority {
  if (person !== null) {
    return {
      scopes: [...scopes],
      networks: null,
      expiresAt: null,
      spendingLimits: null,
      refundDailyLimit: roleLimitOf(company.refundPolicy.roleLimits, person.role),
    };
  }
  if (row === undefined) throw new StaleVersionError(null);
  return authorityOf(row);
}

/** Nobody gives, or controls, what he lacks. */
function requireWithin(
  authority: Authority,
  own: Authority,
  verb: "give" | "control",
  { isOther }: { isOther: boolean },
): void {
  const parts = partsBeyond(authority, own, { isOther });
  if (parts.length === 0) return;
  const sentence = {
    give: "An application gives no more than it has",
    control: "The application has more than the one that asks",
  }[verb];
  throw forbidden(`${sentence}: ${parts.join(", ")}.`, "rights_beyond_own");
}

/** Refuses a change by which an application loses its own way back. */
function requireStillAdmitted({ scopes, networks }: Authority, address: string | null): void {
  if (!scopes.includes("keys:write")) {
    throw invalidState(
      "An application does not give up its own keys:write. Let another one do it",
      "own_access",
    );
  }
  if (networks !== null && !isInNetworks(address, networks)) {
    throw invalidState(
      "The application's own networks must contain the address of this request",
      "own_access",
    );
  }
}

/** Throws 400 for a time that is not in the future. */
export function requireFuture(expiresAt: number | null, nowMs: number): void {
  if (expiresAt === null || expiresAt > nowMs) return;
  throw new Problem({
    code: "VALIDATION_FAILED",
    detail: "Invalid fields: expiresAt.",
    errors: { expiresAt: [breaks("inFuture")] },
  });
}

/** The row as the request made it, whatever has been changed since. Throws 409 for another request. */
function asMade(made: ApplicationRow, { requestHash, settings }: NewApplication): ApplicationRow {
  if (made.requestHash !== requestHash) throw keyReused();
  return { ...made, ...settings };
}

function authorityOf(
  row: Omit<ApplicationSettings, "name"> & Pick<ApplicationRow, "scopesVersion">,
): Authority {
  const { scopes, scopesVersion, networks, expiresAt, spendingLimits, refundDailyLimit } = row;
  return {
    scopes: [...scopesOf(scopes, scopesVersion)],
    networks,
    expiresAt,
    spendingLimits,
    refundDailyLimit,
  };
}
