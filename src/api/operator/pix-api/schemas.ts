import { z } from "@hono/zod-openapi";
import { parsePixKey, PIX_KEY_TYPES } from "../../../domain/shared/pix-key.ts";
import { MAX_URL_LENGTH } from "../../../domain/events/webhook-target.ts";
import {
  EVEN_AFTER_OTHER_ERRORS,
  integer,
  isoTimeText,
  text,
  TEXT_MAX,
  pixKeyFault,
} from "../../../http/fields/fields.ts";
import { ACCOUNT_TYPES, TOKEN_CLIENTS, type PspHeader } from "../../../domain/psp/psp-settings.ts";
import { breaks } from "../../../lib/fields/rules.ts";

/** OAuth2 client secrets are short; some PSPs issue a JWT. */
export const SECRET_MAX = 4_096;
export const BINDING_NAME = /^[A-Z][A-Z0-9_]{0,63}$/;
/** BACEN's limits of an account's number and branch. */
const RECEIVER_ACCOUNT_MAX = 20;
const BRANCH_DIGITS = 4;
const TOKEN_BODIES = ["form", "json"] as const;
const CHARGES = ["cob", "cobv"] as const;

export const nonEmptyText = (max: number) => text(max).min(1, breaks("notEmpty"));

function oneOf<Words extends readonly [string, ...string[]]>(words: Words) {
  return z.enum(words, { error: breaks("value", { values: words.join(" or ") }) });
}

/** Checks the key against its type, which eleven digits (CPF or phone) require. */
export function checkPixKey(request: unknown, context: z.core.$RefinementCtx): void {
  const { pixKey, pixKeyType } = request as { pixKey?: unknown; pixKeyType?: unknown };
  const declared = PIX_KEY_TYPES.find((type) => type === pixKeyType);
  if (typeof pixKey !== "string" || (pixKeyType !== undefined && declared === undefined)) return;
  const verdict = parsePixKey(pixKey, declared);
  if (verdict.kind === "valid") return;
  const ambiguous = verdict.kind === "ambiguous";
  context.addIssue({
    code: "custom",
    path: [ambiguous ? "pixKeyType" : "pixKey"],
    message: ambiguous ? breaks("keyTypeNeeded") : pixKeyFault(declared),
  });
}

const EXAMPLE = {
  baseUrl: "https://pix.example.com/v2",
  tokenUrl: "https://pix.example.com/oauth/token",
  tokenBody: "form",
  clientId: "Client_Id_7f3c",
  scope: null,
  pixKey: "7d9f0335-8dcc-4054-9bf9-0dbd61d36906",
  certificate: "PSP_LOJA",
  charge: "cob",
  payouts: null,
  requireClientCertificate: false,
} as const;

const headerValue = text(TEXT_MAX)
  .regex(/^[\x21-\x7e]+$/, breaks("headerValue"))
  .optional();

/** Headers of single PSPs. */
const PspHeaders = z
  .object({
    client_id: headerValue,
    "x-conta-corrente": headerValue,
    "x-correlationID": headerValue,
  } satisfies Record<PspHeader, unknown>)
  .openapi("PspHeaders", {
    description: "Headers of the PSP's own, sent with every call to its API.",
  });

/** The account that automatic debits are paid to. */
const Receiver = z
  .object(
    {
      account: text(RECEIVER_ACCOUNT_MAX).regex(/^[\x21-\x7e]+$/, breaks("headerValue")),
      accountType: oneOf(ACCOUNT_TYPES),
      branch: text(BRANCH_DIGITS)
        .regex(/^\d{1,4}$/, breaks("digits", { sizes: "1 to 4" }))
        .optional()
        .openapi({ description: "Up to four digits; `0001` where it is left out." }),
    },
    { error: breaks("object") },
  )
  .openapi("PixReceiver", {
    description: "The account that automatic debits (Pix Automático) are paid to.",
  });

/** The origin that providers call back. */
export const callbackOrigin = text(MAX_URL_LENGTH).optional().openapi({
  description:
    "The origin that the PSP calls back; by default that of this request, or where another operator must approve it, the one of before.",
});

const EfiDesk = z.object({ kind: z.literal("efi") }).openapi("EfiDisputeDesk", {
  description:
    "Efí's own calls (`/gn/infracoes` below `baseUrl`), which take the dossier as a text. They need the scopes " +
    "`gn.infractions.read` and `gn.infractions.write`.",
});

const DisputeDeskInput = z
  .union(
    [
      EfiDesk,
      z.object({
        url: text(MAX_URL_LENGTH),
        takesFurther: z.boolean().default(false).openapi({
          description: "Whether it takes a further dossier of the same dispute.",
        }),
      }),
    ],
    { error: breaks("objectOf", { names: 'kind "efi", or url and takesFurther' }) },
  )
  .openapi("DisputeDeskInput", {
    description:
      "Where the PSP takes dossiers against disputes: Efí's own calls, or `PUT` and `GET` of " +
      "`<url>/<disputeId>/<responseId>`, a layout of ours that no PSP is known to have. Neither was called yet. Left " +
      "out without one.",
  });

/** The settings of an account over the Pix API, as a request names them. */
export const PIX_API_SETTINGS = {
  baseUrl: text(MAX_URL_LENGTH).openapi({
    description: "Everything before `/cob`; a query string is sent with every call.",
  }),
  tokenUrl: text(MAX_URL_LENGTH),
  tokenBody: oneOf(TOKEN_BODIES).default("form"),
  tokenClient: oneOf(TOKEN_CLIENTS).optional().openapi({
    description:
      "How the token request names the client: HTTP Basic (the default), id and secret in its body, or the id alone beside the client certificate.",
  }),
  headers: PspHeaders.optional(),
  clientId: nonEmptyText(TEXT_MAX),
  scope: text(SECRET_MAX).nullable().default(null).openapi({
    description: 'The OAuth2 scopes to request; null for all that are used, `""` for none.',
  }),
  pixKey: text(TEXT_MAX).openapi({ description: "The key that charges are paid to." }),
  pixKeyType: z
    .enum(PIX_KEY_TYPES, { error: breaks("oneOf", { values: PIX_KEY_TYPES.join(", ") }) })
    .openapi("PixKeyType")
    .optional(),
  certificate: text(TEXT_MAX)
    .regex(BINDING_NAME, breaks("binding"))
    .nullable()
    .default(null)
    .openapi({ description: "A `mtls_certificates` binding of the Worker." }),
  charge: oneOf(CHARGES).default("cob"),
  payouts: z
    .object({ url: text(MAX_URL_LENGTH) }, { error: breaks("objectOrNull") })
    .nullable()
    .default(null)
    .openapi("PixApiPayoutsInput", {
      description: "The URL of Efí's `/v3/gn/pix`; null without payouts.",
    }),
  receiver: Receiver.optional(),
  disputeDesk: DisputeDeskInput.optional(),
  callbackOrigin,
  requireClientCertificate: z
    .boolean()
    .default(false)
    .openapi({ description: "Refuse callbacks without a verified client certificate." }),
};

/** `pspFields` also checks the URLs and the certificate, which depend on the environment. */
export const PixApiBody = z
  .object({
    ...PIX_API_SETTINGS,
    clientSecret: nonEmptyText(SECRET_MAX),
    sameAccount: z.boolean().default(false).openapi({
      description:
        "The new URLs or credentials reach the same account at the PSP, which stays current.",
    }),
    reason: text(TEXT_MAX).optional().openapi({
      description: "Required where another operator must approve the connection.",
    }),
  })
  .superRefine(checkPixKey, EVEN_AFTER_OTHER_ERRORS)
  .openapi("PixApiRequest", {
    example: { ...EXAMPLE, clientSecret: "Client_Secret_2b9e" },
  });

export type PixApiRequest = z.output<typeof PixApiBody>;

const formerAccount = z
  .object({
    account: z.string(),
    baseUrl: z.string(),
    pixKey: z.string(),
    connected: z.boolean().openapi({
      description: "Whether the gateway still queries it; false once the PSP was disconnected.",
    }),
    leftAt: isoTimeText,
  })
  .openapi("FormerPixAccount");

const shown = {
  account: z.string().openapi({
    description:
      "Distinguishes the company's accounts: each payment names the account that received it.",
  }),
  formerAccounts: z.array(formerAccount).openapi({ description: "Newest first." }),
  baseUrl: z.string(),
  tokenUrl: z.string(),
  tokenBody: z.enum(TOKEN_BODIES),
  tokenClient: z.enum(TOKEN_CLIENTS).optional(),
  headers: PspHeaders.optional(),
  clientId: z.string(),
  clientSecretSet: z.literal(true).openapi({ description: "It is never shown." }),
  scope: z.string().nullable(),
  pixKey: z.string(),
  certificate: z.string().nullable(),
  charge: z.enum(CHARGES),
  payouts: z.object({ url: z.string() }).openapi("PixApiPayouts").nullable(),
  receiver: Receiver.optional(),
  disputeDesk: z
    .union([EfiDesk, z.object({ url: z.string(), takesFurther: z.boolean() })])
    .openapi("DisputeDesk")
    .optional(),
  callbackUrl: z.string().openapi({
    description:
      "The URL registered at the PSP. Its last part is a secret: share it with the PSP only.",
  }),
  requireClientCertificate: z.boolean(),
  reconciledUntil: isoTimeText,
  createdAt: isoTimeText,
  updatedAt: isoTimeText,
};

const EXAMPLE_SHOWN = {
  ...EXAMPLE,
  account: "q3Zt9xYk",
  formerAccounts: [
    {
      account: "first",
      baseUrl: "https://pix.former.example/v2",
      pixKey: EXAMPLE.pixKey,
      connected: true,
      leftAt: "2026-11-20T09:00:00.000Z",
    },
  ],
  clientSecretSet: true,
  callbackUrl: "https://api.example.com/callbacks/pix-api/AAAB9w2Yk1Zr0m5dT7uQp3LxVc8sEbNhJfGi",
  reconciledUntil: "2026-11-21T12:00:00.000Z",
  createdAt: "2026-11-20T09:00:00.000Z",
  updatedAt: "2026-11-20T09:00:00.000Z",
};

export const PixApi = z.object(shown).openapi("PixApi", { example: EXAMPLE_SHOWN });

const registration = {
  webhook: z.enum(["registered", "failed"]),
  webhookFault: z
    .string()
    .nullable()
    .openapi({ description: "Why it failed; null if it did not." }),
};
const EXAMPLE_REGISTRATION = { webhook: "registered", webhookFault: null } as const;

export const WebhookRegistration = z
  .object({ callbackUrl: shown.callbackUrl, ...registration })
  .openapi("PixApiWebhook", {
    example: { callbackUrl: EXAMPLE_SHOWN.callbackUrl, ...EXAMPLE_REGISTRATION },
  });

/** The longest overlap of two callback tokens: a week. */
const OVERLAP_HOURS_MAX = 168;

export const RotateCallbackToken = z
  .object({
    overlapHours: integer(0, OVERLAP_HOURS_MAX, "hours").default(24).openapi({
      description: "For so long the token before stays valid; 0 ends it at once.",
    }),
  })
  .openapi("RotateCallbackTokenInput", { example: { overlapHours: 24 } });

export const RotatedCallbackToken = z
  .object({
    callbackUrl: shown.callbackUrl,
    ...registration,
    previousValidUntil: isoTimeText,
  })
  .openapi("RotatedCallbackToken", {
    example: {
      callbackUrl: EXAMPLE_SHOWN.callbackUrl,
      ...EXAMPLE_REGISTRATION,
      previousValidUntil: "2026-11-22T12:00:00.000Z",
    },
  });

export const ConfiguredPixApi = z
  .object({ ...shown, ...registration })
  .openapi("ConfiguredPixApi", { example: { ...EXAMPLE_SHOWN, ...EXAMPLE_REGISTRATION } });

export const RemovedPixApi = z
  .object({ removed: z.literal(true) })
  .openapi("RemovedPixApi", { example: { removed: true } });
