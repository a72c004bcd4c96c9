import type { z } from "@hono/zod-openapi";
import { configOf, type Env } from "../../../config.ts";
import {
  endpointNumber,
  ENDPOINTS_MAX,
  FIRST_ENDPOINT,
  type EndpointId,
} from "../../../domain/events/webhook-endpoint.ts";
import { webhookHost } from "../../../domain/events/webhook-target.ts";
import { webhookSecretContext, type Company } from "../../../domain/shared/company.ts";
import { newUuid } from "../../../domain/shared/ids.ts";
import { Problem } from "../../../domain/shared/problem.ts";
import type { CompanyDependencies } from "../../../http/context.ts";
import { keyReused } from "../../../http/idempotency.ts";
import { invalidState, notFound } from "../../../http/problems.ts";
import { breaks } from "../../../lib/fields/rules.ts";
import { canonicalJson, sha256Hex } from "../../../lib/hash.ts";
import { seal, unseal } from "../../../lib/secret-box.ts";
import {
  closeCircuit,
  listFailingHosts,
  type WebhookHostRow,
} from "../../../webhooks/delivery/host-circuit-repository.ts";
import { newWebhookSecret } from "../../../webhooks/signing/secrets.ts";
import { updateCredentials } from "../../settings/update-credentials.ts";
import { failingHostView } from "../endpoint/views.ts";
import {
  addEndpoint,
  changeEndpoint as changeRow,
  deleteEndpoint as deleteRow,
  findMadeEndpoint,
  listEndpoints,
  type EndpointChange,
  type EndpointRow,
  type MadeEndpoint,
} from "./repository.ts";
import type { CreateEndpoint } from "./schemas.ts";

type Deps = Pick<CompanyDependencies, "clock" | "random">;

/** A request for a new endpoint, with what a repeated one is known by. */
export interface EndpointDraft {
  request: z.output<typeof CreateEndpoint>;
  creationId: string;
  requestHash: string;
}

/** A page of a company's endpoints, the first one first, with the failing host of each. */
export async function pageOfEndpoints(
  env: Env,
  { clock }: Pick<Deps, "clock">,
  companyId: number,
  { after, limit }: { after?: string | undefined; limit: number },
) {
  const [all, hosts] = await Promise.all([
    listEndpoints(env, companyId),
    listFailingHosts(env, companyId, clock.now()),
  ]);
  const from = after === undefined ? 0 : (endpointNumber(after) ?? 0);
  const following = all.filter(({ id }) => (endpointNumber(id) ?? 0) > from);
  const rows = following.slice(0, limit);
  const hasMore = following.length > limit;
  return {
    items: rows.map((row) => shown(row, hosts)),
    after: hasMore ? (rows.at(-1)?.id ?? null) : null,
    hasMore,
  };
}

function noSuchEndpoint(): Problem {
  return notFound("webhook endpoint", "GET /api/v1/webhooks/endpoints lists the ids.");
}

/** A company's endpoint. Throws 404. */
export async function requireEndpoint(
  env: Env,
  companyId: number,
  id: string,
): Promise<EndpointRow> {
  const row = (await listEndpoints(env, companyId)).find((each) => each.id === id);
  if (row === undefined) throw noSuchEndpoint();
  return row;
}

/** What a request is to make. Under an `Idempotency-Key` a repeated request has the same `creationId`. */
export async function draftEndpoint(
  { random }: Pick<Deps, "random">,
  companyId: number,
  request: EndpointDraft["request"],
  idempotencyKey: string | null,
): Promise<EndpointDraft> {
  const creationId =
    idempotencyKey === null
      ? newUuid(random)
      : await sha256Hex(`webhook_endpoint:${companyId}:${idempotencyKey}`);
  return { request, creationId, requestHash: await sha256Hex(canonicalJson(request)) };
}

/**
 * The endpoint that an earlier, equal request made, with its current secret; null if there was none. Throws 409 if the
 * key was used for another request, or the endpoint was deleted since.
 */
export async function findReplayed(
  env: Env,
  { clock }: Pick<Deps, "clock">,
  company: Company,
  draft: EndpointDraft,
) {
  const made = await findMadeEndpoint(env, company.id, draft.creationId);
  return made === null ? null : madeView(env, clock.now(), company, { made, draft });
}

/** Makes an endpoint. Throws 400 for the URL of another, 409 for one too many. */
export async function createEndpoint(env: Env, deps: Deps, company: Company, draft: EndpointDraft) {
  const { request, creationId, requestHash } = draft;
  const nowMs = deps.clock.now();
  await requireOwnUrl(env, company.id, request.url);
  const context = webhookSecretContext(company.providerCompanyId);
  const secret = newWebhookSecret(deps.random);
  const made = await addEndpoint(env, {
    ...request,
    companyId: company.id,
    secretSealed: await seal(configOf(env).secretsKeys, secret, context),
    creationId,
    requestHash,
    createdAt: nowMs,
  });
  if (made === null) {
    throw invalidState(
      `The company has ${ENDPOINTS_MAX} webhook endpoints. Delete one first`,
      "too_many",
    );
  }
  return madeView(env, nowMs, company, { made, draft });
}

/** Changes the fields that are sent; a URL's host is switched on again. Throws 400 for the URL of another, 404. */
export async function changeEndpoint(
  env: Env,
  { clock }: Pick<Deps, "clock">,
  companyId: number,
  id: EndpointId,
  change: EndpointChange,
) {
  const { url } = change;
  if (url !== undefined) await requireOwnUrl(env, companyId, url, id);
  const row =
    Object.values(change).filter((value) => value !== undefined).length === 0
      ? await requireEndpoint(env, companyId, id)
      : await withFreshCredentials(env, companyId, id, () => changeRow(env, companyId, id, change));
  if (row === null) throw noSuchEndpoint();
  if (url !== undefined) await closeCircuit(env, companyId, webhookHost(url));
  return shownOne(env, clock.now(), companyId, row);
}

/** Deletes an endpoint: its open deliveries end `stopped` when they are next due. */
export async function deleteEndpoint(
  env: Env,
  { clock }: Pick<Deps, "clock">,
  companyId: number,
  id: EndpointId,
): Promise<void> {
  await withFreshCredentials(env, companyId, id, () => deleteRow(env, companyId, id, clock.now()));
}

/** An endpoint as the API shows it. */
export async function shownOne(env: Env, nowMs: number, companyId: number, row: EndpointRow) {
  return shown(row, await listFailingHosts(env, companyId, nowMs));
}

function shown({ id, url, events, description }: EndpointRow, hosts: WebhookHostRow[]) {
  const failing = hosts.find(({ host }) => host === webhookHost(url));
  const shownFailing = failing === undefined ? {} : { failingHost: failingHostView(failing) };
  return { id, url, events, description, ...shownFailing };
}

/** An endpoint with its secret, for the request that made it. */
async function madeView(
  env: Env,
  nowMs: number,
  { id: companyId, providerCompanyId }: Company,
  { made, draft }: { made: MadeEndpoint; draft: EndpointDraft },
) {
  if (made.requestHash !== draft.requestHash) throw keyReused();
  if (made.deletedAt !== null) {
    throw invalidState(
      "The endpoint that this Idempotency-Key made was deleted. Use another key",
      "changed_meanwhile",
    );
  }
  const context = webhookSecretContext(providerCompanyId);
  const secret = await unseal(configOf(env).secretsKeys, made.secretSealed, context);
  return { ...(await shownOne(env, nowMs, companyId, made)), secret };
}

/** The first endpoint stands in the company's row, which authentication caches. */
function withFreshCredentials<Result>(
  env: Env,
  companyId: number,
  id: EndpointId,
  update: () => Promise<Result>,
): Promise<Result> {
  return id === FIRST_ENDPOINT ? updateCredentials(env, companyId, update) : update();
}

/** Throws 400 if another endpoint than `own` has the URL: a receiver would refuse the signatures of one of them. */
async function requireOwnUrl(
  env: Env,
  companyId: number,
  url: string,
  own?: EndpointId,
): Promise<void> {
  const all = await listEndpoints(env, companyId);
  const other = all.find((each) => each.url === url && each.id !== own);
  if (other === undefined) return;
  throw new Problem({
    code: "VALIDATION_FAILED",
    detail: "Invalid fields: url.",
    errors: { url: [breaks("urlOfEndpoint", { id: other.id })] },
  });
}
