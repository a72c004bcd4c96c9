import { and, asc, eq, isNotNull, isNull, lt, ne, sql } from "drizzle-orm";
import type { Env } from "../../../config.ts";
import { databaseFor, type Database } from "../../../db/client.ts";
import { companies } from "../../../db/schema/companies.ts";
import { webhookEndpoints } from "../../../db/schema/webhooks.ts";
import { runIdempotent } from "../../../db/storage-errors.ts";
import {
  ALL_EVENTS,
  endpointId,
  endpointNumber,
  ENDPOINTS_MAX,
  FIRST_ENDPOINT,
  type EndpointEvent,
  type EndpointId,
} from "../../../domain/events/webhook-endpoint.ts";
import { withoutUndefined } from "../../../lib/without-undefined.ts";

/** Numbers after a deleted endpoint's until its row is forgotten, so that a repeated request finds it. */
const DELETED_KEPT = 100;

/** A webhook endpoint as the API shows it. */
export interface EndpointRow {
  id: EndpointId;
  url: string;
  events: EndpointEvent[];
  description: string;
}

/** What a request may change of an endpoint; what is undefined stays. */
export interface EndpointChange {
  url?: string | undefined;
  events?: EndpointEvent[] | undefined;
  description?: string | undefined;
}

export interface NewEndpoint extends Omit<EndpointRow, "id"> {
  companyId: number;
  secretSealed: string;
  /** Of the request, by its `Idempotency-Key`; random without one. */
  creationId: string;
  requestHash: string;
  createdAt: number;
}

/** An endpoint after the first that an earlier request made, also a deleted one. */
export type MadeEndpoint = EndpointRow &
  Pick<typeof webhookEndpoints.$inferSelect, "secretSealed" | "requestHash" | "deletedAt">;

/** A company's endpoints, the first one first. */
export async function listEndpoints(env: Env, companyId: number): Promise<EndpointRow[]> {
  const db = databaseFor(env, companyId);
  const [first, others] = await db.batch([
    selectFirst(db, companyId),
    db
      .select(OWN_COLUMNS)
      .from(webhookEndpoints)
      .where(isOpen(companyId))
      .orderBy(asc(webhookEndpoints.number)),
  ]);
  return [...first.map(firstRow), ...others.map(ownRow)];
}

/** The endpoint that an earlier request with this id made; null if none did. */
export async function findMadeEndpoint(
  env: Env,
  companyId: number,
  creationId: string,
): Promise<MadeEndpoint | null> {
  const [row] = await selectMade(databaseFor(env, companyId), companyId, creationId);
  return row === undefined ? null : madeRow(row);
}

/** Adds an endpoint, unless the company has its most; null then. A repeated request gets the row of the first. */
export async function addEndpoint(env: Env, draft: NewEndpoint): Promise<MadeEndpoint | null> {
  const { companyId, creationId } = draft;
  const db = databaseFor(env, companyId);
  const isOwn = eq(webhookEndpoints.companyId, companyId);
  const isMade = and(isOwn, eq(webhookEndpoints.creationId, creationId));
  const newest = sql`(SELECT coalesce(max(number), 1) FROM ${webhookEndpoints} WHERE ${isOwn})`;
  const [, , [row]] = await runIdempotent(() =>
    db.batch([
      // In the order of the table's columns. The first endpoint keeps its place, also while it has no URL.
      db.insert(webhookEndpoints).select(sql`
        SELECT ${companyId}, ${newest} + 1, ${draft.url}, ${JSON.stringify(draft.events)}, ${draft.description},
          ${draft.secretSealed}, NULL, ${creationId}, ${draft.requestHash}, ${draft.createdAt}, NULL
        WHERE NOT EXISTS (SELECT 1 FROM ${webhookEndpoints} WHERE ${isMade})
          AND (SELECT count(*) FROM ${webhookEndpoints} WHERE ${isOpen(companyId)}) < ${ENDPOINTS_MAX - 1}`),
      db
        .delete(webhookEndpoints)
        .where(
          and(
            isOwn,
            isNotNull(webhookEndpoints.deletedAt),
            lt(webhookEndpoints.number, sql`${newest} - ${DELETED_KEPT}`),
          ),
        ),
      selectMade(db, companyId, creationId),
    ]),
  );
  return row === undefined ? null : madeRow(row);
}

/** Changes an endpoint and returns it; null if there is none. */
export async function changeEndpoint(
  env: Env,
  companyId: number,
  id: EndpointId,
  change: EndpointChange,
): Promise<EndpointRow | null> {
  const db = databaseFor(env, companyId);
  if (id === FIRST_ENDPOINT) {
    const { url, events, description } = change;
    const changes = withoutUndefined({
      webhookUrl: url,
      webhookEvents: events,
      webhookDescription: description,
    });
    const [row] = await runIdempotent(() =>
      db.update(companies).set(changes).where(isFirst(companyId)).returning(FIRST_COLUMNS),
    );
    return row === undefined ? null : firstRow(row);
  }
  const [row] = await runIdempotent(() =>
    db
      .update(webhookEndpoints)
      .set(withoutUndefined(change))
      .where(and(isOpen(companyId), eq(webhookEndpoints.number, endpointNumber(id) ?? 0)))
      .returning(OWN_COLUMNS),
  );
  return row === undefined ? null : ownRow(row);
}

/** Deletes an endpoint with its secrets, but for the first one's, which signs postbacks. Safe to repeat. */
export async function deleteEndpoint(
  env: Env,
  companyId: number,
  id: EndpointId,
  nowMs: number,
): Promise<void> {
  const db = databaseFor(env, companyId);
  if (id === FIRST_ENDPOINT) {
    const deleted = {
      webhookUrl: "",
      webhookEvents: null,
      webhookDescription: "",
      webhookDeletedAt: nowMs,
    };
    await runIdempotent(() => db.update(companies).set(deleted).where(isFirst(companyId)).run());
    return;
  }
  const deleted = { url: "", secretSealed: "", secretsPrevious: null, deletedAt: nowMs };
  await runIdempotent(() =>
    db
      .update(webhookEndpoints)
      .set(deleted)
      .where(and(isOpen(companyId), eq(webhookEndpoints.number, endpointNumber(id) ?? 0)))
      .run(),
  );
}

const FIRST_COLUMNS = {
  url: companies.webhookUrl,
  events: companies.webhookEvents,
  description: companies.webhookDescription,
};
const OWN_COLUMNS = {
  number: webhookEndpoints.number,
  url: webhookEndpoints.url,
  events: webhookEndpoints.events,
  description: webhookEndpoints.description,
};

function selectFirst(db: Database, companyId: number) {
  return db.select(FIRST_COLUMNS).from(companies).where(isFirst(companyId));
}

function selectMade(db: Database, companyId: number, creationId: string) {
  const { secretSealed, requestHash, deletedAt } = webhookEndpoints;
  return db
    .select({ ...OWN_COLUMNS, secretSealed, requestHash, deletedAt })
    .from(webhookEndpoints)
    .where(
      and(eq(webhookEndpoints.companyId, companyId), eq(webhookEndpoints.creationId, creationId)),
    );
}

/** The company's row, if it has a first endpoint. */
function isFirst(companyId: number) {
  return and(eq(companies.id, companyId), ne(companies.webhookUrl, ""));
}

function isOpen(companyId: number) {
  return and(eq(webhookEndpoints.companyId, companyId), isNull(webhookEndpoints.deletedAt));
}

function firstRow({
  events,
  ...row
}: {
  url: string;
  events: EndpointEvent[] | null;
  description: string;
}): EndpointRow {
  return { id: FIRST_ENDPOINT, events: events ?? [ALL_EVENTS], ...row };
}

function ownRow({ number, ...row }: Omit<EndpointRow, "id"> & { number: number }): EndpointRow {
  return { id: endpointId(number), ...row };
}

function madeRow({ number, ...row }: Omit<MadeEndpoint, "id"> & { number: number }): MadeEndpoint {
  return { id: endpointId(number), ...row };
}
