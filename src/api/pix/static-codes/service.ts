import type { z } from "@hono/zod-openapi";
import { credentialsVersionOf } from "../../../db/companies/credentials-version.ts";
import { TRANSFER_METHOD } from "../../../domain/charges/charge-status.ts";
import type { Cents } from "../../../domain/shared/money.ts";
import type { Company } from "../../../domain/shared/company.ts";
import {
  companyIdOfTransactionId,
  newTransactionId,
  staticTxidOf,
} from "../../../domain/shared/ids.ts";
import { Problem } from "../../../domain/shared/problem.ts";
import type { Env } from "../../../config.ts";
import { StaleVersionError } from "../../../http/auth/optimistic-auth.ts";
import type { CompanyDependencies } from "../../../http/context.ts";
import { keyReused } from "../../../http/idempotency.ts";
import { invalidState, notFound } from "../../../http/problems.ts";
import { canonicalJson, sha256Hex } from "../../../lib/hash.ts";
import { encodeBrCode, MERCHANT_CITY } from "../../../methods/pix/br-code.ts";
import {
  findStaticCode,
  findStaticCodeByKey,
  insertStaticCode,
  listStaticCodes,
  STATIC_CODES_MAX,
  type StaticCodeDraft,
  type StaticCodeRow,
} from "./repository.ts";
import { staticCodeView, type CreateStaticCode, type StaticCodesQuery } from "./schemas.ts";

interface CodeContext {
  env: Env;
  deps: Pick<CompanyDependencies, "clock" | "random" | "providers">;
  company: Company;
}

/** A validated request with its idempotency key; equal requests have equal hashes. */
interface CodeRequest {
  amount: Cents | null;
  description: string;
  idempotencyKey: string | null;
  requestHash: string;
}

/** The request of a body, with the defaults of what it leaves out. */
export async function codeRequest(
  body: z.output<typeof CreateStaticCode>,
  idempotencyKey: string | null,
): Promise<CodeRequest> {
  const amount = body.amount ?? null;
  const description = body.description ?? "";
  const requestHash = await sha256Hex(canonicalJson({ amount, description }));
  return { amount, description, idempotencyKey, requestHash };
}

/** A new code to the PIX key of the company's PSP, or of the sandbox. Throws 422 where it has none. */
function draftStaticCode(
  { env, deps, company }: CodeContext,
  request: CodeRequest,
): StaticCodeDraft {
  const provider = deps.providers(env).forCharge(company, TRANSFER_METHOD);
  if (provider === null || provider.pixKey === null) {
    throw new Problem({
      code: "PROVIDER_NOT_CONFIGURED",
      detail: "This company has no provider with a PIX key.",
    });
  }
  const { amount, description } = request;
  const createdAt = deps.clock.now();
  const id = newTransactionId(company.id, createdAt, deps.random);
  const txid = staticTxidOf(id);
  const qrcode = encodeBrCode({
    target: { key: provider.pixKey },
    merchantName: company.name,
    merchantCity: MERCHANT_CITY,
    ...(amount === null ? {} : { amount }),
    txid,
    description,
  });
  const { account } = provider;
  return { ...request, companyId: company.id, id, txid, qrcode, account, createdAt };
}

/** The code of an earlier request with the same key; null where there is none. Throws 409 for another request. */
export async function findReplayedCode(
  env: Env,
  companyId: number,
  { idempotencyKey, requestHash }: CodeRequest,
): Promise<StaticCodeRow | null> {
  if (idempotencyKey === null) return null;
  const earlier = await findStaticCodeByKey(env, companyId, idempotencyKey);
  if (earlier !== null && earlier.requestHash !== requestHash) throw keyReused();
  return earlier;
}

/**
 * Makes a code once per key. Throws 409 for the company's most codes, 422 where it has no PIX key, and
 * `StaleVersionError`.
 */
export async function createStaticCode(
  context: CodeContext,
  request: CodeRequest,
): Promise<{ code: StaticCodeRow; isNew: boolean }> {
  const { env, company } = context;
  const { id, credentialsVersion } = company;
  const made = await insertStaticCode(env, draftStaticCode(context, request), credentialsVersion);
  if (made !== null) return { code: made, isNew: true };
  const earlier = await findReplayedCode(env, id, request);
  if (earlier !== null) return { code: earlier, isNew: false };
  if ((await credentialsVersionOf(env, id)) !== credentialsVersion) {
    throw new StaleVersionError(null);
  }
  throw invalidState(
    `The company has made ${STATIC_CODES_MAX} static codes, which is its most`,
    "too_many",
  );
}

/** A company's code by the id in a path. Throws 404 where there is none. */
export async function requireStaticCode(
  env: Env,
  company: Pick<Company, "id">,
  id: string,
): Promise<StaticCodeRow> {
  const isOwn = companyIdOfTransactionId(id) === company.id;
  const code = isOwn ? await findStaticCode(env, company.id, id.toLowerCase()) : null;
  if (code === null) throw notFound("static code");
  return code;
}

/** A page of the company's codes, newest first, with the deleted ones. */
export async function pageOfStaticCodes(
  env: Env,
  company: Pick<Company, "id">,
  { after, limit }: z.output<typeof StaticCodesQuery>,
) {
  const found = await listStaticCodes(env, company.id, { before: after, limit: limit + 1 });
  const page = found.slice(0, limit);
  const last = page.at(-1);
  return {
    items: page.map(staticCodeView),
    after: last === undefined ? null : String(last.number),
    hasMore: found.length > limit,
  };
}
