import { z } from "@hono/zod-openapi";
import { ACTOR_KINDS } from "../../domain/access/audit-entry.ts";
import { isoTimeText, pageLimit, rangeEnd } from "../../http/fields/fields.ts";
import { breaks } from "../../lib/fields/rules.ts";

const EXAMPLE_TRACE = "0af7651916cd43dd8448eb211c80319c";
const EXAMPLE_STEP = {
  at: "2026-11-21T12:00:00.000Z",
  traceId: EXAMPLE_TRACE,
  action: "endpoint.change",
  target: "company:1",
  actor: { kind: "application" as const, id: "app_local_loja", name: "default" },
  code: null,
};

const Step = z
  .object({
    at: isoTimeText,
    traceId: z.string().nullable(),
    action: z.string().openapi({
      description:
        "`transaction.create`, or an action of the audit trail. `.refused` ends a refusal.",
    }),
    target: z.string().openapi({ description: "What it was done to: its kind and its id." }),
    actor: z
      .object({ kind: z.enum(ACTOR_KINDS), id: z.string(), name: z.string() })
      .nullable()
      .openapi({ description: "Who asked; null of a charge, which does not keep it." }),
    code: z.string().nullable().openapi({ description: "The problem's code of a refusal." }),
  })
  .openapi("RequestStep", { example: EXAMPLE_STEP });

export const OneRequest = z
  .object({
    data: z.object({
      traceId: z.string(),
      items: z.array(Step).openapi({ description: "Oldest first." }),
      searchedFrom: isoTimeText.nullable().openapi({
        description:
          "How far back was looked; send it as `to` to look further. Null: nothing is older.",
      }),
    }),
  })
  .openapi("RequestLog", {
    example: { data: { traceId: EXAMPLE_TRACE, items: [EXAMPLE_STEP], searchedFrom: null } },
  });

export const Requests = z
  .object({ items: z.array(Step) })
  .openapi("RequestLogs", { example: { items: [EXAMPLE_STEP] } });

export const TraceParam = z.object({
  traceId: z
    .string()
    .trim()
    .toLowerCase()
    .regex(/^[0-9a-f]{32}$/, breaks("traceId"))
    .openapi({ example: EXAMPLE_TRACE }),
});

export const TraceQuery = z.object({
  to: rangeEnd.optional().openapi({ description: "Look back from here; by default from now." }),
});

export const RequestsQuery = z.object({ limit: pageLimit });
