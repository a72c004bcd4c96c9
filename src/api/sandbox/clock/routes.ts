import { z } from "@hono/zod-openapi";
import { findMovedClock, type MovedClock as StoredClock } from "../../../db/company-clocks.ts";
import { isoTime, isoTimeOrNull } from "../../../domain/shared/clock.ts";
import { saoPauloDay } from "../../../domain/shared/business-day.ts";
import { timeAfter } from "../../../domain/time/duration.ts";
import { SMALL_WRITE_BYTES } from "../../../domain/storage/quotas.ts";
import type { Api } from "../../../http/api.ts";
import { requireScope, sandboxOnly } from "../../../http/auth/auth.ts";
import { jsonBody } from "../../../http/body.ts";
import { throwIfInvalid } from "../../../http/validation.ts";
import { CLOCK_HEADER } from "../../../http/auth/clock-header.ts";
import { companyDeps, type AppContext } from "../../../http/context.ts";
import { isoInstant, isoTimeText } from "../../../http/fields/fields.ts";
import { jsonResponse } from "../../../http/openapi/openapi.ts";
import { routesOf } from "../../../http/openapi/route.ts";
import { invalidState } from "../../../http/problems.ts";
import { breaks } from "../../../lib/fields/rules.ts";
import { takeQuota } from "../../settings/take-quota.ts";
import { runClock, type ClockRun } from "./run.ts";

const route = routesOf("Sandbox");
const PATH = "/api/v1/sandbox/clock";
/** How far ahead of the platform's a clock may be. */
const AHEAD_MAX = "P10Y";
/** Time goes on between two calls: the time that one has read is over, by at most this, when the next one sets it. */
const BETWEEN_CALLS_MS = 1_000;

/** When to come again while another call moves the clock. */
const RUNS_SECONDS = 5;

const MoveClock = z
  .object({
    advance: z.string().optional().openapi({
      description:
        "An ISO 8601 duration of whole numbers. Years, months, weeks and days are the calendar's in America/Sao_Paulo.",
      example: "P3D",
    }),
    from: isoInstant.optional().openapi({
      description:
        "The time that `advance` counts from: with it a repeated call moves nothing twice. The clock's where left out.",
    }),
    set: isoInstant.optional().openapi({
      description: "The time itself; not before the one that the last call has answered.",
    }),
  })
  .openapi("MoveClock", { example: { advance: "P3D" } });

const Ran = z
  .object({
    at: isoTimeText.openapi({ description: "When it was due." }),
    kind: z.string().openapi({
      description:
        "release, charge_expiry, dispute_deadline, dispute_response, approval_expiry, delivery, payout, operation, recheck, charge_lookup, reservation_expiry, email, credit, callback, debit, retry or subscription; more may come",
    }),
    id: z.string().openapi({
      description: "Of the transaction, withdraw, refund, dispute, event, payment or subscription.",
    }),
  })
  .openapi("ClockItem");

const ClockFields = {
  now: isoTimeText.openapi({ description: "The company's time." }),
  moved: z.boolean().openapi({ description: "Whether it is ahead of the service's." }),
  until: isoTimeText.nullable().openapi({
    description: "Until when it still runs, where a call has left something; else null.",
  }),
};

const Clock = z.object({ data: z.object(ClockFields) }).openapi("CompanyClock", {
  example: { data: { now: "2026-11-24T12:00:00.000Z", moved: true, until: null } },
});

const MovedClock = z
  .object({
    data: z.object({
      ...ClockFields,
      ran: z.array(Ran).openapi({ description: "What was due on the way, in order." }),
      hasMore: z.boolean().openapi({
        description: "Whether more is due by `until`: set the time `now` again, and it goes on.",
      }),
    }),
  })
  .openapi("MovedClock", {
    example: {
      data: {
        now: "2026-11-24T12:00:00.000Z",
        moved: true,
        until: null,
        ran: [
          {
            at: "2026-11-22T12:00:00.000Z",
            kind: "charge_expiry",
            id: "018f4a3b-7c21-7f00-8a11-0123450000a1",
          },
        ],
        hasMore: false,
      },
    },
  });

const show = route.get(PATH, {
  operationId: "getSandboxClock",
  summary: "Show the company's time",
  guard: [requireScope("transactions:read"), sandboxOnly],
  answers: { 200: jsonResponse("The time", Clock) },
});

const move = route.post(PATH, {
  operationId: "moveSandboxClock",
  summary: "Move the company's time forward, and live what becomes due",
  description:
    "Charges expire, money is released, webhooks are retried, approvals and deadlines end, each at its time and in order, as if the days had passed. A call runs as much as fits; while `hasMore`, set the time `now` again. `webhook-timestamp`, signatures, keys and sessions keep the real time. Nothing moves back: make another company for that. After a lost answer send the same again where it has `set` or `from`; else read the clock first.",
  guard: [requireScope("transactions:write", { orScope: "webhooks:write" }), sandboxOnly],
  body: jsonBody(MoveClock),
  answers: { 200: jsonResponse("The time, and what was due", MovedClock) },
  problems: ["INVALID_STATE", "QUOTA_EXCEEDED"],
});

export { show as getSandboxClock, move as moveSandboxClock };

/** `/api/v1/sandbox/clock`: the time of a sandbox company. */
export function clockRoutes(app: Api): void {
  app.openapi(show, async (c) => {
    const { clock } = companyDeps(c);
    const stored = await findMovedClock(c.env, c.get("caller").company.id);
    const until = stored?.runsUntil ?? null;
    return c.json({ data: clockView(clock.now(), clock.offsetMs > 0, until) }, 200);
  });

  app.openapi(move, async (c) => {
    const { company } = c.get("caller");
    const stored = await findMovedClock(c.env, company.id);
    const to = timeOf(c, c.req.valid("json"), stored);
    await takeQuota(c, SMALL_WRITE_BYTES);
    const run = await runClock({ env: c.env, deps: c.get("deps") }, company, to);
    if (run === null) {
      const retryAfterSeconds = RUNS_SECONDS;
      throw invalidState("The clock is being moved. Send this again", "clock_runs", {
        retryAfterSeconds,
      });
    }
    c.header(CLOCK_HEADER, isoTime(run.now));
    return c.json({ data: movedView(run) }, 200);
  });
}

/** The time that a request names. Throws 400 for none or one out of reach, 409 for one that is over. */
function timeOf(
  c: AppContext,
  { advance, from, set }: z.output<typeof MoveClock>,
  stored: StoredClock | null,
): number {
  const { clock, platformClock } = companyDeps(c);
  const now = clock.now();
  if ((advance === undefined) === (set === undefined)) {
    throwIfInvalid([issueAt("advance", breaks("advanceOrSet"))]);
  }
  if (from !== undefined && advance === undefined) {
    throwIfInvalid([issueAt("from", breaks("onlyAllowedWith", { action: "advance" }))]);
  }
  const to = set ?? timeAfter(from ?? now, advance ?? "");
  if (to === null) throwIfInvalid([issueAt("advance", breaks("duration"))]);
  const last = timeAfter(platformClock.now(), AHEAD_MAX) ?? now;
  if ((to ?? now) > last) {
    const field = set === undefined ? "advance" : "set";
    throwIfInvalid([issueAt(field, breaks("notAfter", { day: saoPauloDay(last) }))]);
  }
  // The time that the last call answered is over already, by as much as has passed since.
  if ((to ?? now) < Math.min(stored?.reached ?? now, now) - BETWEEN_CALLS_MS) {
    throw invalidState(`The company's time is ${isoTime(now)}: it never goes back`, "clock_back");
  }
  return Math.max(to ?? now, now);
}

function issueAt(field: "advance" | "from" | "set", message: string) {
  return { code: "custom" as const, path: [field], message, input: undefined };
}

function clockView(now: number, moved: boolean, until: number | null) {
  return { now: isoTime(now), moved, until: isoTimeOrNull(until) };
}

function movedView({ now, until, ran, hasMore }: ClockRun) {
  return {
    ...clockView(now, true, until),
    ran: ran.map(({ at, kind, id }) => ({ at: isoTime(at), kind, id })),
    hasMore,
  };
}
