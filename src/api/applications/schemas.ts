import { z } from "@hono/zod-openapi";
import { canonicalNetwork } from "../../domain/access/networks.ts";
import { SCOPES } from "../../domain/shared/company.ts";
import { MAX_AMOUNT_CENTS } from "../../domain/shared/money.ts";
import { parsePixKey } from "../../domain/shared/pix-key.ts";
import {
  integer,
  isoTimeText,
  NAME_MAX,
  pageLimit,
  text,
  TEXT_MAX,
} from "../../http/fields/fields.ts";
import { canonicalJson } from "../../lib/hash.ts";
import { PendingSettings } from "../settings/schemas.ts";
import { breaks } from "../../lib/fields/rules.ts";

/** Networks of an application: the offices and servers of one system. */
const NETWORKS_MAX = 20;
/** PIX keys of spending limits: suppliers and payroll of one small system. */
const SPENDING_LIMITS_PIX_KEYS_MAX = 100;

/** A time with its offset, as Unix milliseconds. */
export const endTime = z.iso
  .datetime({ offset: true, error: breaks("timeWithOffset") })
  .transform((value) => Date.parse(value))
  .nullable()
  .optional()
  .openapi({ type: ["string", "null"], format: "date-time", example: "2027-11-21T12:00:00.000Z" });

const EXAMPLE_NETWORKS = ["203.0.113.0/24", "2001:db8::/32"];
const EXAMPLE_SPENDING_LIMITS = {
  dailyLimit: 500_000,
  pixKeys: ["maria@example.com"],
  until: "2027-11-21T12:00:00.000Z",
};

const name = text(NAME_MAX).trim().min(1, breaks("notEmpty")).openapi({ example: "ERP" });

/** In the order of `SCOPES`, each once. */
const scopes = z
  .array(z.enum(SCOPES, { error: breaks("oneOf", { values: SCOPES.join(", ") }) }), {
    error: breaks("listOf", { things: "scopes" }),
  })
  .min(1, breaks("nameOneOf", { thing: "scope" }))
  .max(SCOPES.length, breaks("nameEachOnce", { thing: "scope" }))
  .transform((words) => SCOPES.filter((scope) => words.includes(scope)))
  .openapi({
    type: "array",
    items: { type: "string", enum: [...SCOPES] },
    example: ["transactions:read", "transactions:write"],
  });

const network = text(TEXT_MAX).transform((value, context) => {
  const canonical = canonicalNetwork(value);
  if (canonical !== null) return canonical;
  context.addIssue({
    code: "custom",
    message: breaks("network", { examples: EXAMPLE_NETWORKS.join(" or ") }),
  });
  return z.NEVER;
});

const networks = z
  .array(network, { error: breaks("listOf", { things: "networks" }) })
  .min(1, breaks("networkNeeded"))
  .max(NETWORKS_MAX, breaks("nameAtMost", { max: NETWORKS_MAX, things: "networks" }))
  .nullable()
  .optional()
  .openapi({
    type: ["array", "null"],
    items: { type: "string" },
    description: "CIDR networks that requests may come from; null for any.",
    example: EXAMPLE_NETWORKS,
  });

const pixKey = text(TEXT_MAX).transform((value, context) => {
  const parsed = parsePixKey(value);
  if (parsed.kind === "valid") return parsed.key.value;
  context.addIssue({
    code: "custom",
    message: parsed.kind === "ambiguous" ? breaks("keyMayBePhone") : breaks("anyPixKey"),
  });
  return z.NEVER;
});

const spendingLimits = z
  .object(
    {
      dailyLimit: integer(0, MAX_AMOUNT_CENTS, "centavos").nullable().optional().openapi({
        description: "centavos a day (America/Sao_Paulo)",
      }),
      pixKeys: z
        .array(pixKey, { error: breaks("listOf", { things: "PIX keys" }) })
        .max(
          SPENDING_LIMITS_PIX_KEYS_MAX,
          breaks("nameAtMost", { max: SPENDING_LIMITS_PIX_KEYS_MAX, things: "keys" }),
        )
        .nullable()
        .optional()
        .openapi({ type: ["array", "null"], items: { type: "string" } }),
      until: endTime,
    },
    { error: breaks("object") },
  )
  .transform(({ dailyLimit, pixKeys, until }) => ({
    dailyLimit: dailyLimit ?? null,
    pixKeys: pixKeys ?? null,
    until: until ?? null,
  }))
  .refine(
    ({ dailyLimit, pixKeys, until }) => dailyLimit !== null || pixKeys !== null || until !== null,
    breaks("limitsNeeded"),
  )
  .nullable()
  .optional()
  .openapi("SetSpendingLimits", {
    description: "Limits of its withdraws, beside the company's policy; null for none.",
    example: EXAMPLE_SPENDING_LIMITS,
  });

/** The name of `spendingLimits` until 2.0. */
const mandate = spendingLimits.openapi({ deprecated: true, description: "Name `spendingLimits`." });

const refundDailyLimit = integer(0, MAX_AMOUNT_CENTS, "centavos").nullable().optional().openapi({
  description: "centavos that it sends back a day (America/Sao_Paulo); null for no limit",
  example: 100_000,
});

/** Whether both names of the spending limits, if both are sent, have one value. */
function haveOneValue(sent: { spendingLimits?: unknown; mandate?: unknown }): boolean {
  const { spendingLimits: value, mandate: former } = sent;
  if (value === undefined || former === undefined) return true;
  return canonicalJson(value) === canonicalJson(former);
}

const DIFFERENT = { path: ["mandate"], message: breaks("sameAs", { field: "spendingLimits" }) };

export const CreateApplication = z
  .object({ name, scopes, networks, expiresAt: endTime, spendingLimits, mandate, refundDailyLimit })
  .refine(haveOneValue, DIFFERENT)
  .openapi("CreateApplicationInput");

export const ChangeApplication = z
  .object({
    name: name.optional(),
    scopes: scopes.optional(),
    networks,
    expiresAt: endTime,
    spendingLimits,
    mandate,
    refundDailyLimit,
  })
  .refine(haveOneValue, DIFFERENT)
  .openapi("ChangeApplicationInput", {
    description: "Omitted fields keep their value. null removes a limit.",
  });

export const SpendingLimits = z
  .object({
    dailyLimit: z.int().nullable().openapi({ description: "centavos a day" }),
    pixKeys: z.array(z.string()).nullable(),
    until: isoTimeText.nullable(),
  })
  .openapi("SpendingLimits", { example: EXAMPLE_SPENDING_LIMITS });

const Application = z
  .object({
    id: z
      .string()
      .openapi({ example: "app_kq3vX9r2TfWm0sZbY1hUeA", description: "The client id." }),
    clientId: z.string().openapi({ example: "app_kq3vX9r2TfWm0sZbY1hUeA" }),
    name: z.string().openapi({ example: "ERP" }),
    scopes: z
      .array(z.enum(SCOPES).openapi("Scope"))
      .openapi({ example: ["transactions:read", "transactions:write"] }),
    networks: z.array(z.string()).nullable().openapi({ example: EXAMPLE_NETWORKS }),
    expiresAt: isoTimeText.nullable(),
    spendingLimits: SpendingLimits.nullable(),
    mandate: SpendingLimits.nullable().openapi({
      deprecated: true,
      description: "The value of `spendingLimits`, under its name of before.",
    }),
    refundDailyLimit: z
      .int()
      .nullable()
      .openapi({ description: "centavos that it sends back a day", example: 100_000 }),
    pending: PendingSettings,
    createdAt: isoTimeText,
  })
  .openapi("Application");

export const ApplicationEnvelope = z.object({ data: Application }).openapi("ApplicationEnvelope");

export const Applications = z
  .object({ items: z.array(Application), after: z.string().nullable(), hasMore: z.boolean() })
  .openapi("Applications");

export const ApplicationsQuery = z.object({
  after: text(TEXT_MAX).optional().openapi({ description: "`after` of the last page." }),
  limit: pageLimit,
});

export const ApplicationParam = z.object({
  id: z.string().openapi({ example: "app_kq3vX9r2TfWm0sZbY1hUeA" }),
});
