import { z } from "zod";
import { moveSandboxClock } from "../../api/sandbox/clock/routes.ts";
import { whatRan } from "../../pages/console/screens/clock/what-ran.ts";
import { TEXTS } from "../../pages/console/texts.ts";
import { acceptedLanguage } from "../../pages/shared/language.ts";
import { answerOf, tool } from "../tool.ts";

const advanceClock = tool({
  name: "advance_clock",
  title: "Let time pass",
  description:
    "Moves a sandbox company's time forward, and lives what becomes due on the way: expiries, releases, retries, " +
    "deadlines. It never goes back. While hasMore, call it again with `to` as the time `now`.",
  scopes: ["transactions:write"],
  isSandboxOnly: true,
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false },
  input: z.object({
    by: z.string().optional().describe("An ISO 8601 duration: P3D is three days, PT2H two hours."),
    to: z
      .string()
      .optional()
      .describe("A day (YYYY-MM-DD) or a time with offset, instead of a duration."),
  }),
  run: (c, { by, to }) =>
    answerOf(
      c,
      moveSandboxClock,
      ({ data }) => {
        const { clock } = TEXTS[acceptedLanguage(c.req.header("Accept-Language") ?? "en")];
        return {
          now: data.now,
          ran: data.ran.map(({ at, kind, id }) => ({ at, what: whatRan(kind, clock), id })),
          hasMore: data.hasMore,
        };
      },
      { json: { advance: by, set: to } },
    ),
});

/** The time of a sandbox company. */
export const CLOCK_TOOLS = [advanceClock];
