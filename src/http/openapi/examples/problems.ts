import { PROBLEMS, TITLES, type ProblemCode } from "../../../domain/shared/problem.ts";
import type { ProblemBody } from "../openapi.ts";

const NIGHT_END = "2026-11-23T09:00:00.000Z";

/** One answer of each code, as the gateway writes it: the sentence, and the members that only it has. */
const DETAILS: Record<ProblemCode, Partial<ProblemBody> & Pick<ProblemBody, "detail">> = {
  VALIDATION_FAILED: {
    detail: "Invalid fields: amount.",
    errors: { amount: ["must be an integer number of centavos"] },
    rules: { amount: [{ rule: "integerOf", unit: "centavos" }] },
  },
  MALFORMED_JSON: { detail: "The body is not valid JSON." },
  IDEMPOTENCY_KEY_INVALID: {
    detail: "The Idempotency-Key must be 1 to 255 of A-Z a-z 0-9 _ . : - and be sent once.",
  },
  IDEMPOTENCY_KEY_REQUIRED: {
    detail: "This request moves money and needs an Idempotency-Key header.",
    errors: { "Idempotency-Key": ["is required"] },
    rules: { "Idempotency-Key": [{ rule: "required" }] },
  },
  WITHDRAW_BELOW_MINIMUM: {
    detail: "Invalid fields: amount.",
    errors: { amount: ["must be at least 500 centavos"] },
    rules: { amount: [{ rule: "minCentavos", min: 500 }] },
  },
  INVALID_CREDENTIALS: {
    detail:
      "X-Client-Id or X-API-Key is missing or invalid. Send both headers; Authorization is not read.",
  },
  FORBIDDEN: { detail: "This application does not have the scope transactions:write." },
  HTTPS_REQUIRED: {
    detail:
      "This service is reached by https only. An API key that was sent by http must be replaced.",
  },
  HOST_NOT_ALLOWED: {
    detail: "A local service answers only under localhost and loopback addresses.",
  },
  NOT_FOUND: { detail: "There is no such transaction." },
  METHOD_NOT_ALLOWED: { detail: "This path accepts only GET, HEAD." },
  NOT_ACCEPTABLE: { detail: "This path answers in application/json only." },
  IDEMPOTENCY_KEY_REUSED: {
    detail: "This Idempotency-Key was already used for a different request.",
  },
  IDEMPOTENCY_IN_PROGRESS: {
    detail: "The first request with this Idempotency-Key is still running.",
  },
  INVALID_STATE: { detail: "This action is not allowed: the transaction is CANCELLED." },
  POSSIBLE_DUPLICATE_WITHDRAW: {
    detail:
      "Withdraw 41 paid the same amount to the same key within ten minutes. To pay it again, send " +
      "X-Confirm-Duplicate: 41.",
    withdrawId: 41,
  },
  PROVIDER_DISAGREES: {
    detail:
      "The provider says that this withdraw is paid. A decision against what it says is not taken.",
    provider: "PixApi",
    says: "paid",
  },
  SECOND_OPERATOR_REQUIRED: {
    detail:
      "Another operator must approve this, and there is none who may. An admin adds one: " +
      'npm run operator -- add --name "Rui Lima" --role finance',
  },
  BODY_TOO_LARGE: { detail: "The body is larger than 65536 bytes." },
  URI_TOO_LONG: { detail: "The path is longer than 2048 characters." },
  UNSUPPORTED_MEDIA_TYPE: {
    detail: "The body must be sent as Content-Type: application/json; got text/plain.",
  },
  INSTALLMENTS_NOT_ALLOWED: {
    detail: "PIX takes at most 1 installment.",
    errors: { installments: ["must be at most 1 for PIX"] },
    rules: { installments: [{ rule: "maxInstallments", max: 1, method: "PIX" }] },
  },
  AMOUNT_TOO_LARGE: {
    detail: "The amount of a boleto must be at most 9999999999 centavos.",
    errors: { amount: ["must be at most 9999999999 centavos for BOLETO"] },
    rules: { amount: [{ rule: "maxCentavosFor", max: 9999999999, method: "BOLETO" }] },
  },
  PROVIDER_NOT_CONFIGURED: { detail: "This company has no payout provider." },
  PROVIDER_DISCONNECTED: { detail: "The account that took this payment is no longer connected." },
  NOT_SUPPORTED_BY_PROVIDER: {
    detail: "The account that takes this charge cannot carry it out as it is.",
    errors: { "customer.email": ["is required"] },
    rules: { "customer.email": [{ rule: "required" }] },
  },
  RAW_CARD_NOT_ALLOWED: { detail: "A live company must send card.token, not a card number." },
  RETRY_FORBIDDEN: {
    detail: "The card was declined before, and its brand charges for another attempt now.",
    attemptsLeft: 3,
    retryNotBefore: "2026-11-22T15:00:00.000Z",
  },
  CHARGE_REFUSED: { detail: "The provider refused this charge." },
  INSUFFICIENT_BALANCE: {
    detail: "The available balance does not cover this withdraw.",
    availableCents: 700,
    requiredCents: 1_000,
  },
  SERVICE_PAUSED: {
    detail:
      "The service is paused for a while. Nothing was done and nothing is lost. Please try again.",
  },
  COMPANY_FROZEN: {
    detail: "Withdraws, refunds, returns and credits of this company are suspended.",
  },
  DAILY_LIMIT_EXCEEDED: {
    detail: "The withdraw exceeds the company's daily limit (America/Sao_Paulo).",
    rule: "withdrawDailyLimit",
    limitCents: 50_000,
    usedCents: 49_500,
    withdrawnTodayCents: 49_500,
    possibleFrom: "2026-11-23T03:00:00.000Z",
  },
  REFUND_LIMIT_EXCEEDED: {
    detail: "The refund exceeds what the company sends back a day (America/Sao_Paulo).",
    rule: "refundDailyLimit",
    limitCents: 50_000,
    usedCents: 49_500,
    possibleFrom: "2026-11-23T03:00:00.000Z",
  },
  NIGHT_LIMIT_EXCEEDED: {
    detail:
      "The withdraw exceeds the company's limit for a night (20:00 to 06:00, America/Sao_Paulo).",
    rule: "withdrawNightLimit",
    limitCents: 100_000,
    usedCents: 99_500,
    possibleFrom: NIGHT_END,
  },
  KEY_LIMIT_EXCEEDED: {
    detail: "The withdraw exceeds the company's daily limit for one PIX key.",
    rule: "withdrawKeyDailyLimit",
    limitCents: 20_000,
    usedCents: 19_500,
    possibleFrom: NIGHT_END,
  },
  PIX_KEY_NOT_ALLOWED: {
    detail: "The PIX key is not among those to which the company allows withdraws.",
    rule: "allowedPixKeys",
  },
  PIX_KEY_COOLING_DOWN: {
    detail: "The PIX key was added to the allowed ones a short time ago.",
    rule: "allowedPixKeys",
    possibleFrom: NIGHT_END,
  },
  SPENDING_LIMITS_EXCEEDED: {
    detail: "The application's spending limits do not name this PIX key.",
    rule: "spendingLimits.pixKeys",
  },
  SPENDING_LIMITS_ENDED: {
    detail: "The application's spending limits have ended.",
    rule: "spendingLimits.until",
    endedAt: "2026-11-21T12:00:00.000Z",
  },
  CAPTURE_EXCEEDS_AUTHORIZED: {
    detail: "The capture exceeds the authorized amount.",
    authorizedCents: 2_500,
  },
  CAPTURE_REFUSED: { detail: "The acquirer refused this capture." },
  DUE_DATE_REFUSED: { detail: "The provider refused this due date. Data de vencimento inválida" },
  REFUND_EXCEEDS_PAID: {
    detail: "The refund exceeds what is left of the payment.",
    refundableCents: 1_500,
  },
  REFUND_NOT_DISPUTED_AMOUNT: {
    detail: "A refund instead of a dispute is of exactly the amount that the dispute asks back.",
    disputedCents: 2_500,
  },
  REFUND_REFUSED: { detail: "The provider refused this refund." },
  EVIDENCE_DEADLINE_PASSED: { detail: "The deadline for evidence was 2026-11-29T12:00:00.000Z." },
  FILE_STORAGE_NOT_CONFIGURED: {
    detail: "This service keeps no files. Send a link to the file instead.",
  },
  EVIDENCE_TOO_LARGE: { detail: "The evidence has 20000 bytes in all, more than 16384." },
  TOO_MANY_REQUESTS: {
    detail: "Too many requests from this company: the limit is 40000 in 10 seconds.",
  },
  CARD_ATTEMPTS_EXCEEDED: {
    detail: "Too many attempts with this card were declined within an hour.",
  },
  QUOTA_EXCEEDED: {
    detail:
      "The company has used its quota chargesPerDay of 250000 for today. The operator can raise it.",
    quota: "chargesPerDay",
    limit: 250_000,
    used: 250_000,
    until: "2026-11-23T03:00:00.000Z",
  },
  INTERNAL_ERROR: {
    detail: "The gateway failed to process the request. Please quote the traceId.",
  },
  PROVIDER_UNAVAILABLE: {
    detail: "The provider did not answer. The same Idempotency-Key resumes this request.",
  },
  STORAGE_UNAVAILABLE: { detail: "The storage did not answer. No data is lost. Please try again." },
  NOT_READY: { detail: "The service is not ready: cron.", failed: ["cron"] },
  STORAGE_FULL: {
    detail:
      "The company's storage is nearly full. The gateway accepts no new charge until the operator has made " +
      "room. Payments, refunds and withdraws continue.",
  },
};

/** An example body of each problem code. */
export const PROBLEM_EXAMPLES = Object.fromEntries(
  Object.entries(DETAILS).map(([code, { detail, ...members }]) => [
    code,
    {
      type: `https://pay.example.com/docs/errors#${code}`,
      title: TITLES[PROBLEMS[code as ProblemCode]],
      status: PROBLEMS[code as ProblemCode],
      detail,
      instance: "/the/path/of/the/request",
      code,
      traceId: "0af7651916cd43dd8448eb211c80319c",
      ...members,
    },
  ]),
);
