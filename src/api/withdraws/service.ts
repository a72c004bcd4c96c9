import type { RequestWithdraw, WithdrawPage } from "../../company/commands.ts";
import { callCompany } from "../../company/stub.ts";
import type { Company } from "../../domain/company.ts";
import { CURRENCY } from "../../domain/money.ts";
import { documentOfPixKey, parsePixKey, type PixKey } from "../../domain/pix-key.ts";
import { Problem } from "../../domain/problem.ts";
import type { WithdrawRecord } from "../../domain/withdraw.ts";
import type { Env } from "../../env.ts";
import { metadataText, pageWindow, type PageRequest } from "../../http/fields.ts";
import { keyReused } from "../../http/idempotency.ts";
import { notFound } from "../../http/problems.ts";
import { assert } from "../../lib/assert.ts";
import { canonicalJson, sha256Hex } from "../../lib/hash.ts";
import type { RequestWithdrawRequest } from "./schemas.ts";

const WITHDRAW_ID = /^[1-9]\d{0,14}$/;

export type RequestWithdrawResult =
  | { kind: "recorded"; withdraw: WithdrawRecord; replayed: boolean }
  | { kind: "no_pix_key" };

/** Asks the company's object for a withdraw. Throws the problem where it refuses. */
export async function requestWithdraw(
  env: Env,
  company: Company,
  request: RequestWithdrawRequest,
  idempotencyKey: string,
): Promise<RequestWithdrawResult> {
  const command = await toCommand(company, request, idempotencyKey);
  const answer = await callCompany(env, company.id, (account) => account.requestWithdraw(command));
  switch (answer.kind) {
    case "accepted":
    case "replayed":
      return {
        kind: "recorded",
        withdraw: answer.withdraw,
        replayed: answer.kind === "replayed",
      };
    case "no_pix_key":
      return { kind: "no_pix_key" };
    case "key_reused":
      throw keyReused();
    case "frozen":
      throw new Problem({
        code: "COMPANY_FROZEN",
        detail: "Withdraws of this company are suspended.",
      });
    case "insufficient_balance":
      throw new Problem({
        code: "INSUFFICIENT_BALANCE",
        detail: "The available balance does not cover this withdraw.",
        extensions: { available: answer.available, required: answer.required },
      });
  }
}

/** A company's own withdraw by the number in a path; 404 where there is none. */
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

export async function pageOfWithdraws(
  env: Env,
  company: Company,
  request: PageRequest,
): Promise<WithdrawPage> {
  return callCompany(env, company.id, (account) => account.listWithdraws(pageWindow(request)));
}

async function toCommand(
  company: Company,
  request: RequestWithdrawRequest,
  idempotencyKey: string,
): Promise<RequestWithdraw> {
  const ownKey = requestedKey(request);
  return {
    companyId: company.id,
    idempotencyKey,
    requestHash: await sha256Hex(canonicalJson(request)),
    amount: request.amount,
    currency: request.currency ?? CURRENCY,
    pixKey: ownKey ?? company.mainPixKey,
    creditorDocument: ownKey === null ? company.bankDocument : documentOfPixKey(ownKey),
    description: request.description ?? "",
    metadata: request.metadata === undefined ? null : metadataText(request.metadata),
  };
}

function requestedKey(request: RequestWithdrawRequest): PixKey | null {
  if (request.pixKey === undefined || request.pixKey === "") return null;
  const declared = request.pixKeyType === "" ? undefined : request.pixKeyType;
  const verdict = parsePixKey(request.pixKey, declared);
  assert(verdict.kind === "valid", "validation has judged the key");
  return verdict.key;
}
