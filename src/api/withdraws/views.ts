import type {
  RequestWithdraw,
  WithdrawPreview,
  WithdrawRefusal,
} from "../../company/withdraws/command-types.ts";
import { COMPANY_FROZEN } from "../../http/problems.ts";
import { isoTime } from "../../domain/shared/clock.ts";
import { centsToReais, type Cents } from "../../domain/shared/money.ts";
import type { ProblemDetails } from "../../domain/shared/problem.ts";
import type { SpendingLimitsRefusal } from "../../domain/withdraws/spending-limits.ts";
import { RULE_OF_REFUSAL, type PolicyRefusal } from "../../domain/withdraws/withdraw-policy.ts";
import { breaks } from "../../lib/fields/rules.ts";

/** The contract fixes this text for a company without a PIX key. */
export const NO_PIX_KEY_MESSAGE =
  "PIX key not found. Register the company's bank account or send the key in the request.";

/** The last check: the company's object makes the others. */
export const NO_PAYOUT_PROVIDER: ProblemDetails = {
  code: "PROVIDER_NOT_CONFIGURED",
  detail: "This company has no payout provider.",
};

/** The problem of a refusal. Amounts in centavos, as their names say: a withdraw itself shows reais. */
export function problemOf(
  refusal: Exclude<WithdrawRefusal, { kind: "no_pix_key" }>,
): ProblemDetails {
  switch (refusal.kind) {
    case "below_minimum":
      return {
        code: "WITHDRAW_BELOW_MINIMUM",
        detail: "Invalid fields: amount.",
        errors: { amount: [breaks("minCentavos", { min: refusal.minimum })] },
      };
    case "frozen":
      return COMPANY_FROZEN;
    case "possible_duplicate":
      return {
        code: "POSSIBLE_DUPLICATE_WITHDRAW",
        detail:
          `Withdraw ${refusal.withdrawId} paid the same amount to the same key within ten minutes. ` +
          `To pay it again, send X-Confirm-Duplicate: ${refusal.withdrawId}.`,
        extensions: { withdrawId: refusal.withdrawId },
      };
    case "daily_limit_exceeded":
    case "night_limit_exceeded":
    case "key_limit_exceeded":
    case "pix_key_not_allowed":
    case "pix_key_cooling_down":
    case "spending_limits_ended":
    case "spending_limits_key_not_listed":
    case "spending_limits_exceeded":
      return ruleProblem(refusal);
    case "insufficient_balance":
      return {
        code: "INSUFFICIENT_BALANCE",
        detail:
          refusal.held === 0
            ? "The available balance does not cover this withdraw."
            : "The available balance without its held part does not cover this withdraw. The rest is held until a " +
              "contradiction between the bank and the ledger is decided.",
        extensions: {
          availableCents: refusal.available,
          requiredCents: refusal.required,
          ...(refusal.held === 0 ? {} : { heldCents: refusal.held }),
        },
      };
  }
}

/** The problem of a refusal by the company's policy or an application's spending limits; `rule` names which. */
function ruleProblem(refusal: SpendingLimitsRefusal | PolicyRefusal): ProblemDetails {
  switch (refusal.kind) {
    case "daily_limit_exceeded":
      return {
        code: "DAILY_LIMIT_EXCEEDED",
        detail: "The withdraw exceeds the company's daily limit (America/Sao_Paulo).",
        extensions: {
          ...limitMembers(RULE_OF_REFUSAL[refusal.kind], {
            ...refusal,
            used: refusal.withdrawnToday,
          }),
          withdrawnTodayCents: refusal.withdrawnToday,
        },
      };
    case "night_limit_exceeded":
      return {
        code: "NIGHT_LIMIT_EXCEEDED",
        detail:
          "The withdraw exceeds the company's limit for a night (20:00 to 06:00, America/Sao_Paulo).",
        extensions: limitMembers(RULE_OF_REFUSAL[refusal.kind], refusal),
      };
    case "key_limit_exceeded":
      return {
        code: "KEY_LIMIT_EXCEEDED",
        detail: "The withdraw exceeds the company's daily limit for one PIX key.",
        extensions: limitMembers(RULE_OF_REFUSAL[refusal.kind], refusal),
      };
    case "pix_key_not_allowed":
      return {
        code: "PIX_KEY_NOT_ALLOWED",
        detail: "The PIX key is not among those to which the company allows withdraws.",
        extensions: { rule: RULE_OF_REFUSAL[refusal.kind] },
      };
    case "pix_key_cooling_down":
      return {
        code: "PIX_KEY_COOLING_DOWN",
        detail: "The PIX key was added to the allowed ones a short time ago.",
        extensions: {
          rule: RULE_OF_REFUSAL[refusal.kind],
          possibleFrom: isoTime(refusal.possibleFrom),
        },
      };
    case "spending_limits_ended":
      return {
        code: "SPENDING_LIMITS_ENDED",
        detail: "The application's spending limits have ended.",
        extensions: { rule: "spendingLimits.until", endedAt: isoTime(refusal.endedAt) },
      };
    case "spending_limits_key_not_listed":
      return {
        code: "SPENDING_LIMITS_EXCEEDED",
        detail: "The application's spending limits do not name this PIX key.",
        extensions: { rule: "spendingLimits.pixKeys" },
      };
    case "spending_limits_exceeded":
      return {
        code: "SPENDING_LIMITS_EXCEEDED",
        detail: "The withdraw exceeds what the application's spending limits allow a day.",
        extensions: limitMembers("spendingLimits.dailyLimit", refusal),
      };
  }
}

function limitMembers(
  rule: string,
  { limit, used, possibleFrom }: { limit: Cents; used: Cents; possibleFrom: number | null },
) {
  return {
    rule,
    limitCents: limit,
    usedCents: used,
    ...(possibleFrom === null ? {} : { possibleFrom: isoTime(possibleFrom) }),
  };
}

/** The checks of a withdraw in order, with the refusals of each. */
const CHECKS: [check: string, ...refusals: WithdrawRefusal["kind"][]][] = [
  ["minimum", "below_minimum"],
  ["company", "frozen"],
  ["pixKey", "no_pix_key"],
  ["duplicate", "possible_duplicate"],
  ["spendingLimits.until", "spending_limits_ended"],
  ["spendingLimits.pixKeys", "spending_limits_key_not_listed"],
  ["spendingLimits.dailyLimit", "spending_limits_exceeded"],
  ["allowedPixKeys", "pix_key_not_allowed", "pix_key_cooling_down"],
  ["dailyLimit", "daily_limit_exceeded"],
  ["nightLimit", "night_limit_exceeded"],
  ["keyDailyLimit", "key_limit_exceeded"],
  ["balance", "insufficient_balance"],
];

const KEY_CHECKS = {
  free: { check: "idempotencyKey", passed: true, code: null, detail: null },
  repeated: {
    check: "idempotencyKey",
    passed: true,
    code: null,
    detail:
      "The gateway already accepted this request under this Idempotency-Key and returns the first answer.",
  },
  reused: {
    check: "idempotencyKey",
    passed: false,
    code: "IDEMPOTENCY_KEY_REUSED",
    detail: "This Idempotency-Key was already used for a different withdraw.",
  },
} as const;

/** The result of a dry run. Amounts in reais, like those of the withdraw itself. */
export function withdrawPreviewView(
  command: RequestWithdraw,
  preview: WithdrawPreview,
  hasProvider: boolean,
) {
  const isReplay = preview.key === "repeated";
  const isPayable = hasProvider && preview.refusals.length === 0;
  const accepted = isReplay || (isPayable && preview.key === "free");
  const debited = accepted && !isReplay ? command.amount + preview.fee : 0;
  return {
    dryRun: true,
    accepted,
    value: centsToReais(command.amount),
    fee: centsToReais(preview.fee),
    currency: command.currency,
    pixKey: command.pixKey?.value ?? null,
    pixKeyType: command.pixKey?.type ?? null,
    creditorDocument: command.creditorDocument,
    balanceBefore: centsToReais(preview.available),
    balanceAfter: centsToReais(preview.available - debited),
    approval: preview.isPending ? ("pending" as const) : ("none" as const),
    checks: [
      KEY_CHECKS[preview.key],
      ...CHECKS.map(([check, ...kinds]) =>
        checkView(
          check,
          preview.refusals.find((refusal) => kinds.includes(refusal.kind)),
        ),
      ),
      hasProvider
        ? { check: "provider", passed: true, code: null, detail: null }
        : { check: "provider", passed: false, ...NO_PAYOUT_PROVIDER },
    ],
  };
}

function checkView(check: string, refusal: WithdrawRefusal | undefined) {
  if (refusal === undefined) return { check, passed: true, code: null, detail: null };
  if (refusal.kind === "no_pix_key") {
    return { check, passed: false, code: null, detail: NO_PIX_KEY_MESSAGE };
  }
  const { code, detail } = problemOf(refusal);
  return { check, passed: false, code, detail };
}
