import { and, asc, eq, gt, isNull } from "drizzle-orm";
import type { Env } from "../../config.ts";
import {
  endpointId,
  endpointNumber,
  FIRST_ENDPOINT,
  type EndpointId,
} from "../../domain/events/webhook-endpoint.ts";
import { queryCompaniesAcrossShards, databaseFor } from "../client.ts";
import { runIdempotent } from "../storage-errors.ts";
import { companies, type RetiredSecret } from "../schema/companies.ts";
import { webhookEndpoints } from "../schema/webhooks.ts";

/** A company, and the id that its Ed25519 key is derived from. */
export interface KeyOwner {
  id: number;
  providerCompanyId: string;
}

const OWNER_COLUMNS = { id: companies.id, providerCompanyId: companies.providerCompanyId };
const SECRET_COLUMNS = {
  providerCompanyId: companies.providerCompanyId,
  webhookSecretSealed: companies.webhookSecretSealed,
  webhookSecretsPrevious: companies.webhookSecretsPrevious,
};

/** The next companies by id, over all databases. Throws if a database cannot be read. */
export async function keyOwnersAfter(env: Env, after: number, limit: number): Promise<KeyOwner[]> {
  return queryCompaniesAcrossShards(
    env,
    (db, fence) =>
      db
        .select({ ...OWNER_COLUMNS, fence })
        .from(companies)
        .where(gt(companies.id, after))
        .orderBy(asc(companies.id))
        .limit(limit),
    limit,
  );
}

/** One company; null if there is none with this id. */
export async function findKeyOwner(env: Env, companyId: number): Promise<KeyOwner | null> {
  const [owner] = await databaseFor(env, companyId)
    .select(OWNER_COLUMNS)
    .from(companies)
    .where(eq(companies.id, companyId));
  return owner ?? null;
}

/** The secrets of a company's webhook endpoint, sealed; null if there is no such endpoint, or it was deleted. */
export async function findSealedSecrets(env: Env, companyId: number, endpoint: EndpointId) {
  const [row] = await secretsOf(env, companyId, endpoint);
  return row ?? null;
}

/** The secrets of all of a company's webhook endpoints, sealed, the first endpoint's first. */
export async function findAllSealedSecrets(env: Env, companyId: number) {
  const [first, others] = await databaseFor(env, companyId).batch([
    firstSecrets(env, companyId),
    ownSecrets(env, companyId),
  ]);
  return [
    ...first.map((row) => Object.assign(row, { endpoint: endpointId(1) })),
    ...others.map(({ number, ...row }) => Object.assign(row, { endpoint: endpointId(number) })),
  ];
}

/**
 * Replaces the current secret, unless another call has replaced it already. Returns the secrets stored
 * afterwards, whichever call wrote them; null if the endpoint was deleted.
 */
export async function replaceSecret(
  env: Env,
  companyId: number,
  endpoint: EndpointId,
  current: string,
  next: { sealed: string; previous: RetiredSecret[] },
) {
  const db = databaseFor(env, companyId);
  const update =
    endpoint === FIRST_ENDPOINT
      ? db
          .update(companies)
          .set({ webhookSecretSealed: next.sealed, webhookSecretsPrevious: next.previous })
          .where(and(eq(companies.id, companyId), eq(companies.webhookSecretSealed, current)))
      : db
          .update(webhookEndpoints)
          .set({ secretSealed: next.sealed, secretsPrevious: next.previous })
          .where(and(isOwn(companyId, endpoint), eq(webhookEndpoints.secretSealed, current)));
  const [, [row]] = await runIdempotent(() =>
    db.batch([update, secretsOf(env, companyId, endpoint)]),
  );
  return row ?? null;
}

function secretsOf(env: Env, companyId: number, endpoint: EndpointId) {
  return endpoint === FIRST_ENDPOINT
    ? firstSecrets(env, companyId)
    : ownSecrets(env, companyId, endpoint);
}

function firstSecrets(env: Env, companyId: number) {
  return databaseFor(env, companyId)
    .select(SECRET_COLUMNS)
    .from(companies)
    .where(eq(companies.id, companyId));
}

/** The secrets of the endpoints that have their own rows, or of one of them. */
function ownSecrets(env: Env, companyId: number, endpoint?: EndpointId) {
  return databaseFor(env, companyId)
    .select({
      number: webhookEndpoints.number,
      providerCompanyId: companies.providerCompanyId,
      webhookSecretSealed: webhookEndpoints.secretSealed,
      webhookSecretsPrevious: webhookEndpoints.secretsPrevious,
    })
    .from(webhookEndpoints)
    .innerJoin(companies, eq(companies.id, webhookEndpoints.companyId))
    .where(isOwn(companyId, endpoint));
}

function isOwn(companyId: number, endpoint?: EndpointId) {
  const number = endpoint === undefined ? null : endpointNumber(endpoint);
  return and(
    eq(webhookEndpoints.companyId, companyId),
    number === null ? undefined : eq(webhookEndpoints.number, number),
    isNull(webhookEndpoints.deletedAt),
  );
}
