import type { RequestWithdraw, WithdrawPreview, WithdrawRefusal } from "../../company/rpc-types.ts";
import { centsToReais } from "../../domain/shared/money.ts";
import type { ProblemDetails } from "../../domain/shared/problem.ts";

/** The contract fixes this text for a company without a PIX key. */
export const NO_PIX_KEY_MESSAGE =
  "PIX key not found. Register the company's bank account or send the key in the request.";

/** The last check: the company's object makes the others. */
export const NO_PAYOUT_PROVIDER: ProblemDetails = {
  code: "PROVIDER_NOT_CONFIGURED",
  detail: "This company has no payout provider.",
};

/** The problem of a refusal. Amounts in centavos. */
export function problemOf(
  refusal: Exclude<WithdrawRefusal, { kind: "no_pix_key" }>,
): ProblemDetails {
  switch (refusal.kind) {
    case "below_minimum":
      return {
        code: "WITHDRAW_BELOW_MINIMUM",
        detail: "Invalid fields: amount.",
        errors: { amount: [`must be at least ${refusal.minimum} centavos`] },
      };
    case "frozen":
      return { code: "COMPANY_FROZEN", detail: "Withdraws of this company are suspended." };
    case "possible_duplicate":
      return {
        code: "POSSIBLE_DUPLICATE_WITHDRAW",
        detail:
          `Withdraw ${refusal.withdrawId} paid the same amount to the same key within ten minutes. ` +
          `To pay it again, send X-Confirm-Duplicate: ${refusal.withdrawId}.`,
        extensions: { withdrawId: refusal.withdrawId },
      };
    case "daily_limit_exceeded":
      return {
        code: "DAILY_LIMIT_EXCEEDED",
        detail: "The withdraw exceeds the company's daily limit (America/Sao_Paulo).",
        extensions: { limit: refusal.limit, withdrawnToday: refusal.withdrawnToday },
      };
    case "insufficient_balance":
      return {
        code: "INSUFFICIENT_BALANCE",
        detail:
          refusal.held === 0
            ? "The available balance does not cover this withdraw."
            : "The available balance without its held part does not cover this withdraw. The rest is held until a " +
              "contradiction between the bank and the ledger is decided.",
        extensions: {
          available: refusal.available,
          required: refusal.required,
          ...(refusal.held === 0 ? {} : { held: refusal.held }),
        },
      };
  }
}

/** The checks of a withdraw in order, with the refusal of each. */
const CHECKS = [
  ["minimum", "below_minimum"],
  ["company", "frozen"],
  ["pixKey", "no_pix_key"],
  ["duplicate", "possible_duplicate"],
  ["dailyLimit", "daily_limit_exceeded"],
  ["balance", "insufficient_balance"],
] as const;

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
    checks: [
      KEY_CHECKS[preview.key],
      ...CHECKS.map(([check, kind]) =>
        checkView(
          check,
          preview.refusals.find((refusal) => refusal.kind === kind),
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
