import type {
  MainPixKey,
  RequestWithdraw,
  WithdrawPage,
  WithdrawPreview,
} from "../../company/withdraws/command-types.ts";
import { callCompany } from "../../company-client/stub.ts";
import type { Company } from "../../domain/shared/company.ts";
import type { Requester } from "../../domain/access/requester.ts";
import type { RandomSource } from "../../domain/shared/clock.ts";
import { newUuid } from "../../domain/shared/ids.ts";
import { CURRENCY } from "../../domain/shared/money.ts";
import { ownerDocumentOfPixKey, parsePixKey, type PixKey } from "../../domain/shared/pix-key.ts";
import { Problem } from "../../domain/shared/problem.ts";
import type { WithdrawRecord } from "../../domain/withdraws/withdraw.ts";
import type { Env } from "../../config.ts";
import type { CachedAuth, CallerApplication, CompanyDependencies } from "../../http/context.ts";
import { metadataText, pageWindow, type PageRequest } from "../../http/fields/fields.ts";
import { markVerified, StaleVersionError } from "../../http/auth/optimistic-auth.ts";
import { quotaExceeded } from "../../http/quota.ts";
import { keyReused, requestHashes } from "../../http/idempotency.ts";
import { notFound } from "../../http/problems.ts";
import { assert } from "../../lib/assert.ts";
import { canonicalJson, sha256Hex } from "../../lib/hash.ts";
import { NO_PAYOUT_PROVIDER, problemOf, withdrawPreviewView } from "./views.ts";
import type { RequestWithdrawRequest } from "./schemas.ts";
import { breaks } from "../../lib/fields/rules.ts";

/** A withdraw's number in a path. */
export const WITHDRAW_ID = /^[1-9]\d{0,14}$/;

/** What a request means by leaving a field out; to send it changes nothing. */
const DEFAULTS = { currency: CURRENCY, pixKeyType: "", description: "" };

/** The options of a withdraw, sent as headers. */
export interface WithdrawOptions {
  idempotencyKey: string;
  /** `X-Confirm-Duplicate`: id of the earlier withdraw that this one may duplicate. */
  confirmedDuplicate: number | null;
}

export type RequestWithdrawResult =
  | { kind: "recorded"; withdraw: WithdrawRecord; replayed: boolean }
  | { kind: "no_pix_key" };

export interface WithdrawContext {
  env: Env;
  deps: Pick<CompanyDependencies, "providers" | "clock">;
  company: Company;
  application: CallerApplication;
  requestedBy: Requester;
  /** Null if the credentials were read for this request. */
  cachedAuth: CachedAuth | null;
}

/** Requests a withdraw from the company's object. Throws the problem of a refusal. */
export async function requestWithdraw(
  context: WithdrawContext,
  request: RequestWithdrawRequest,
  options: WithdrawOptions,
): Promise<RequestWithdrawResult> {
  const { env, deps, company, cachedAuth } = context;
  const command = await toCommand(context, request, options);
  if (deps.providers(env).forPayout(company) === null) {
    const preview = await previewOf(context, command);
    // A known key replays its first response, also if the provider is gone since.
    if (preview.key === "free") return refusedWithoutProvider(preview);
  }
  const answer = await callCompany(env, company.id, (account) => account.requestWithdraw(command));
  if (answer.kind === "version_conflict") throw new StaleVersionError(answer.newest);
  markVerified(cachedAuth);
  switch (answer.kind) {
    case "accepted":
    case "replayed":
      return {
        kind: "recorded",
        withdraw: answer.withdraw,
        replayed: answer.kind === "replayed",
      };
    case "key_reused":
      throw keyReused();
    case "quota_exceeded":
      throw quotaExceeded(company.id, answer, deps.clock.now());
    case "no_pix_key":
      return { kind: "no_pix_key" };
    case "below_minimum":
    case "frozen":
    case "possible_duplicate":
    case "daily_limit_exceeded":
    case "night_limit_exceeded":
    case "key_limit_exceeded":
    case "pix_key_not_allowed":
    case "pix_key_cooling_down":
    case "spending_limits_ended":
    case "spending_limits_key_not_listed":
    case "spending_limits_exceeded":
    case "insufficient_balance":
      throw new Problem(problemOf(answer));
  }
}

async function previewOf(
  { env, company, cachedAuth }: WithdrawContext,
  command: RequestWithdraw,
): Promise<WithdrawPreview> {
  const answer = await callCompany(env, company.id, (account) => account.previewWithdraw(command));
  if (answer.kind === "version_conflict") throw new StaleVersionError(answer.newest);
  markVerified(cachedAuth);
  return answer.preview;
}

/** The first refusal in the order of the checks; the missing provider is the last. */
function refusedWithoutProvider({ refusals }: WithdrawPreview): RequestWithdrawResult {
  const [refusal] = refusals;
  if (refusal?.kind === "no_pix_key") return refusal;
  throw new Problem(refusal === undefined ? NO_PAYOUT_PROVIDER : problemOf(refusal));
}

/** The result that the withdraw would have now, with every check. Stores nothing, not even the key. */
export async function previewWithdraw(
  context: WithdrawContext,
  request: RequestWithdrawRequest,
  options: WithdrawOptions,
) {
  const { env, deps, company } = context;
  const command = await toCommand(context, request, options);
  const preview = await previewOf(context, command);
  const hasProvider = deps.providers(env).forPayout(company) !== null;
  return withdrawPreviewView(command, preview, hasProvider);
}

/** Cancels an Awaiting withdraw. Throws 409 in any other status. */
export async function cancelWithdraw(
  env: Env,
  company: Company,
  id: string,
  request: { idempotencyKey: string | null; random: RandomSource },
): Promise<{ withdraw: WithdrawRecord; replayed: boolean }> {
  if (!WITHDRAW_ID.test(id)) throw notFound("withdraw");
  const { idempotencyKey, random } = request;
  // Without a client's key the call gets a random one, so that an internal retry cancels once.
  const key = idempotencyKey ?? `auto:${newUuid(random)}`;
  const answer = await callCompany(env, company.id, (account) =>
    account.cancelWithdraw({ companyId: company.id, id: Number(id), key }),
  );
  switch (answer.kind) {
    case "cancelled":
    case "replayed":
      return {
        withdraw: answer.withdraw,
        replayed: answer.kind === "replayed" && idempotencyKey !== null,
      };
    case "key_reused":
      throw keyReused();
    case "not_found":
      throw notFound("withdraw");
    case "not_allowed":
      throw new Problem({
        code: "INVALID_STATE",
        reason: "withdraw_status",
        detail: `The withdraw is ${answer.status}; only one that is Awaiting can be cancelled.`,
      });
  }
}

/** A company's withdraw by the id in a path. Throws 404 if there is none. */
export async function requireWithdraw(
  env: Env,
  company: Company,
  id: string,
): Promise<WithdrawRecord> {
  if (!WITHDRAW_ID.test(id)) throw notFound("withdraw");
  const withdraw = await callCompany(env, company.id, (account) =>
    account.findWithdraw(Number(id)),
  );
  if (withdraw === null) throw notFound("withdraw");
  return withdraw;
}

/** A page of a company's withdraws, with the total count. */
export async function pageOfWithdraws(
  env: Env,
  company: Company,
  request: PageRequest,
): Promise<WithdrawPage> {
  return callCompany(env, company.id, (account) => account.listWithdraws(pageWindow(request)));
}

/** A company's main PIX key, as the object judges it. */
export function mainPixKeyOf({
  mainPixKey,
  mainPixKeySince,
}: Pick<Company, "mainPixKey" | "mainPixKeySince">): MainPixKey | null {
  return mainPixKey === null ? null : { value: mainPixKey.value, since: mainPixKeySince };
}

async function toCommand(
  { company, application, requestedBy }: WithdrawContext,
  request: RequestWithdrawRequest,
  options: WithdrawOptions,
): Promise<RequestWithdraw> {
  const ownKey = requestedKey(request);
  requireDeclaredType(request, ownKey ?? company.mainPixKey);
  return {
    companyId: company.id,
    idempotencyKey: options.idempotencyKey,
    ...(await hashesOf(request, ownKey)),
    amount: request.amount,
    currency: request.currency ?? CURRENCY,
    pixKey: ownKey ?? company.mainPixKey,
    creditorDocument: ownKey === null ? company.bankDocument : ownerDocumentOfPixKey(ownKey),
    description: request.description ?? "",
    metadata: request.metadata === undefined ? null : metadataText(request.metadata),
    policy: company.withdrawPolicy,
    mainPixKey: mainPixKeyOf(company),
    requestedBy,
    keyPrefix: application.keyPrefix,
    standing: application.standing,
    spendingLimits: application.spendingLimits,
    fee: company.terms.fees.WITHDRAW,
    minimum: company.terms.minimumWithdraw,
    confirmedDuplicate: options.confirmedDuplicate,
    credentialsVersion: company.credentialsVersion,
    quotaPercent: company.quotaPercent,
    sandbox: company.mode === "sandbox",
  };
}

/** The request's own key counts in its stored form and with its type, however it was written. */
async function hashesOf(request: RequestWithdrawRequest, ownKey: PixKey | null) {
  const key = ownKey === null ? {} : { pixKey: ownKey.value, pixKeyType: ownKey.type };
  const { requestHash } = await requestHashes({ ...request, ...key }, DEFAULTS);
  return { requestHash, sentRequestHash: await sha256Hex(canonicalJson(request)) };
}

/** Throws 400 if the key, also the registered one, is not of the declared `pixKeyType`. */
function requireDeclaredType(request: RequestWithdrawRequest, key: PixKey | null): void {
  const { pixKeyType } = request;
  if (pixKeyType === undefined || pixKeyType === "" || key === null || key.type === pixKeyType) {
    return;
  }
  throw new Problem({
    code: "VALIDATION_FAILED",
    detail: "Invalid fields: pixKeyType.",
    errors: { pixKeyType: [breaks("keyOfOtherType", { type: key.type })] },
  });
}

function requestedKey(request: RequestWithdrawRequest): PixKey | null {
  if (request.pixKey === undefined || request.pixKey === "") return null;
  const declared = request.pixKeyType === "" ? undefined : request.pixKeyType;
  const verdict = parsePixKey(request.pixKey, declared);
  assert(verdict.kind === "valid", "validation has checked the key");
  return verdict.key;
}
