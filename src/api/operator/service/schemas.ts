import { z } from "@hono/zod-openapi";
import { integer, isoTimeText } from "../../../http/fields/fields.ts";
import { RequesterSchema } from "../../../http/fields/requester.ts";
import { requiredReason } from "../proposals/schemas.ts";

export const ServiceReason = z
  .object({ reason: requiredReason })
  .openapi("ServiceReason", { example: { reason: "D1 goes back by an hour." } });

export const ResumeService = z
  .object({
    reason: requiredReason,
    companyId: integer(1, Number.MAX_SAFE_INTEGER, "").optional().openapi({
      description: "Ends the pause of this company alone, which a restore left behind.",
    }),
  })
  .openapi("ResumeServiceInput", { example: { reason: "D1 is back." } });

const Pause = z
  .object({
    since: isoTimeText,
    reason: z.string(),
    by: RequesterSchema,
  })
  .openapi("Pause");

/** What is paused. */
export const OneService = z
  .object({
    data: z.object({
      paused: z.boolean().openapi({ description: "Whether the whole service is." }),
      pause: z.union([Pause, z.null()]).openapi({ description: "Why, since when, by whom." }),
      companies: z.array(z.object({ companyId: z.int(), pause: Pause })).openapi({
        description: "Companies that are paused by themselves while they are restored.",
      }),
    }),
  })
  .openapi("OneService", {
    example: {
      data: {
        paused: true,
        pause: {
          since: "2026-11-27T12:00:00.000Z",
          reason: "D1 goes back by an hour.",
          by: { kind: "operator", id: "operator_ana", name: "Ana Souza" },
        },
        companies: [],
      },
    },
  });
