import { createMiddleware } from "hono/factory";
import type { ConsoleEnv } from "../../context.ts";
import { forbiddenPage } from "../../ui/error-pages.tsx";
import { requireMember } from "../require-member.ts";
import { findDevice } from "./device.ts";

/** The counter's first page. */
export const COUNTER_PATH = "/console/cashier";
/** Where a shared counter asks for the next PIN. */
export const PIN_PATH = "/console/cashier/device";
/** What a shared counter opens beside the counter. */
const ALSO_OPEN = new Set(["/console/language"]);

/**
 * Shuts a shared counter in: it opens the counter and nothing else, whoever is signed in in its browser. Sets `device`
 * there.
 */
export const counterOnly = createMiddleware<ConsoleEnv>(async (c, next) => {
  const device = await findDevice(c);
  if (device === null) return next();
  c.set("device", device);
  const { path, method } = c.req;
  const isOfCounter = path === COUNTER_PATH || path.startsWith(`${COUNTER_PATH}/`);
  if (isOfCounter || ALSO_OPEN.has(path)) return next();
  return method === "POST" ? forbiddenPage(c) : c.redirect(COUNTER_PATH, 303);
});

/**
 * Admits who may use the counter, and sets `person`: at a shared one whose PIN was typed last, as a cashier and nothing
 * more, whatever his role; elsewhere as `requireMember`.
 */
export const requireCashier = createMiddleware<ConsoleEnv>(async (c, next) => {
  const device = c.get("device");
  if (device === undefined) return requireMember(c, next);
  if (device.cashier === null) return c.redirect(PIN_PATH, 303);
  c.set("person", { ...device.cashier, companyId: device.companyId, role: "cashier" });
  await next();
});

/** Admits a shared counter, whether or not somebody uses it; leads every other browser to the counter's first page. */
export const requireDevice = createMiddleware<ConsoleEnv>(async (c, next) => {
  if (c.get("device") === undefined) return c.redirect(COUNTER_PATH, 303);
  await next();
});
