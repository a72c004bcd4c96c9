import { z } from "@hono/zod-openapi";
import { parseDocument } from "../../../domain/shared/document.ts";
import { FIRST_KEY_SCOPES } from "../../../domain/shared/company.ts";
import { PIX_KEY_TYPES, parsePixKey } from "../../../domain/shared/pix-key.ts";
import { COMPANY_LIST_STATUSES } from "../../../db/companies/companies.ts";
import {
  cursor,
  EVEN_AFTER_OTHER_ERRORS,
  isoTimeText,
  NAME_MAX,
  pageLimit,
  text,
  TEXT_MAX,
  pixKeyFault,
} from "../../../http/fields/fields.ts";
import { REQUESTER_KINDS } from "../../../domain/access/requester.ts";
import { requiredReason } from "../proposals/schemas.ts";
import { ChangeTerms } from "../../settings/schemas.ts";
import { breaks } from "../../../lib/fields/rules.ts";

const EXAMPLE_TIME = "2026-11-22T12:00:00.000Z";
const EXAMPLE_CNPJ = "11222333000181";
const DATABASE_MAX = 16;

const name = text(NAME_MAX)
  .refine((value) => value.trim() !== "", breaks("notEmpty"))
  .openapi({ example: "Loja Exemplo" });
const mode = z.enum(["sandbox", "live"], { error: breaks("value", { values: "sandbox or live" }) });
/** In the order of `SCOPES`, each once. */
const firstKeyScopes = z
  .array(
    z.enum(FIRST_KEY_SCOPES, { error: breaks("oneOf", { values: FIRST_KEY_SCOPES.join(", ") }) }),
    {
      error: breaks("listOf", { things: "scopes" }),
    },
  )
  .min(1, breaks("nameAny", { thing: "scope" }))
  .max(FIRST_KEY_SCOPES.length, breaks("nameEachOnce", { thing: "scope" }))
  .transform((words) => FIRST_KEY_SCOPES.filter((scope) => words.includes(scope)))
  .openapi({
    type: "array",
    items: { type: "string", enum: FIRST_KEY_SCOPES },
    description:
      "The scopes of its first key; by default all but `keys:write` and `withdraws:approve`, which no first key has.",
    example: ["transactions:read", "transactions:write", "balance:read"],
  });
const reason = text(TEXT_MAX).optional().openapi({ description: "For the audit trail." });

/** The bank account's document, in canonical form. */
const document = text(TEXT_MAX)
  .refine((value) => value === "" || parseDocument(value) !== null, breaks("document"))
  .transform((value) => (value === "" ? "" : parseDocument(value)!.number))
  .openapi({ example: EXAMPLE_CNPJ, description: 'The bank account\'s CPF or CNPJ; "" for none.' });
const pixKey = text(TEXT_MAX).openapi({
  example: EXAMPLE_CNPJ,
  description: "The main PIX key of the bank account.",
});
const PIX_KEY_TYPE_ERROR = breaks("oneOf", { values: PIX_KEY_TYPES.join(", ") });
const pixKeyType = z.enum(PIX_KEY_TYPES, { error: PIX_KEY_TYPE_ERROR }).openapi("PixKeyType");

export const CompaniesQuery = z.object({
  search: text(NAME_MAX)
    .transform((typed) => (typed.trim() === "" ? null : typed.trim()))
    .optional()
    .openapi({ type: "string", description: "A company's number, or a part of its name." }),
  status: z
    .enum(COMPANY_LIST_STATUSES, {
      error: breaks("oneOf", { values: COMPANY_LIST_STATUSES.join(", ") }),
    })
    .optional()
    .openapi({ description: "`failing`: the last check found a violation." }),
  after: cursor.default(0),
  limit: pageLimit,
});

export const Companies = z
  .object({
    items: z.array(
      z.object({
        id: z.int(),
        name: z.string(),
        mode: z.enum(["sandbox", "live"]),
        closedAt: isoTimeText.nullable().openapi({ description: "null while it is open" }),
        checkedAt: z.string().nullable().openapi({ description: "null before the first check" }),
        violations: z.array(z.string()).openapi({ description: "Empty if all invariants hold." }),
      }),
    ),
    after: z.string().nullable(),
    hasMore: z.boolean(),
  })
  .openapi("OperatorCompanies", {
    example: {
      items: [
        {
          id: 1,
          name: "Loja Exemplo",
          mode: "sandbox",
          closedAt: null,
          checkedAt: "2026-11-21T12:00:00.000Z",
          violations: [],
        },
      ],
      after: null,
      hasMore: false,
    },
  });

const COMPANY_FIELDS = {
  id: z.int(),
  name: z.string(),
  mode,
  providerCompanyId: z.string(),
  document: z.string().openapi({ description: 'The bank account\'s CPF or CNPJ; `""` for none.' }),
  pixKey: z.string().nullable(),
  pixKeyType: z.union([pixKeyType, z.null()]),
  database: z.string().openapi({ description: "The database that has the company's rows." }),
  createdAt: isoTimeText,
  closedAt: isoTimeText.nullable().openapi({ description: "null while it is open" }),
};

const EXAMPLE_COMPANY = {
  id: 3,
  name: "Loja Exemplo",
  mode: "live" as const,
  providerCompanyId: "6f1a3c52-9d0e-4b7a-8c41-2f5e7d9b0a01",
  document: EXAMPLE_CNPJ,
  pixKey: EXAMPLE_CNPJ,
  pixKeyType: "CNPJ" as const,
  database: "DB",
  createdAt: EXAMPLE_TIME,
  closedAt: null,
};

export const OneCompany = z
  .object({ data: z.object(COMPANY_FIELDS) })
  .openapi("OneCompany", { example: { data: EXAMPLE_COMPANY } });

export const CreatedCompany = z
  .object({
    data: z.object({
      ...COMPANY_FIELDS,
      application: z.object({ clientId: z.string() }),
      key: z
        .string()
        .nullable()
        .openapi({ description: "Shown once; null when the request is repeated." }),
      webhookSecret: z
        .string()
        .nullable()
        .openapi({ description: "Shown once; null when the request is repeated." }),
    }),
  })
  .openapi("CreatedCompany", {
    example: {
      data: {
        ...EXAMPLE_COMPANY,
        application: { clientId: "app_5f0c8e4b1d2a4f6e9b7c3a1d0e8f6b42" },
        key: "sk_live_mZ1cV5rJ8w2Q0tYb7uN4xK6eH3sP9aLdGfRiOoCkEjU",
        webhookSecret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=",
      },
    },
  });

export const CreateCompany = z
  .object({
    name,
    mode,
    document: document.optional(),
    pixKey: pixKey.optional(),
    pixKeyType: pixKeyType.optional(),
    scopes: firstKeyScopes.optional(),
    database: text(DATABASE_MAX).optional().openapi({
      description:
        "The binding of the database for its rows. By default the emptiest for its mode.",
      example: "DB_2",
    }),
    reason,
  })
  .superRefine(checkPixKey, EVEN_AFTER_OTHER_ERRORS)
  .openapi("CreateCompanyInput", {
    example: {
      name: "Loja Exemplo",
      mode: "live",
      document: EXAMPLE_CNPJ,
      pixKey: EXAMPLE_CNPJ,
      pixKeyType: "CNPJ",
    },
  });

export const ChangeCompany = z
  .object({
    name: name.optional(),
    mode: mode.optional(),
    document: document.nullable().optional(),
    pixKey: pixKey.nullable().optional(),
    pixKeyType: z.union([pixKeyType, z.null()], { error: PIX_KEY_TYPE_ERROR }).optional(),
    reason,
  })
  .superRefine(checkPixKey, EVEN_AFTER_OTHER_ERRORS)
  .superRefine(checkKeyReason, EVEN_AFTER_OTHER_ERRORS)
  .openapi("ChangeCompanyInput", {
    description:
      "Omitted fields keep their value; a null PIX key or document is removed. A PIX key needs a `reason`.",
    example: { name: "Loja Nova", reason: "New trade name." },
  });

export const CompanyReason = z
  .object({
    reason: text(TEXT_MAX)
      .refine((value) => value.trim() !== "", breaks("notEmpty"))
      .openapi({ example: "The contract has ended.", description: "For the audit trail." }),
  })
  .openapi("CompanyReason");

export const FreezeCompany = z
  .object({
    withdraws: z.boolean().default(true).openapi({
      description: "Stops withdraws, refunds, returns and credits.",
    }),
    charges: z.boolean().default(false).openapi({ description: "Stops creates and captures." }),
    reason: requiredReason,
  })
  .refine(({ withdraws, charges }) => withdraws || charges, {
    path: ["charges"],
    error: breaks("pauseSomething"),
  })
  .openapi("FreezeCompanyInput", { example: { reason: "The bank reports a stolen key." } });

/** The approver gives his reason in any case. */
export const UnfreezeCompany = z
  .object({ reason: requiredReason.default("The freeze is to end.") })
  .openapi("UnfreezeCompany", { example: { reason: "The bank has found nothing." } });

/** A company's freeze. */
export const OneFreeze = z
  .object({
    data: z.object({
      companyId: z.int(),
      frozen: z.boolean(),
      withdraws: z.boolean(),
      charges: z.boolean(),
      since: isoTimeText.nullable(),
      reason: z.string().nullable(),
      by: z.object({ kind: z.enum(REQUESTER_KINDS), id: z.string(), name: z.string() }).nullable(),
    }),
  })
  .openapi("OneFreeze", {
    example: {
      data: {
        companyId: 17,
        frozen: true,
        withdraws: true,
        charges: false,
        since: EXAMPLE_TIME,
        reason: "The bank reports a stolen key.",
        by: { kind: "operator", id: "operator", name: "Ana Souza" },
      },
    },
  });

/** A company's terms, changed by an operator with a reason for the audit trail. */
export const ChangeCompanyTerms = z
  .object({ ...ChangeTerms.shape, reason })
  .openapi("OperatorChangeCompanyTerms");

/** Another main PIX key is proposed, and a proposal has a reason. */
function checkKeyReason(
  { pixKey: key, reason: why }: { pixKey?: unknown; reason?: unknown },
  context: z.RefinementCtx,
): void {
  if (key === undefined || (typeof why === "string" && why.trim() !== "")) return;
  context.addIssue({
    code: "custom",
    path: ["reason"],
    message: breaks("requiredWith", { field: "pixKey" }),
  });
}

/** A key must be valid for its type; a type needs a key. */
function checkPixKey(
  { pixKey: key, pixKeyType: type }: { pixKey?: unknown; pixKeyType?: unknown },
  context: z.RefinementCtx,
): void {
  const addIssue = (path: string, message: string) =>
    context.addIssue({ code: "custom", path: [path], message });
  if (typeof key !== "string") {
    if (typeof type === "string")
      addIssue("pixKey", breaks("requiredWith", { field: "pixKeyType" }));
    return;
  }
  const declared = PIX_KEY_TYPES.find((known) => known === type);
  const { kind } = parsePixKey(key, declared);
  if (kind === "ambiguous") addIssue("pixKeyType", breaks("keyTypeAmbiguous"));
  if (kind === "invalid") addIssue("pixKey", pixKeyFault(declared));
}
