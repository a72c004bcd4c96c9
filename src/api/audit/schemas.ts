import { z } from "@hono/zod-openapi";
import { ACTOR_KINDS } from "../../domain/access/audit-entry.ts";
import {
  cursor,
  inOrder,
  isoInstant,
  isoTimeText,
  listOrder,
  pageLimit,
  rangeEnd,
  text,
  TEXT_MAX,
} from "../../http/fields/fields.ts";
import { breaks } from "../../lib/fields/rules.ts";

const values = z
  .record(z.string(), z.unknown())
  .nullable()
  .openapi({ description: "Personal data is masked, secrets are left out." });

const AuditEntrySchema = z
  .object({
    companyId: z.int().openapi({ description: "The trail's company; 0 is the gateway itself." }),
    sequence: z.int().openapi({ description: "1, 2, 3, ... without gaps." }),
    at: isoTimeText,
    actor: z.object({
      kind: z.enum(ACTOR_KINDS),
      id: z.string().openapi({ description: "A client id, a person's id, or a task's name." }),
      name: z.string(),
    }),
    keyPrefix: z
      .string()
      .nullable()
      .openapi({ description: "The first characters of the key that was presented." }),
    action: z.string().openapi({
      description: "What was asked for, before it is done. A later `<action>.refused` says no.",
    }),
    target: z.string(),
    before: values,
    after: values,
    reason: z.string().nullable(),
    address: z.string().nullable().openapi({
      description: "The caller's network address. A company's trail has none of an operator.",
    }),
    traceId: z.string().nullable(),
    hash: z.string().openapi({
      description: "SHA-256 of the entry and of the hash before it (docs/security.md).",
    }),
  })
  .openapi("AuditEntry");

export const AuditTrail = z
  .object({
    items: z.array(AuditEntrySchema),
    after: z.string().nullable(),
    hasMore: z.boolean(),
  })
  .openapi("AuditTrail", {
    example: {
      items: [
        {
          companyId: 1,
          sequence: 1,
          at: "2026-11-22T12:00:00.000Z",
          actor: { kind: "application", id: "app_local_loja", name: "default" },
          keyPrefix: "sk_live_mZ1c",
          action: "endpoint.change",
          target: "company:1",
          before: { url: "" },
          after: { url: "https://loja.example.com/webhooks" },
          reason: null,
          address: "203.0.113.7",
          traceId: "0af7651916cd43dd8448eb211c80319c",
          hash: "5a1f6a1f0b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3d4e5f60718293a4b5c6",
        },
      ],
      after: null,
      hasMore: false,
    },
  });

const FILTERS = {
  after: cursor.default(0),
  limit: pageLimit,
  actor: text(TEXT_MAX).min(1, breaks("notEmpty")).optional().openapi({
    description: "An actor's id, or its name in any case.",
  }),
  action: text(TEXT_MAX).min(1, breaks("notEmpty")).optional().openapi({
    description: "An action, or its part before a dot: `application` finds `application.create`.",
  }),
  target: text(TEXT_MAX).min(1, breaks("notEmpty")).optional().openapi({
    description: "A target, or its part before a colon: `application` finds those of applications.",
  }),
  from: isoInstant.optional(),
  to: rangeEnd.optional(),
  order: listOrder,
};

const RANGE = inOrder(["from", "to"]);

export const AuditQuery = z.object(FILTERS).superRefine(RANGE);

export const OperatorAuditQuery = z
  .object({
    ...FILTERS,
    companyId: z
      .string()
      .regex(/^[1-9]\d{0,7}$/, breaks("companyNumber"))
      .transform(Number)
      .optional()
      .openapi({ type: "integer", description: "Without it, the gateway's own trail." }),
  })
  .superRefine(RANGE);
