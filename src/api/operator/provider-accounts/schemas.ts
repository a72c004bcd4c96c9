import { z } from "@hono/zod-openapi";
import { MAX_URL_LENGTH } from "../../../domain/events/webhook-target.ts";
import {
  ACCOUNT_METHODS,
  ACCOUNT_STATES,
  type AccountProvider,
} from "../../../domain/psp/psp-account.ts";
import { TRIAL_RESULTS, TRIAL_STATES } from "../../../domain/psp/certificate-trial.ts";
import { possibleMethods } from "../../../providers/account-methods.ts";
import {
  EVEN_AFTER_OTHER_ERRORS,
  integer,
  isoTimeText,
  text,
  TEXT_MAX,
} from "../../../http/fields/fields.ts";
import { MAX_BASIS_POINTS } from "../../../domain/ledger/fees.ts";
import { MAX_AMOUNT_CENTS } from "../../../domain/shared/money.ts";
import { breaks } from "../../../lib/fields/rules.ts";
import { CompanyParam } from "../company-param.ts";
import {
  callbackOrigin,
  checkPixKey,
  nonEmptyText,
  PIX_API_SETTINGS,
  SECRET_MAX,
} from "../pix-api/schemas.ts";

/** The kinds of accounts as requests and answers name them. */
const KINDS = {
  "pix-api": "PixApi",
  "efi-cobrancas": "EfiCobrancas",
  pagarme: "PagarMe",
} as const satisfies Record<string, AccountProvider>;
export type Kind = keyof typeof KINDS;
const KIND_NAMES = Object.keys(KINDS) as [Kind, ...Kind[]];

export function kindOf(provider: AccountProvider): Kind {
  return KIND_NAMES.find((kind) => KINDS[kind] === provider) ?? "pix-api";
}

const PRIORITY_MAX = 99;
const HOURS = /^(?:[01]\d|2[0-3]):[0-5]\d-(?:[01]\d|2[0-3]):[0-5]\d$/;
const PAGARME_ACCOUNT = /^acc_[a-zA-Z0-9]{1,64}$/;
const PAGARME_KINDS = ["psp", "gateway"] as const;

/** An account's name in its company. */
export const ACCOUNT_NAME = /^[a-zA-Z0-9_-]{1,32}$/;

export const AccountParam = CompanyParam.extend({
  account: z
    .string()
    .regex(ACCOUNT_NAME, breaks("accountName"))
    .openapi({ description: "Its name in the company, which you choose.", example: "efi-boletos" }),
});

/** Refuses fields that a kind does not have, and names those that it has. */
function only<Shape extends Record<string, z.ZodType>>(shape: Shape) {
  return z.strictObject(shape, {
    error: (issue) =>
      issue.code === "unrecognized_keys"
        ? breaks("unknown", {
            hint: `${issue.keys.join(", ")}; known here: ${Object.keys(shape).join(", ")}`,
          })
        : breaks("object"),
  });
}

const termsProven = z.boolean().default(false).openapi({
  description:
    "Whether you have proved with the house what its documents leave open. Without it, terms that need it are refused.",
});

const method = z.enum(ACCOUNT_METHODS, {
  error: breaks("someOf", { values: ACCOUNT_METHODS.join(", ") }),
});
const methods = z
  .array(method, { error: breaks("listOf", { things: "methods" }) })
  .min(1, breaks("nameOne"))
  .refine((all) => new Set(all).size === all.length, breaks("nameOnce"))
  .openapi({ description: "What it carries." });
const priority = integer(1, PRIORITY_MAX, "").openapi({
  description:
    "Its place among the accounts of a method: the lowest first, two the same only where both state a `cost`.",
});
const amount = integer(1, MAX_AMOUNT_CENTS, "centavos").optional();
const cost = only({
  basisPoints: integer(0, MAX_BASIS_POINTS, "hundredths of a percent").default(0),
  fixed: integer(0, MAX_AMOUNT_CENTS, "centavos").default(0),
}).openapi("AccountCost", {
  description:
    "What the provider takes of each charge. Of accounts with one priority the cheapest for the amount comes first.",
  example: { basisPoints: 99, fixed: 0 },
});
const conditions = z
  .object({
    amountFrom: amount,
    amountTo: amount,
    hours: z
      .string({ error: breaks("string") })
      .regex(HOURS, breaks("hours"))
      .refine((hours) => hours.slice(0, 5) !== hours.slice(6), breaks("hours"))
      .optional()
      .openapi({ description: "America/Sao_Paulo; may pass midnight.", example: "22:00-06:00" }),
    cost: cost.optional(),
  })
  .refine(({ amountFrom = 0, amountTo = Infinity }) => amountFrom <= amountTo, {
    path: ["amountTo"],
    message: breaks("notBelow", { field: "amountFrom" }),
  })
  .openapi("AccountConditions", {
    description: "When it takes new charges, and their cost; `{}` for always.",
  });
const reason = text(TEXT_MAX).optional().openapi({
  description: "Required where another operator must approve it.",
});

const common = { methods, priority, conditions: conditions.default({}), reason };

const clientSecret = only({ clientSecret: nonEmptyText(SECRET_MAX) }).openapi("ClientSecret");

const PixApiAccount = z.object({
  provider: z.literal("pix-api"),
  ...common,
  settings: only(PIX_API_SETTINGS).superRefine(checkPixKey, EVEN_AFTER_OTHER_ERRORS),
  secrets: clientSecret,
});

const EfiCobrancasAccount = z.object({
  provider: z.literal("efi-cobrancas"),
  ...common,
  settings: only({
    baseUrl: text(MAX_URL_LENGTH).openapi({ description: "Everything before `/v1`." }),
    clientId: nonEmptyText(TEXT_MAX),
    payeeCode: nonEmptyText(TEXT_MAX).nullable().default(null).openapi({
      description: "The account's public id, which card tokens are made for; null without cards.",
    }),
    termsProven,
    callbackOrigin,
  }),
  secrets: clientSecret,
});

const PagarMeAccount = z.object({
  provider: z.literal("pagarme"),
  ...common,
  settings: only({
    baseUrl: text(MAX_URL_LENGTH).openapi({ description: "Everything before `/orders`." }),
    publicKey: nonEmptyText(TEXT_MAX),
    accountId: text(TEXT_MAX).regex(PAGARME_ACCOUNT, breaks("pagarMeAccount")).optional().openapi({
      description:
        "The account's id in Pagar.me's dashboard. With it another pair of keys is the same account, here and for other companies.",
      example: "acc_rOwLbg7hzUoA9lDy",
    }),
    kind: z
      .enum(PAGARME_KINDS, { error: breaks("value", { values: PAGARME_KINDS.join(" or ") }) })
      .openapi({ description: "Whether Pagar.me acquires (`psp`) or your own acquirer does." }),
    termsProven,
    callbackOrigin,
  }),
  secrets: only({ secretKey: nonEmptyText(SECRET_MAX) }),
});

const EXAMPLE = {
  provider: "efi-cobrancas",
  methods: possibleMethods({ provider: "EfiCobrancas" }),
  priority: 1,
  settings: {
    baseUrl: "https://cobrancas.api.efipay.com.br",
    clientId: "Client_Id_7f3c",
    payeeCode: "5f2e0a6b7c8d4e1f9a3b2c1d0e9f8a7b",
  },
  secrets: { clientSecret: "Client_Secret_2b9e" },
} as const;

/** `accountFields` also checks what depends on the environment. */
export const AccountBody = z
  .discriminatedUnion("provider", [PixApiAccount, EfiCobrancasAccount, PagarMeAccount], {
    error: breaks("oneOf", { values: KIND_NAMES.join(", ") }),
  })
  .superRefine((request, context) => {
    const possible =
      request.provider === "pix-api"
        ? possibleMethods({ provider: "PixApi", settings: request.settings })
        : possibleMethods({ provider: KINDS[request.provider] });
    if (request.methods.every((each) => possible.includes(each))) return;
    const message = breaks("someOf", { values: possible.join(", ") });
    context.addIssue({ code: "custom", path: ["methods"], message });
  })
  .openapi("ProviderAccountInput", { example: EXAMPLE });

export type AccountBody = z.output<typeof AccountBody>;

export const AccountChange = z
  .object({
    state: z
      .enum(["active", "draining"], { error: breaks("value", { values: "active or draining" }) })
      .optional()
      .openapi({ description: "`draining`: it takes no new charges, and serves those it has." }),
    methods: methods.optional(),
    priority: priority.optional(),
    conditions: conditions.optional(),
    reason,
  })
  .openapi("ProviderAccountChange", { example: { state: "draining" } });

export type AccountChange = z.output<typeof AccountChange>;

const Health = z
  .object({
    lastSuccessAt: isoTimeText.nullable(),
    failingSince: isoTimeText.nullable().openapi({
      description: "The first call without an answer since the last success.",
    }),
    day: z.iso.date().nullable().openapi({
      description: "Its last day with calls (São Paulo), of which is what follows; null before.",
    }),
    calls: z.int(),
    endpoints: z.array(
      z.object({
        call: z.string(),
        calls: z.int(),
        limit: z.int().nullable().openapi({
          description: "Calls that the provider takes in a day; null where it names no limit.",
        }),
        isUsedUp: z.boolean().openapi({ description: "It takes no more of that day." }),
      }),
    ),
    refusals: z.int().openapi({ description: "Orders to which the provider said no." }),
    latencyMs: z.int().nullable().openapi({
      description: "Half of the day's calls ended within this.",
    }),
  })
  .openapi("ProviderAccountHealth");

const NextCertificate = z
  .object({
    binding: z.string(),
    previous: z.string().nullable().openapi({ description: "The one that it replaced." }),
    state: z.enum(TRIAL_STATES).openapi({
      description:
        "`trying`: beside the one in use. `swapping`, `falling_back`: within a minute. `swapped`: in use, watched for a day. `fell_back`: it failed, the one before is in use again, and it is tried on. `done`: it has held.",
    }),
    successes: z.int().openapi({ description: "Trials in a row in which it worked." }),
    successesNeeded: z.int(),
    result: z.enum(TRIAL_RESULTS).nullable().openapi({
      description:
        "What its last trial said; `no_binding`: the Worker lacks it, deploy it. null before the first.",
    }),
    beside: z.enum(TRIAL_RESULTS).nullable().openapi({
      description: "The same of the certificate in use; after the swap of the one before.",
    }),
    triedAt: isoTimeText.nullable(),
    nextTryAt: isoTimeText.nullable(),
    swappedAt: isoTimeText.nullable(),
    daysLeft: z.int().nullable(),
  })
  .openapi("NextCertificate");

const ProviderAccountSchema = z
  .object({
    account: z.string(),
    provider: z.enum(KIND_NAMES),
    methods: z.array(z.enum(ACCOUNT_METHODS)),
    priority: z.int(),
    conditions,
    state: z.enum(ACCOUNT_STATES),
    settings: z.record(z.string(), z.unknown()).openapi({ description: "Without secrets." }),
    callbackUrl: z.string().nullable().openapi({
      description:
        "Its last part is a secret: share it with the provider only. null once disconnected, and where `SECRETS_KEY` does not open it.",
    }),
    health: Health,
    certificateDaysLeft: z.int().nullable().openapi({
      description: "Whole days until its certificate ends; null if nobody has said when.",
    }),
    nextCertificate: NextCertificate.nullable().openapi({
      description: "The certificate that is tried beside the one in use.",
    }),
    createdAt: isoTimeText,
    updatedAt: isoTimeText,
    leftAt: isoTimeText.nullable(),
  })
  .openapi("ProviderAccount");

const EXAMPLE_SHOWN = {
  account: "efi-boletos",
  provider: "efi-cobrancas",
  methods: possibleMethods({ provider: "EfiCobrancas" }),
  priority: 1,
  conditions: {},
  state: "active",
  settings: { ...EXAMPLE.settings, termsProven: false },
  callbackUrl:
    "https://api.example.com/callbacks/efi-cobrancas/AAAB9w2Yk1Zr0m5dT7uQp3LxVc8sEbNhJfGi",
  health: {
    lastSuccessAt: "2026-11-21T12:00:00.000Z",
    failingSince: null,
    day: "2026-11-21",
    calls: 812,
    endpoints: [{ call: "POST charge", calls: 812, limit: 15_000, isUsedUp: false }],
    refusals: 3,
    latencyMs: 180,
  },
  certificateDaysLeft: null,
  nextCertificate: null,
  createdAt: "2026-11-20T09:00:00.000Z",
  updatedAt: "2026-11-20T09:00:00.000Z",
  leftAt: null,
} as const;

export const ProviderAccounts = z
  .object({ data: z.array(ProviderAccountSchema) })
  .openapi("ProviderAccounts", { example: { data: [EXAMPLE_SHOWN] } });

export const OneProviderAccount = z
  .object({ data: ProviderAccountSchema })
  .openapi("OneProviderAccount", { example: { data: EXAMPLE_SHOWN } });

export const ConnectedAccount = z
  .object({
    data: ProviderAccountSchema,
    webhook: z.enum(["registered", "failed", "manual"]).openapi({
      description:
        "Whether the PSP has taken the callback URL. `manual`: the house is told it with each charge (Efí), or you enter it there (Pagar.me).",
    }),
    webhookFault: z.string().nullable(),
  })
  .openapi("ConnectedProviderAccount", {
    example: { data: EXAMPLE_SHOWN, webhook: "manual", webhookFault: null },
  });

export const RemovedAccount = z
  .object({ removed: z.literal(true) })
  .openapi("RemovedProviderAccount", { example: { removed: true } });
