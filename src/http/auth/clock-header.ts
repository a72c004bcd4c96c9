import { createMiddleware } from "hono/factory";
import { companyClock, isoTime } from "../../domain/shared/clock.ts";
import type { AppEnv, Caller } from "../context.ts";

/** The company's time on every answer to a company whose clock was moved. */
export const CLOCK_HEADER = "Centavo-Clock";

/** Says the company's time on the answers to a company whose clock was moved, also on refusals. */
export const clockHeader = createMiddleware<AppEnv>(async (c, next) => {
  await next();
  const caller: Caller | undefined = c.get("caller");
  if (caller === undefined || caller.company.clockOffsetMs === 0) return;
  if (c.res.headers.has(CLOCK_HEADER)) return;
  const { platformClock } = c.get("deps");
  c.res.headers.set(CLOCK_HEADER, isoTime(companyClock(platformClock, caller.company).now()));
});
