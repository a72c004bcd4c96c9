import { callCompany } from "../../company-client/stub.ts";
import { findOpenCompany } from "../../db/companies/companies.ts";
import { linkChargeKey } from "../../domain/charges/payment-charge.ts";
import type { PaymentMethod } from "../../domain/charges/charge-status.ts";
import {
  PAYER_FIELD_NAMES,
  PAYER_FIELDS,
  type PayerField,
} from "../../domain/charges/payer-fields.ts";
import {
  isAmountOf,
  RESERVATION_SECONDS,
  type PaymentLink,
} from "../../domain/links/payment-link.ts";
import type { Company } from "../../domain/shared/company.ts";
import { secureIdOf } from "../../domain/shared/ids.ts";
import type { Cents } from "../../domain/shared/money.ts";
import { Problem } from "../../domain/shared/problem.ts";
import type { Env } from "../../config.ts";
import { retryOnStaleVersion } from "../../http/auth/optimistic-auth.ts";
import type { CompanyDependencies } from "../../http/context.ts";
import { servicePaused } from "../../http/auth/service-pause.ts";
import { quotaExceeded } from "../../http/quota.ts";
import { canonicalJson, sha256Hex } from "../../lib/hash.ts";
import { methodOf } from "../../methods/registry.ts";
import type { ReservationAnswer } from "../../company/links/command-types.ts";
import { askedFields, payerOf, requirementsOf, sentFields, type AskedField } from "./payer.ts";
import { openPageToken } from "../cards/session.ts";
import { createTransaction } from "../transactions/create.ts";
import type { LinkReservation } from "../transactions/claim/draft.ts";
import { addressHash } from "../transactions/payer-key.ts";
import { isTimed } from "../transactions/register-charge.ts";
import type { TransactionRow } from "../../db/projection/transaction-mapper.ts";
import { findByIdempotencyKey, findTransaction } from "../transactions/repository.ts";
import { CreateTransaction, type CreateTransactionRequest } from "../transactions/schemas.ts";

/** The first request with a key is not answered yet, or had another token of the card. */
const SENT_BEFORE = new Set(["IDEMPOTENCY_IN_PROGRESS", "IDEMPOTENCY_KEY_REUSED"]);
/** Made with the page: 128 random bits, base64url. */
const PAGE_KEY = /^[A-Za-z0-9_-]{22}$/;

/** What a payer chose on the page of a link. */
export interface PayerChoice {
  /** Made with the page, so that a form that is sent twice makes one charge. */
  key: string;
  /** The payer's checkout; that of the page, or an earlier one where the payer wants another way to pay. */
  checkoutId: string;
  paymentMethod: string;
  /** For one piece, centavos; null where nothing readable was typed. */
  amount: Cents | null;
  quantity: number | null;
  /** Null where nothing readable was chosen. */
  installments: number | null;
  /** The card's token as the page got it; `""` before there is one. */
  cardToken: string;
  /** The account whose house made the token; `""` where this service did. */
  cardAccount: string;
  /** Whether he lets the company keep the card. */
  saveCard: boolean;
  fields: Record<PayerField, string>;
}

/** A field of the page's form that is wrong. */
export type WrongField =
  | PayerField
  | "amount"
  | "quantity"
  | "paymentMethod"
  | "installments"
  | "card";

/**
 * `secureId` opens the payer's page. `refused`: the card was, and `code` says why (`RefusedReason`). `token_ended`: the card's
 * token had expired, was used, or is another account's; a new one may pay.
 */
export type PayOutcome =
  | { kind: "charge"; secureId: string }
  | { kind: "refused"; code: string }
  | { kind: "invalid"; wrong: ReadonlySet<WrongField> }
  | { kind: "closed"; status: "inactive" | "expired" | "exhausted" }
  | { kind: "not_found" | "full" | "crowded" | "too_many" | "failed" | "token_ended" }
  | { kind: "problem"; problem: Problem };

/** The card of a create request. */
interface CardChoice {
  token: string;
  account?: string;
}

interface PayContext {
  env: Env;
  deps: CompanyDependencies;
  origin: string;
  traceId: string;
  /** The payer's network address (`senderOf`); only a keyed hash of it is kept, while the reservation is held. */
  sender: string;
}

/**
 * A payer's act: holds a reservation of the link, and makes the charge, which keeps it. The same form makes one
 * charge, however often it is sent. Answers what the page says; throws only for errors of ours.
 */
export async function payByLink(
  context: PayContext,
  { id: companyId, mode }: Pick<Company, "id" | "mode">,
  link: PaymentLink,
  choice: PayerChoice,
): Promise<PayOutcome> {
  if (!PAGE_KEY.test(choice.key) || !PAGE_KEY.test(choice.checkoutId)) return { kind: "not_found" };
  const { env, deps } = context;
  const card = await chosenCard(env, { id: companyId, mode }, choice);
  const company = await findOpenCompany(env, companyId);
  if (company === null) return { kind: "not_found" };
  const asked = askedFields(link, requirementsOf(deps.providers(env), company, link));
  const request = requestOf({ link, asked }, choice, card);
  if ("wrong" in request) return { kind: "invalid", wrong: request.wrong };
  const isPaused = (await deps.pauses.of(env, companyId)) !== null;
  if (isPaused) return { kind: "problem", problem: servicePaused() };
  const { checkoutId } = choice;
  const address = await addressHash(env, company, context.sender, deps.random);
  const reservation = {
    companyId,
    quotaPercent: company.quotaPercent,
    linkId: link.id,
    checkoutId,
    address,
    isTimed: isTimed(methodOf(request.valid.paymentMethod)),
    charge: null,
  };
  const answer = await callCompany(env, companyId, (account) =>
    account.takeReservation(reservation),
  );
  if (answer.kind !== "taken") return unavailable(context, companyId, answer);
  try {
    const command = { linkId: link.id, checkoutId, address };
    return await makeCharge(context, company, { link: command, choice }, request.valid);
  } catch (error) {
    if (error instanceof Problem) return refusedBefore(error, asked);
    throw error;
  }
}

/** What of a request the account cannot carry out shows at the payer's field where the form has one. */
function refusedBefore(problem: Problem, asked: readonly AskedField[]): PayOutcome {
  const { code, errors = {} } = problem.details;
  const wrong = new Set(Object.keys(errors).map((path) => fieldAt(path.split("."))));
  const isOfForm = (field: WrongField) =>
    field === "card" || asked.some(({ name }) => name === field);
  if (code !== "NOT_SUPPORTED_BY_PROVIDER" || ![...wrong].every(isOfForm)) {
    return { kind: "problem", problem };
  }
  return wrong.has("card") ? { kind: "token_ended" } : { kind: "invalid", wrong };
}

/**
 * The card that the form holds; null where there is none. A sandbox company's token is one that this service sealed for this
 * checkout; a live company's comes from its house, which alone can charge it.
 */
async function chosenCard(
  env: Env,
  { id: companyId, mode }: Pick<Company, "id" | "mode">,
  { checkoutId, cardToken: token, cardAccount: account }: PayerChoice,
): Promise<CardChoice | null> {
  if (mode === "live") return token === "" ? null : { token, account };
  const page = await openPageToken(env, { companyId, checkoutId }, token);
  return page === null ? null : { token: page.token };
}

async function makeCharge(
  context: PayContext,
  company: Company,
  { link, choice }: { link: LinkReservation; choice: PayerChoice },
  request: CreateTransactionRequest,
): Promise<PayOutcome> {
  const { env, deps, origin, traceId } = context;
  const { checkoutId, key } = choice;
  // A form that was changed after it was sent is another charge of the same checkout. Another token of a card is no
  // change: the page has a new key once a card is decided.
  const { card: _token, ...chosen } = request;
  const content = await sha256Hex(canonicalJson(chosen));
  const command = {
    env,
    deps,
    origin,
    traceId,
    request,
    cachedAuth: null,
    idempotencyKey: linkChargeKey(checkoutId, key, content),
    link,
  };
  const create = retryOnStaleVersion(
    env,
    { company },
    (read) => createTransaction({ ...command, ...read }),
    async () => {
      const current = await findOpenCompany(env, company.id);
      if (current === null) throw new Problem({ code: "NOT_FOUND", detail: "No such link." });
      return { company: current };
    },
  );
  const { row } = await create.catch((error: unknown) =>
    firstOf(env, { ...command, companyId: company.id }, error),
  );
  if (row.failure !== null) {
    // Its copy in D1 may not say yet why.
    const state = await callCompany(env, company.id, (account) => account.findCharge(row.id));
    const isTokenEnded = state?.failureReason?.code === "CARD_TOKEN_EXPIRED";
    return { kind: isTokenEnded ? "token_ended" : "failed" };
  }
  if (row.status === "refused") return { kind: "refused", code: row.refusedReason?.code ?? "" };
  return { kind: "charge", secureId: secureIdOf(row.id, row.secureRandom) };
}

/** The charge of a form that was sent before and is not decided yet, which its page tells. Else throws what was thrown. */
async function firstOf(
  env: Env,
  { idempotencyKey, companyId }: { idempotencyKey: string; companyId: number },
  error: unknown,
): Promise<{ row: TransactionRow }> {
  const isSent = error instanceof Problem && SENT_BEFORE.has(error.details.code);
  const row = isSent ? await findByIdempotencyKey(env, companyId, idempotencyKey) : null;
  if (row === null) throw error;
  return { row };
}

async function unavailable(
  { env, deps }: PayContext,
  companyId: number,
  answer: Exclude<ReservationAnswer, { kind: "taken" }>,
): Promise<PayOutcome> {
  if (answer.kind === "quota_exceeded")
    return { kind: "problem", problem: quotaExceeded(companyId, answer, deps.clock.now()) };
  if (answer.kind !== "paid") return answer;
  const row = await findTransaction(env, companyId, answer.transactionId);
  if (row === null) return { kind: "not_found" };
  return { kind: "charge", secureId: secureIdOf(row.id, row.secureRandom) };
}

/** Whether a method takes its money by a card's token, which the page's script makes first. */
export function needsCard(method: PaymentMethod): boolean {
  return methodOf(method).initiation === "pull";
}

/** The create request of a choice, validated as any other; or the fields that are wrong. */
function requestOf(
  { link, asked }: { link: PaymentLink; asked: AskedField[] },
  choice: PayerChoice,
  card: CardChoice | null,
): { valid: CreateTransactionRequest } | { wrong: Set<WrongField> } {
  const { terms, name: title, metadata } = link;
  const wrong = new Set<WrongField>();
  const paymentMethod = terms.paymentMethods.find((method) => method === choice.paymentMethod);
  if (paymentMethod === undefined) wrong.add("paymentMethod");
  const isByCard = paymentMethod !== undefined && needsCard(paymentMethod);
  if (isByCard && card === null) wrong.add("card");
  const installments = isByCard && terms.maxInstallments > 1 ? choice.installments : 1;
  if (installments === null || installments < 1 || installments > terms.maxInstallments)
    wrong.add("installments");
  const amount = terms.amount ?? choice.amount;
  if (amount === null || !isAmountOf(terms, amount)) wrong.add("amount");
  const quantity = terms.maxQuantity === 1 ? 1 : choice.quantity;
  if (quantity === null || quantity < 1 || quantity > terms.maxQuantity) wrong.add("quantity");
  const { sent, wrong: ofPayer } = sentFields(asked, choice, paymentMethod ?? null);
  for (const name of ofPayer) wrong.add(name);
  const request = CreateTransaction.safeParse({
    amount: (amount ?? 1) * (quantity ?? 1),
    ...(paymentMethod === undefined || link.maxPayments === null
      ? {}
      : methodOf(paymentMethod).payableFor(RESERVATION_SECONDS)),
    paymentMethod: paymentMethod ?? choice.paymentMethod,
    ...(isByCard
      ? {
          installments: installments ?? 1,
          card: cardOf(card, terms.saveCard === true && choice.saveCard),
        }
      : {}),
    ...payerOf(sent),
    items: [{ title, unitPrice: amount ?? 1, quantity: quantity ?? 1 }],
    ...(metadata === null ? {} : { metadata }),
    ...(terms.returnUrl === null ? {} : { returnUrl: terms.returnUrl }),
  });
  for (const { path } of request.error?.issues ?? []) wrong.add(fieldAt(path));
  if (wrong.size > 0 || !request.success) return { wrong };
  return { valid: request.data };
}

/** The card of a create request; one that is not there yet is wrong by itself. */
function cardOf(card: CardChoice | null, isSaved: boolean) {
  return { ...(card ?? { token: "none" }), ...(isSaved ? { saveCard: true } : {}) };
}

/** The form's field of a path in the create request. */
function fieldAt(path: PropertyKey[]): WrongField {
  const [first] = path;
  if (first === "paymentMethod" || first === "card") return first;
  return PAYER_FIELD_NAMES.find((name) => PAYER_FIELDS[name] === path.join(".")) ?? "amount";
}
