import { CHARGES_FROZEN } from "../../http/problems.ts";
import type { Requester } from "../../domain/access/requester.ts";
import type { SavedCard } from "../../domain/cards/saved-card.ts";
import { openSavedCard } from "../cards/saved.ts";
import { callCompany } from "../../company-client/stub.ts";
import type { TransactionRow } from "../../db/projection/transaction-mapper.ts";
import { isoTime } from "../../domain/shared/clock.ts";
import type { Company } from "../../domain/shared/company.ts";
import { CURRENCY } from "../../domain/shared/money.ts";
import { Problem } from "../../domain/shared/problem.ts";
import { MERCHANT_DEFAULTS } from "../../domain/charges/transaction.ts";
import { chargeBytes } from "../../domain/storage/quotas.ts";
import type { Env } from "../../config.ts";
import type { CachedAuth, CompanyDependencies } from "../../http/context.ts";
import { markVerified, StaleVersionError } from "../../http/auth/optimistic-auth.ts";
import {
  isSameRequest,
  keyInProgress,
  keyReused,
  requestHashes,
  type RequestHashes,
} from "../../http/idempotency.ts";
import type { CardIdentity } from "../../domain/charges/payment-details.ts";
import type { RetryStanding } from "../../domain/cards/retry-rules.ts";
import { callProvider, type Provider } from "../../providers/provider.ts";
import { providerOfCharge } from "../../providers/registry.ts";
import type { Charge } from "../../methods/method.ts";
import { methodOf, METHODS, type Method, type MethodOrder } from "../../methods/registry.ts";
import {
  endWithoutAccount,
  noProvider,
  orderOf,
  pullCharge,
  registerCharge,
  resumePull,
  withProviderDecision,
} from "./register-charge.ts";
import { CREATE_LEASE_MS, draftTransaction, type LinkReservation } from "./claim/draft.ts";
import { claimTransaction, type TransactionDraft } from "./claim/repository.ts";
import { noteConsentOf, providerFor } from "./card-accounts.ts";
import { findByIdempotencyKey, stealLease } from "./repository.ts";
import { cardHash, payerKeyOfRequest } from "./payer-key.ts";
import type { CreateTransactionRequest } from "./schemas.ts";
import { requireTexts } from "./service.ts";
import { breaks } from "../../lib/fields/rules.ts";

/** A client with full storage may try again after this: an operator makes room within hours. */
const STORAGE_RETRY_SECONDS = 3_600;
/**
 * The waits of a request while the first one with its key still runs: 2 s in all, so that a burst of
 * retries gets one answer instead of a row of conflicts.
 */
const IN_PROGRESS_WAITS_MS = [50, 100, 200, 400, 600, 650];
/** What had too many declined attempts. */
const EXCEEDED = {
  card: "Too many attempts with this card were declined within an hour.",
  address: "Too many card attempts from this address were declined within an hour.",
  payer: "Too many card attempts of this payer were declined within an hour.",
  all: "Too many of the company's card attempts were declined within an hour.",
} as const;
/** What a request means by leaving a field out; to send it changes nothing. */
const DEFAULTS = Object.assign(
  {
    currency: CURRENCY,
    installments: 1,
    externalRef: "",
    customer: {
      id: "",
      name: "",
      email: "",
      document: { number: "" },
      phone: "",
      externalRef: "",
    },
    shipping: { address: {} },
    items: [],
    returnUrl: "",
    ...MERCHANT_DEFAULTS,
  },
  ...METHODS.map(({ requestDefaults }) => requestDefaults),
) as object;

export interface CreateCommand {
  env: Env;
  deps: CompanyDependencies;
  company: Company;
  /** Set where the company's credentials came from the cache; null where they were read. */
  cachedAuth: CachedAuth | null;
  request: CreateTransactionRequest;
  idempotencyKey: string | null;
  /** Scheme, host and port of the service, for links to it. */
  origin: string;
  traceId: string;
  /** The reservation of a payment link that the charge is made for; absent for a merchant's own request. */
  link?: LinkReservation;
  /** Who asks; absent for a payer's own act. */
  requester?: Requester;
}

/** A create with the saved card that it charges; null where it names none. */
interface PreparedCreate extends CreateCommand {
  savedCard: SavedCard | null;
}

export interface CreateResult {
  row: TransactionRow;
  replayed: boolean;
}

/**
 * Creates a transaction once per idempotency key: claim in D1, register at the provider under an id
 * fixed by the claim, write the answer. A repeated request resumes an unfinished create. Throws 422 for
 * business rules, 409 for the key, 503 where the provider gave no answer or storage is full.
 */
export async function createTransaction(given: CreateCommand): Promise<CreateResult> {
  const { env, deps, company, request } = given;
  checkBusinessRules(request, company);
  const { chargesStopped: stop } = company;
  if (stop === "storage") await requireExistingClaim(given, storageFull);
  if (stop === "freeze") await requireExistingClaim(given, () => new Problem(CHARGES_FROZEN));
  const hashes = await requestHashes(fingerprintOf(request), DEFAULTS);
  const savedCard = await requireSavedCard(given);
  const command = { ...given, savedCard };
  const provider = providerFor(given, savedCard);
  if (provider === undefined) return finishClaimed(command, hashes);
  const draft = draftTransaction({
    request,
    company,
    provider,
    idempotencyKey: command.idempotencyKey,
    requestHash: hashes.requestHash,
    leadKey: await payerKeyOfRequest(env, company, request, deps.random),
    origin: command.origin,
    traceId: command.traceId,
    link: command.link,
    deps,
  });
  await requireCarriedOut(command, provider, draft);
  await admitAttempt(command, provider, draft);
  let row = await claimWithCurrentVersion(command, draft);
  for (const waitMs of [...IN_PROGRESS_WAITS_MS, null]) {
    if (!isSameRequest(row.requestHash, hashes)) throw keyReused();
    if (row.answeredAt !== null) {
      requireTexts(row);
      return { row: await withProviderDecision(env, row), replayed: row.id !== draft.id };
    }
    const isFirst = row.id === draft.id;
    const leased = isFirst ? row : await stealExpiredLease(env, row, deps.clock.now());
    if (leased !== null) {
      return { row: await finishCreate(command, leased, isFirst), replayed: false };
    }
    if (waitMs === null) break;
    await scheduler.wait(waitMs);
    row = await claimWithCurrentVersion(command, draft);
  }
  throw keyInProgress();
}

/**
 * The claim checks the version of the credentials, so outdated ones claim nothing and register no charge
 * at a PSP that the company has left.
 */
async function claimWithCurrentVersion(
  { env, company, cachedAuth, request }: CreateCommand,
  draft: TransactionDraft,
) {
  const { credentialsVersion, quotaPercent } = company;
  const limits = { credentialsVersion, quotaPercent, bytes: chargeBytes(request) };
  const row = await claimTransaction(env, draft, limits);
  if (row === null) throw new StaleVersionError(null);
  markVerified(cachedAuth);
  return row;
}

/** A limit stops new creates only: an existing one is finished or replayed. */
async function requireExistingClaim(
  { env, company, idempotencyKey }: CreateCommand,
  problem: () => Problem,
): Promise<void> {
  const row =
    idempotencyKey === null ? null : await findByIdempotencyKey(env, company.id, idempotencyKey);
  if (row === null) throw problem();
}

/** Throws 422 where the account cannot carry the order out as it is, before anything of it is stored. */
async function requireCarriedOut(
  command: PreparedCreate,
  provider: Provider,
  draft: TransactionDraft,
): Promise<void> {
  const { company, request, savedCard } = command;
  const method = methodOf(request.paymentMethod);
  const order = orderOfMethod(method, draft, command);
  const errors = {
    ...provider.orderFaults(orderOf(company, draft, order)),
    ...(method.initiation === "pull"
      ? method.accountFaults(request, provider.account, savedCard?.account ?? null)
      : {}),
  };
  if (Object.keys(errors).length === 0) return;
  await requireExistingClaim(
    command,
    () =>
      new Problem({
        code: "NOT_SUPPORTED_BY_PROVIDER",
        detail: "The account that takes this charge cannot carry it out as it is.",
        errors,
      }),
  );
}

function orderOfMethod(
  method: Method,
  charge: Charge,
  { request, savedCard }: Pick<PreparedCreate, "request" | "savedCard">,
): MethodOrder {
  if (method.initiation === "push") return method.order(charge);
  return method.order(charge, request, savedCard?.ref ?? null);
}

/** The saved card that a request names. Throws 400 where its payer has none of this id, unless the create is known. */
async function requireSavedCard(command: CreateCommand): Promise<SavedCard | null> {
  const { env, company, request, deps } = command;
  const method = methodOf(request.paymentMethod);
  const { id } = method.initiation === "pull" ? method.savedCardOf(request) : { id: null };
  if (id === null) return null;
  const leadKey = await payerKeyOfRequest(env, company, request, deps.random);
  const saved = await openSavedCard(env, company, id, leadKey);
  if (saved !== null) return saved;
  const errors = { "card.savedCardId": [breaks("savedCardOfCustomer")] };
  await requireExistingClaim(
    command,
    () => new Problem({ code: "VALIDATION_FAILED", detail: "The saved card is unknown.", errors }),
  );
  return null;
}

/** Against the testing of stolen cards. One call to the company's object for a card, none for other methods. */
async function admitAttempt(
  command: PreparedCreate,
  provider: Provider,
  { id: transactionId, leadKey }: Pick<TransactionDraft, "id" | "leadKey">,
): Promise<void> {
  const { env, deps, company, request, idempotencyKey, link, savedCard } = command;
  const method = methodOf(request.paymentMethod);
  const sent = method.initiation === "pull" ? method.instrumentOf(request) : null;
  const instrument = savedCard?.card ?? sent;
  if (instrument === null) return;
  // A token says nothing of its card: a new one for each attempt must not begin the count anew.
  const card =
    "token" in instrument ? await cardOfToken(command, provider, instrument) : instrument;
  const attempt = {
    transactionId,
    attempt: idempotencyKey ?? transactionId,
    amount: request.amount,
    source: link === undefined ? ("api" as const) : ("link" as const),
    address: link?.address ?? null,
    card: card === null ? null : await cardHash(env, company, card, deps.random),
    // Each token of a house is new: before its answer only the payer can be counted.
    payer: card === null ? leadKey : null,
  };
  const answer = await callCompany(env, company.id, (account) => account.admitCardAttempt(attempt));
  if (answer.kind === "admitted") return;
  if (answer.kind === "forbidden") {
    await requireExistingClaim(command, () => retryForbidden(answer));
    return;
  }
  await requireExistingClaim(
    command,
    () =>
      new Problem({
        code: "CARD_ATTEMPTS_EXCEEDED",
        detail: EXCEEDED[answer.scope],
        retryAfterSeconds: Math.max(1, Math.ceil((answer.retryAt - deps.clock.now()) / 1_000)),
      }),
  );
}

function retryForbidden({ attemptsLeft, notBefore }: RetryStanding): Problem {
  return new Problem({
    code: "RETRY_FORBIDDEN",
    detail: "The card was declined before, and its brand charges for another attempt now.",
    extensions: {
      ...(attemptsLeft === null ? {} : { attemptsLeft }),
      ...(notBefore === null ? {} : { retryNotBefore: isoTime(notBefore) }),
    },
  });
}

/** The card of a token, where its provider tells it before it is charged; null without an answer. */
async function cardOfToken(
  { company, traceId }: CreateCommand,
  provider: Provider,
  { token }: { token: string },
): Promise<CardIdentity | null> {
  const about = { provider: provider.name, companyId: company.id, traceId };
  const card = await callProvider(provider.cardOfToken(token), about);
  return card === null || "kind" in card ? null : card;
}

function storageFull(): Problem {
  return new Problem({
    code: "STORAGE_FULL",
    detail:
      "The company's storage is nearly full. The gateway accepts no new charge until the operator has made room. Payments, refunds and withdraws continue.",
    retryAfterSeconds: STORAGE_RETRY_SECONDS,
  });
}

/** Replays or finishes a create from when an account took new charges of its method. */
async function finishClaimed(
  command: PreparedCreate,
  hashes: RequestHashes,
): Promise<CreateResult> {
  const { env, deps, company, request, idempotencyKey } = command;
  const row =
    idempotencyKey === null ? null : await findByIdempotencyKey(env, company.id, idempotencyKey);
  if (row === null) throw noProvider(request);
  if (!isSameRequest(row.requestHash, hashes)) throw keyReused();
  if (row.answeredAt === null) {
    const leased = await stealExpiredLease(env, row, deps.clock.now());
    if (leased === null) throw keyInProgress();
    return { row: await finishCreate(command, leased, false), replayed: false };
  }
  requireTexts(row);
  return { row: await withProviderDecision(env, row), replayed: true };
}

/**
 * Finishes a create that this request holds the lease of: a new one, or one left unfinished, which goes on at the
 * account that it was claimed for: that may have made the charge.
 */
async function finishCreate(
  context: PreparedCreate,
  row: TransactionRow,
  isFirst: boolean,
): Promise<TransactionRow> {
  const { env, deps, company, request } = context;
  const provider = await providerOfCharge(deps.providers(env), company, row);
  if (provider === null) return endWithoutAccount(context, row);
  const method = methodOf(row.paymentMethod);
  if (method.initiation === "push") return registerCharge(context, provider, row, method);
  const { id, isSaved } = method.savedCardOf(request);
  if (isSaved) await noteConsentOf(context, row);
  const order = orderOfMethod(method, row, context);
  const charging = { ...context, savesCard: isSaved };
  if (isFirst) return pullCharge(charging, provider, row, order);
  // What a saved card was charged by is gone with it: its charge is only asked for.
  const isGone = id !== null && context.savedCard === null;
  return resumePull(charging, provider, row, isGone ? null : order);
}

async function stealExpiredLease(
  env: Env,
  row: TransactionRow,
  nowMs: number,
): Promise<TransactionRow | null> {
  return row.leaseUntil > nowMs ? null : stealLease(env, row, nowMs + CREATE_LEASE_MS);
}

/** The content that two requests with one key must share, without a card's number or CVV. */
function fingerprintOf(request: CreateTransactionRequest): object {
  return Object.assign({}, request, ...METHODS.map((method) => method.fingerprint(request)));
}

function checkBusinessRules(request: CreateTransactionRequest, company: Company): void {
  const installments = request.installments ?? 1;
  const max = methodOf(request.paymentMethod).maxInstallments;
  if (installments > max) {
    throw new Problem({
      code: "INSTALLMENTS_NOT_ALLOWED",
      detail: `${request.paymentMethod} takes at most ${max} installment${max === 1 ? "" : "s"}.`,
      errors: { installments: [breaks("maxInstallments", { max, method: request.paymentMethod })] },
    });
  }
  for (const method of METHODS) {
    const problem = method.requestProblem(request, company.mode);
    if (problem !== null) throw new Problem(problem);
  }
}
