import { z } from "@hono/zod-openapi";
import {
  PROBLEMS,
  REASONS,
  TITLES,
  type ProblemCode,
  type ProblemStatus,
} from "../../domain/shared/problem.ts";
import { FIELD_RULES, type FieldRule } from "../../lib/fields/rules.ts";
import { REPLAYED_HEADER } from "../idempotency.ts";
import { isoTimeText } from "../fields/fields.ts";
import { PROBLEM_MEDIA_TYPE } from "../problems.ts";

const BrokenRuleSchema = z
  .looseObject({
    rule: z
      .enum(Object.keys(FIELD_RULES) as [FieldRule, ...FieldRule[]])
      .openapi({ description: "Stable; new ones may come." }),
    min: z.int().optional().openapi({ description: "The lowest value, in the unit of the rule." }),
    max: z.int().optional().openapi({ description: "The highest value, in the unit of the rule." }),
  })
  .openapi("BrokenRule", {
    description: "A rule of a field. Its other members are the words of its sentence.",
    example: { rule: "maxLength", max: 120 },
  });

const ProblemSchema = z
  .object({
    type: z.string().openapi({
      format: "uri",
      description: "The page that explains the code.",
      example: "https://pay.example.com/docs/errors#VALIDATION_FAILED",
    }),
    title: z.string().openapi({ example: "Bad Request" }),
    status: z.int().openapi({ example: 400 }),
    detail: z.string().openapi({ example: "Invalid fields: amount." }),
    instance: z.string().openapi({ example: "/api/v1/transactions/create" }),
    code: z
      .enum(Object.keys(PROBLEMS) as [ProblemCode, ...ProblemCode[]])
      .openapi({ description: "Stable, for programs to branch on." }),
    reason: z.enum(REASONS).optional().openapi({
      description: "With INVALID_STATE and some of FORBIDDEN: why. Stable; new ones may come.",
    }),
    traceId: z.string().openapi({ example: "0af7651916cd43dd8448eb211c80319c" }),
    availableCents: z
      .int()
      .optional()
      .openapi({ description: "With INSUFFICIENT_BALANCE: centavos available." }),
    requiredCents: z
      .int()
      .optional()
      .openapi({ description: "With INSUFFICIENT_BALANCE: centavos required." }),
    heldCents: z
      .int()
      .optional()
      .openapi({
        description:
          "With INSUFFICIENT_BALANCE: centavos of the balance that cannot be withdrawn while a contradiction " +
          "about a payment or payout is open; absent if there are none.",
      }),
    attemptsLeft: z.int().optional().openapi({
      description: "With RETRY_FORBIDDEN: how many attempts its brand allows the card for now.",
    }),
    retryNotBefore: z.string().optional().openapi({
      description:
        "With RETRY_FORBIDDEN: ISO 8601; left out where no attempt will ever be allowed.",
    }),
    source: z.string().optional().openapi({
      description: "Whose rule refuses a day of an automatic debit.",
    }),
    withdrawId: z
      .int()
      .optional()
      .openapi({ description: "With POSSIBLE_DUPLICATE_WITHDRAW: the earlier withdraw." }),
    provider: z
      .string()
      .optional()
      .openapi({ description: "With PROVIDER_DISAGREES: which one was asked." }),
    says: z
      .string()
      .optional()
      .openapi({ description: "With PROVIDER_DISAGREES: what it says, such as `paid`." }),
    rule: z.string().optional().openapi({
      description: "The setting or part of spending limits that refuses a withdraw or refund.",
    }),
    limitCents: z
      .int()
      .optional()
      .openapi({ description: "With a limit of withdraws, refunds or corrections: its centavos." }),
    usedCents: z.int().optional().openapi({
      description: "With a limit of withdraws or refunds: centavos of it that are used.",
    }),
    withdrawnTodayCents: z
      .int()
      .optional()
      .openapi({ description: "With DAILY_LIMIT_EXCEEDED: as `usedCents`." }),
    quota: z.string().optional().openapi({ description: "With QUOTA_EXCEEDED: its name." }),
    limit: z.int().optional().openapi({ description: "With QUOTA_EXCEEDED: the quota." }),
    used: z.int().optional().openapi({ description: "With QUOTA_EXCEEDED: what is used of it." }),
    until: isoTimeText
      .optional()
      .openapi({ description: "With QUOTA_EXCEEDED of a day: when the next one begins." }),
    possibleFrom: z.iso.datetime().optional().openapi({
      description: "When the rule allows it, others aside; absent if it never does.",
    }),
    failed: z
      .array(z.string())
      .optional()
      .openapi({ description: "With NOT_READY: `bindings`, `schema`, `cron`." }),
    endedAt: z.iso
      .datetime()
      .optional()
      .openapi({ description: "With SPENDING_LIMITS_ENDED: their end." }),
    refundableCents: z
      .int()
      .optional()
      .openapi({ description: "With REFUND_EXCEEDS_PAID: centavos that can still be refunded." }),
    disputedCents: z.int().optional().openapi({
      description: "With REFUND_NOT_DISPUTED_AMOUNT: centavos that the dispute asks back.",
    }),
    authorizedCents: z
      .int()
      .optional()
      .openapi({ description: "With CAPTURE_EXCEEDS_AUTHORIZED: centavos that were authorized." }),
    errors: z
      .record(z.string(), z.array(z.string()))
      .optional()
      .openapi({
        description: "Messages by field path, for all invalid fields.",
        example: { amount: ["must be an integer number of centavos"] },
      }),
    rules: z
      .record(z.string(), z.array(BrokenRuleSchema))
      .optional()
      .openapi({
        description:
          "The rules that the same fields break, for a program that says them in its own words.",
        example: { amount: [{ rule: "integerOf", unit: "centavos" }] },
      }),
  })
  .openapi("Problem", { description: "RFC 9457 problem details." });

/** A problem as the API answers it. */
export type ProblemBody = z.output<typeof ProblemSchema>;

/** Both credential headers, on every authenticated route. */
export const SECURITY = [{ ClientId: [], ApiKey: [] }];

/** The header of a replayed response. */
export const REPLAYED_HEADERS = {
  [REPLAYED_HEADER]: {
    schema: { type: "string" as const },
    description: "`true` if this is the response of an earlier request with the same key.",
  },
};

/** Problems of any route with a JSON body. */
export const BODY_PROBLEMS = [
  "VALIDATION_FAILED",
  "MALFORMED_JSON",
  "BODY_TOO_LARGE",
  "UNSUPPORTED_MEDIA_TYPE",
] as const satisfies ProblemCode[];

/** Problems of any authenticated route. */
const COMMON_PROBLEMS: ProblemCode[] = [
  "INVALID_CREDENTIALS",
  "FORBIDDEN",
  "NOT_ACCEPTABLE",
  "TOO_MANY_REQUESTS",
  "INTERNAL_ERROR",
  "STORAGE_UNAVAILABLE",
  "SERVICE_PAUSED",
];

/** An authenticated route's problem responses, one per status, from its own codes and the common ones. */
export function problemResponses(...codes: ProblemCode[]) {
  return describeProblems([...codes, ...COMMON_PROBLEMS]);
}

/** As `problemResponses`, for a route without credentials. */
export function publicProblemResponses(...codes: ProblemCode[]) {
  return describeProblems([...codes, "TOO_MANY_REQUESTS", "INTERNAL_ERROR", "STORAGE_UNAVAILABLE"]);
}

function describeProblems(codes: ProblemCode[]) {
  const byStatus = new Map<ProblemStatus, ProblemCode[]>();
  for (const code of codes) {
    const status = PROBLEMS[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return Object.fromEntries(
    [...byStatus].map(([status, codesOfStatus]) => [
      status,
      problemResponseSpec(status, codesOfStatus),
    ]),
  );
}

const header = (description: string) => ({ schema: { type: "string" as const }, description });
const RETRY_AFTER = { "Retry-After": header("Seconds to wait.") };
const CHALLENGE_HEADER = {
  "WWW-Authenticate": header('`Centavo realm="api"`: X-Client-Id and X-API-Key are asked for.'),
};
const RATE_LIMIT_HEADERS = {
  "RateLimit-Policy": header(
    'The limits that counted this request, such as `"company";q=40000;w=10`.',
  ),
  RateLimit: header('The limit that is used up, such as `"company";r=0;t=10`.'),
};

function problemResponseSpec(status: ProblemStatus, codes: ProblemCode[]) {
  const retryAfter = status === 429 || status === 503 || codes.includes("IDEMPOTENCY_IN_PROGRESS");
  const headers = {
    ...(status === 401 ? CHALLENGE_HEADER : {}),
    ...(retryAfter ? RETRY_AFTER : {}),
    ...(status === 429 ? RATE_LIMIT_HEADERS : {}),
  };
  return {
    description: `${TITLES[status]}: ${codes.join(", ")}`,
    ...(Object.keys(headers).length > 0 ? { headers } : {}),
    content: {
      [PROBLEM_MEDIA_TYPE]: {
        schema: ProblemSchema,
        // The document has an example of each code.
        examples: Object.fromEntries(
          codes.map((code) => [code, { $ref: `#/components/examples/${code}` }]),
        ),
      },
    },
  };
}

export function jsonResponse<Schema extends z.ZodType>(
  description: string,
  schema: Schema,
  headers?: Record<string, { schema: { type: "string" }; description: string }>,
) {
  return {
    description,
    ...(headers === undefined ? {} : { headers }),
    content: { "application/json": { schema } },
  };
}
