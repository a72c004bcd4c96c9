import type { z } from "@hono/zod-openapi";
import { callCompany } from "../../company-client/stub.ts";
import type {
  WritePaymentLink,
  WritePaymentLinkAnswer,
} from "../../company/links/command-types.ts";
import type { Company } from "../../domain/shared/company.ts";
import { companyIdOfTransactionId, newTransactionId } from "../../domain/shared/ids.ts";
import { Problem } from "../../domain/shared/problem.ts";
import {
  PAYMENT_LINKS_MAX,
  type LinkTerms,
  type PaymentLink,
} from "../../domain/links/payment-link.ts";
import { newSlug } from "../../domain/links/slug.ts";
import type { Env } from "../../config.ts";
import { markVerified, StaleVersionError } from "../../http/auth/optimistic-auth.ts";
import type { Caller, CompanyDependencies } from "../../http/context.ts";
import { metadataText } from "../../http/fields/fields.ts";
import { keyReused } from "../../http/idempotency.ts";
import { invalidState, notFound } from "../../http/problems.ts";
import { quotaExceeded } from "../../http/quota.ts";
import { canonicalJson, sha256Hex } from "../../lib/hash.ts";
import { findLink, listLinks } from "./repository.ts";
import {
  termsOf,
  type CreatePaymentLink,
  type PaymentLinksQuery,
  type UpdatePaymentLink,
} from "./schemas.ts";
import { breaks } from "../../lib/fields/rules.ts";

interface LinkContext {
  env: Env;
  deps: Pick<CompanyDependencies, "clock" | "random" | "providers">;
  caller: Pick<Caller, "company" | "cachedAuth">;
}

/**
 * Makes a link once per key. Throws 400 for an end in the past, 409 for the key and for the most links, 422
 * for a method without a provider, 429 for the quota, and `StaleVersionError`.
 */
export async function createPaymentLink(
  context: LinkContext,
  body: z.output<typeof CreatePaymentLink>,
  key: string | null,
): Promise<{ link: PaymentLink; replayed: boolean }> {
  const { deps, caller } = context;
  const { id: companyId } = caller.company;
  const nowMs = deps.clock.now();
  const terms = termsOf(body);
  const { name, maxPayments = null, expiresAt = null, metadata = null } = body;
  const link = { name, terms, maxPayments, expiresAt, metadata: storedMetadata(metadata) };
  const requestHash = await sha256Hex(canonicalJson(link));
  // A replay is answered even after the link's end, and after its provider was disconnected.
  const obstacle = obstacleTo(context, link, nowMs);
  const command = {
    kind: "create",
    ...commandOf(context, newTransactionId(companyId, nowMs, deps.random)),
    link: { ...link, slug: newSlug(companyId, deps.random) },
    key,
    requestHash,
    isPossible: obstacle === null,
  } as const;
  return write(context, command, obstacle);
}

/** Changes a link. Throws 400, 404, 409 for a limit below what is taken, 429, and `StaleVersionError`. */
export async function updatePaymentLink(
  context: LinkContext,
  id: string,
  body: z.output<typeof UpdatePaymentLink>,
): Promise<PaymentLink> {
  const { clock } = context.deps;
  if (body.expiresAt != null && body.expiresAt <= clock.now()) throw notInFuture();
  const { name, active: isActive, expiresAt, maxPayments, metadata } = body;
  const change = {
    name,
    isActive,
    expiresAt,
    maxPayments,
    metadata: metadata == null ? metadata : metadataText(metadata),
  };
  const command = { kind: "change", ...commandOf(context, id.toLowerCase()), change } as const;
  return (await write(context, command)).link;
}

/** A company's link by the id in a path. Throws 404 where there is none. */
export async function requirePaymentLink(
  env: Env,
  company: Pick<Company, "id">,
  id: string,
): Promise<PaymentLink> {
  const isOwn = companyIdOfTransactionId(id) === company.id;
  const link = isOwn ? await findLink(env, company.id, id.toLowerCase()) : null;
  if (link === null) throw notFound("payment link");
  return link;
}

/** A page of the company's links, newest first. */
export async function pageOfPaymentLinks(
  env: Env,
  company: Pick<Company, "id">,
  { after, limit }: z.output<typeof PaymentLinksQuery>,
) {
  const found = await listLinks(env, company.id, { before: after, limit: limit + 1 });
  const links = found.slice(0, limit);
  const last = links.at(-1);
  return {
    links,
    after: last === undefined ? null : String(last.number),
    hasMore: found.length > limit,
  };
}

function commandOf({ caller }: LinkContext, id: string) {
  const { id: companyId, credentialsVersion, quotaPercent } = caller.company;
  return { companyId, credentialsVersion, quotaPercent, id };
}

/** Why a link cannot be made now; null if it can. */
function obstacleTo(
  { env, deps, caller }: LinkContext,
  { terms, expiresAt }: { terms: LinkTerms; expiresAt: number | null },
  nowMs: number,
): Problem | null {
  if (expiresAt !== null && expiresAt <= nowMs) return notInFuture();
  const providers = deps.providers(env);
  const missing = terms.paymentMethods.find(
    (method) => providers.forCharge(caller.company, method) === null,
  );
  if (missing === undefined) return null;
  return new Problem({
    code: "PROVIDER_NOT_CONFIGURED",
    detail: `This company has no provider for ${missing}.`,
  });
}

function notInFuture(): Problem {
  return new Problem({
    code: "VALIDATION_FAILED",
    detail: "Invalid fields: expiresAt.",
    errors: { expiresAt: [breaks("inFuture")] },
  });
}

async function write(
  { env, deps, caller }: LinkContext,
  command: WritePaymentLink,
  obstacle: Problem | null = null,
): Promise<{ link: PaymentLink; replayed: boolean }> {
  const { companyId } = command;
  const answer: WritePaymentLinkAnswer = await callCompany(env, companyId, (account) =>
    account.writePaymentLink(command),
  );
  if (answer.kind === "version_conflict") throw new StaleVersionError(answer.newest);
  markVerified(caller.cachedAuth);
  switch (answer.kind) {
    case "written":
      return answer;
    case "impossible":
      throw obstacle ?? new Error("a link is impossible for a reason");
    case "key_reused":
      throw keyReused();
    case "not_found":
      throw notFound("payment link");
    case "too_many":
      throw invalidState(
        `The company has made ${PAYMENT_LINKS_MAX} payment links, which is its most`,
        "too_many",
      );
    case "below_taken":
      throw new Problem({
        code: "INVALID_STATE",
        reason: "below_taken",
        detail: `${answer.taken} payments were made or are being made.`,
        errors: { maxPayments: [breaks("min", { min: answer.taken })] },
      });
    case "quota_exceeded":
      throw quotaExceeded(companyId, answer, deps.clock.now());
  }
}

function storedMetadata(metadata: string | Record<string, unknown> | null): string | null {
  return metadata === null ? null : metadataText(metadata);
}
