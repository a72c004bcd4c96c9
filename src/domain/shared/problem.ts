/** Every problem `code` and its HTTP status. */
export const PROBLEMS = {
  VALIDATION_FAILED: 400,
  MALFORMED_JSON: 400,
  IDEMPOTENCY_KEY_INVALID: 400,
  IDEMPOTENCY_KEY_REQUIRED: 400,
  WITHDRAW_BELOW_MINIMUM: 400,
  INVALID_CREDENTIALS: 401,
  FORBIDDEN: 403,
  HTTPS_REQUIRED: 403,
  HOST_NOT_ALLOWED: 403,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  NOT_ACCEPTABLE: 406,
  IDEMPOTENCY_KEY_REUSED: 409,
  IDEMPOTENCY_IN_PROGRESS: 409,
  INVALID_STATE: 409,
  POSSIBLE_DUPLICATE_WITHDRAW: 409,
  PROVIDER_DISAGREES: 409,
  SECOND_OPERATOR_REQUIRED: 409,
  BODY_TOO_LARGE: 413,
  URI_TOO_LONG: 414,
  UNSUPPORTED_MEDIA_TYPE: 415,
  INSTALLMENTS_NOT_ALLOWED: 422,
  AMOUNT_TOO_LARGE: 422,
  PROVIDER_NOT_CONFIGURED: 422,
  PROVIDER_DISCONNECTED: 422,
  NOT_SUPPORTED_BY_PROVIDER: 422,
  RAW_CARD_NOT_ALLOWED: 422,
  RETRY_FORBIDDEN: 422,
  CHARGE_REFUSED: 422,
  INSUFFICIENT_BALANCE: 422,
  COMPANY_FROZEN: 422,
  DAILY_LIMIT_EXCEEDED: 422,
  NIGHT_LIMIT_EXCEEDED: 422,
  KEY_LIMIT_EXCEEDED: 422,
  PIX_KEY_NOT_ALLOWED: 422,
  PIX_KEY_COOLING_DOWN: 422,
  SPENDING_LIMITS_EXCEEDED: 422,
  SPENDING_LIMITS_ENDED: 422,
  CAPTURE_EXCEEDS_AUTHORIZED: 422,
  CAPTURE_REFUSED: 422,
  DUE_DATE_REFUSED: 422,
  REFUND_EXCEEDS_PAID: 422,
  REFUND_NOT_DISPUTED_AMOUNT: 422,
  REFUND_REFUSED: 422,
  REFUND_LIMIT_EXCEEDED: 422,
  EVIDENCE_DEADLINE_PASSED: 422,
  EVIDENCE_TOO_LARGE: 422,
  FILE_STORAGE_NOT_CONFIGURED: 422,
  TOO_MANY_REQUESTS: 429,
  CARD_ATTEMPTS_EXCEEDED: 429,
  QUOTA_EXCEEDED: 429,
  INTERNAL_ERROR: 500,
  PROVIDER_UNAVAILABLE: 503,
  STORAGE_UNAVAILABLE: 503,
  STORAGE_FULL: 503,
  SERVICE_PAUSED: 503,
  NOT_READY: 503,
} as const;

export type ProblemCode = keyof typeof PROBLEMS;
export type ProblemStatus = (typeof PROBLEMS)[ProblemCode];

/** Reason phrases of RFC 9110 (RFC 6585 for 429): the `title`. */
export const TITLES: Record<ProblemStatus, string> = {
  400: "Bad Request",
  401: "Unauthorized",
  403: "Forbidden",
  404: "Not Found",
  405: "Method Not Allowed",
  406: "Not Acceptable",
  409: "Conflict",
  413: "Content Too Large",
  414: "URI Too Long",
  415: "Unsupported Media Type",
  422: "Unprocessable Content",
  429: "Too Many Requests",
  500: "Internal Server Error",
  503: "Service Unavailable",
};

/** Field path (`customer.document.number`, `items.0.quantity`) to its messages. */
export type FieldErrors = Record<string, string[]>;

/** Why a person or a state is refused, where `code` alone does not say what to do about it. */
export const REASONS = [
  "transaction_status",
  "withdraw_status",
  "decided_already",
  "dispute_answered",
  "dispute_closed",
  "member_already",
  "name_taken",
  "too_many",
  "role_beyond_own",
  "requester",
  "younger_than_request",
  "given_by_requester",
  "tied_by_application",
  "tie_too_young",
  "proposer",
  "proposal_ended",
  "proposal_waits",
  "clock_back",
  "clock_moved",
  "clock_runs",
  "being_decided",
  "decision_not_possible",
  "corrected_already",
  "beyond_givable",
  "nothing_givable",
  "beyond_takable",
  "nothing_takable",
  "refund_not_possible",
  "payment_status",
  "no_open_dispute",
  "not_paid",
  "below_taken",
  "subscription_status",
  "charge_closed",
  "amount_agreed",
  "personal_data",
  "rights_beyond_own",
  "own_access",
  "last_owner",
  "last_admin",
  "first_operator",
  "changed_meanwhile",
  "unchanged",
  "no_webhook",
  "no_provider",
  "no_certificate",
  "no_database",
  "sandbox_company",
  "company_in_use",
  "company_moving",
  "pix_key_taken",
  "account_taken",
  "account_other",
  "account_known",
  "priority_taken",
  "secret_unreadable",
  "more_than_sent",
  "time_not_past",
  "restore_interrupted",
  "company_restored",
  "company_too_large",
  "company_unsound",
] as const;
export type Reason = (typeof REASONS)[number];

/** `INVALID_STATE` alone tells nobody what to do, so that it always has a reason. */
type CodeAndReason =
  | { code: "INVALID_STATE"; reason: Reason }
  | { code: Exclude<ProblemCode, "INVALID_STATE">; reason?: Reason | undefined };

export type ProblemDetails = CodeAndReason & {
  /** A sentence for people. It must not contain internals (exceptions, SQL). */
  detail: string;
  errors?: FieldErrors;
  /** Further members of the problem object, such as `available` and `required`. */
  extensions?: Record<string, string | number | string[]>;
  retryAfterSeconds?: number;
  headers?: Record<string, string>;
};

/** Thrown to answer a request with a problem. Never thrown across the Durable Object's RPC. */
export class Problem extends Error {
  readonly details: ProblemDetails;

  constructor(details: ProblemDetails) {
    super(details.detail);
    this.name = "Problem";
    this.details = details;
  }
}
