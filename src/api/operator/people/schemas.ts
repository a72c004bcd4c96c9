import { z } from "@hono/zod-openapi";
import { OPERATOR_ROLES } from "../../../domain/operators/operator.ts";
import {
  integer,
  isoInstant,
  isoTimeText,
  NAME_MAX,
  text,
  TEXT_MAX,
} from "../../../http/fields/fields.ts";
import { breaks } from "../../../lib/fields/rules.ts";

const OVERLAP_HOURS = 24;
const OVERLAP_HOURS_MAX = 168;
const EXAMPLE_ID = "op_5f0c8e4b1d2a4f6e9b7c3a1d0e8f6b42";
const EXAMPLE_TIME = "2026-11-22T12:00:00.000Z";
const EXAMPLE_KEY = "sk_operator_mZ1cV5rJ8w2Q0tYb7uN4xK6eH3sP9aLdGfRiOoCkEjU";

const name = text(NAME_MAX).min(1, breaks("notEmpty")).openapi({ example: "Ana Souza" });
const role = z
  .enum(OPERATOR_ROLES, { error: breaks("oneOf", { values: OPERATOR_ROLES.join(", ") }) })
  .openapi("OperatorRole", {
    description:
      "`read` sees every company, `support` also repeats and repairs what moves no money, `finance` also " +
      "decides about money, `admin` does everything.",
  });
const reason = text(TEXT_MAX).optional().openapi({ description: "For the audit trail." });

const OPERATOR_FIELDS = {
  id: z.string().openapi({ example: EXAMPLE_ID, description: "Also the `X-Client-Id`." }),
  clientId: z.string().openapi({ example: EXAMPLE_ID }),
  name: z.string(),
  role,
  email: z.string().nullable().openapi({
    description: "Of the person who signs in to the console as this operator; null for keys only.",
  }),
  createdAt: isoTimeText,
};

const EXAMPLE_OPERATOR = {
  id: EXAMPLE_ID,
  clientId: EXAMPLE_ID,
  name: "Ana Souza",
  role: "finance" as const,
  email: null,
  createdAt: EXAMPLE_TIME,
};

const OperatorSchema = z.object(OPERATOR_FIELDS).openapi("Operator", { example: EXAMPLE_OPERATOR });

export const OneOperator = z.object({ data: OperatorSchema }).openapi("OneOperator");

export const AddedOperator = z
  .object({
    data: z.object({
      ...OPERATOR_FIELDS,
      key: z.string().nullable().openapi({
        description: "The first key. Shown once; keep it. null without `withKey`.",
      }),
    }),
  })
  .openapi("AddedOperator", { example: { data: { ...EXAMPLE_OPERATOR, key: EXAMPLE_KEY } } });

export const MakeSignInLink = z.object({ reason }).openapi("MakeSignInLink");

export const MadeSignInLink = z
  .object({
    data: z.object({
      clientId: z.string(),
      name: z.string(),
      role,
      expiresAt: isoTimeText.openapi({ description: "After 24 hours." }),
      url: z.string().openapi({
        description:
          "Shown once, works once. Whoever has it becomes the operator: give it to that person only.",
      }),
    }),
  })
  .openapi("MadeSignInLink", {
    example: {
      data: {
        clientId: EXAMPLE_ID,
        name: "Ana Souza",
        role: "finance",
        expiresAt: "2026-11-23T12:00:00.000Z",
        url: "https://pay.example.com/console/operator/set-up/mZ1cV5rJ8w2Q0tYb7uN4xK6eH3sP9aLdGfRiOoCkEjU",
      },
    },
  });

export const Operators = z
  .object({
    items: z.array(OperatorSchema),
    after: z.string().nullable(),
    hasMore: z.boolean(),
  })
  .openapi("Operators");

export const AddOperator = z
  .object({
    name,
    role,
    withKey: z
      .boolean({ error: breaks("boolean") })
      .default(true)
      .openapi({
        description: "`false` for one who works in the console only. The first admin needs a key.",
      }),
    reason,
  })
  .openapi("AddOperatorInput", { example: { name: "Ana Souza", role: "finance" } });

export const ChangeOperator = z
  .object({ name: name.optional(), role: role.optional(), reason })
  .openapi("ChangeOperatorInput", {
    description: "Omitted fields keep their value.",
    example: { role: "support", reason: "Left the finance team." },
  });

const KEY_FIELDS = {
  id: z.int(),
  prefix: z.string().openapi({ description: "The key's first characters." }),
  lastUsedAt: isoTimeText
    .nullable()
    .openapi({ description: "To the hour; null if it was never used." }),
  createdAt: isoTimeText,
  expiresAt: isoTimeText.nullable().openapi({ description: "null if the key does not expire" }),
  revokedAt: isoTimeText.nullable(),
};

const EXAMPLE_KEY_FIELDS = {
  id: 2,
  prefix: EXAMPLE_KEY.slice(0, 16),
  lastUsedAt: null,
  createdAt: EXAMPLE_TIME,
  expiresAt: null,
  revokedAt: null,
};

const OperatorKey = z.object(KEY_FIELDS).openapi("OperatorKey", { example: EXAMPLE_KEY_FIELDS });

export const OneOperatorKey = z.object({ data: OperatorKey }).openapi("OneOperatorKey");

export const OperatorKeys = z.object({ items: z.array(OperatorKey) }).openapi("OperatorKeys");

export const IssuedOperatorKey = z
  .object({
    data: z.object({
      ...KEY_FIELDS,
      key: z.string().openapi({ description: "Shown once; keep it." }),
    }),
  })
  .openapi("IssuedOperatorKey", { example: { data: { ...EXAMPLE_KEY_FIELDS, key: EXAMPLE_KEY } } });

export const IssueOperatorKey = z
  .object({
    overlapHours: integer(0, OVERLAP_HOURS_MAX, "hours").default(OVERLAP_HOURS).openapi({
      description: "The operator's other keys expire after so many hours, 0 for at once.",
    }),
    expiresAt: isoInstant.optional().openapi({
      description: "By default the key does not expire.",
      example: "2027-11-22T12:00:00.000Z",
    }),
    reason,
  })
  .openapi("IssueOperatorKeyInput");
