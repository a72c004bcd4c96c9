import { z } from "@hono/zod-openapi";
import { isoTimeText } from "../../../http/fields/fields.ts";
import { breaks } from "../../../lib/fields/rules.ts";

const CURSOR = /^(?<at>\d{1,15})-(?<id>.+)$/;

export const DeadLetter = z
  .object({
    id: z.string(),
    queue: z.enum(["webhooks", "payouts", "tasks"]),
    body: z.unknown().openapi({ description: "Ids only: the work itself is stored elsewhere." }),
    receivedAt: isoTimeText,
    replayedAt: isoTimeText.nullable().openapi({ description: "When it was sent again." }),
  })
  .openapi("DeadLetter", {
    example: {
      id: "6c1f3f0e9d1c4a7bb0a1",
      queue: "payouts",
      body: { companyId: 17, withdrawId: 7 },
      receivedAt: "2026-11-21T12:00:00.000Z",
      replayedAt: null,
    },
  });

export const DeadLetters = z
  .object({
    items: z.array(DeadLetter),
    after: z.string().nullable(),
    hasMore: z.boolean(),
  })
  .openapi("DeadLetters");

export const DeadLettersQuery = z.object({
  status: z.enum(["open", "all"]).default("open"),
  after: z
    .string()
    .regex(CURSOR, breaks("earlierPage"))
    .transform((value) => {
      const { at, id } = CURSOR.exec(value)?.groups ?? {};
      return { receivedAt: Number(at), id: id ?? "" };
    })
    .optional()
    .openapi({ type: "string" }),
});

export const DeadLetterParam = z.object({ id: z.string().max(100) });
