import { companyClock } from "../../../domain/shared/clock.ts";
import type { CompanyMode } from "../../../domain/shared/company.ts";
import type { CompanyHead } from "../../../db/companies/companies.ts";
import { assert } from "../../../lib/assert.ts";
import type { ConsoleContext } from "../context.ts";
import type { Membership } from "./session.ts";

/** The signed-in person's place in the chosen company; undefined for an operator who is no member of it. */
export function openMembership(c: ConsoleContext): Membership | undefined {
  const { companyId } = c.get("person");
  return c.get("session").memberships.find((each) => each.companyId === companyId);
}

/** The company that the signed-in person has chosen, or a shared counter's. */
function companyHeadOf(c: ConsoleContext): CompanyHead {
  const device = c.get("device");
  if (device !== undefined) return device.company;
  const chosen = openMembership(c);
  assert(chosen !== undefined, "a person is a member of the chosen company");
  return chosen;
}

/** The name of the page's company. */
export function companyNameOf(c: ConsoleContext): string {
  return companyHeadOf(c).companyName;
}

/** Whether the money of the page's company is real. */
export function companyModeOf(c: ConsoleContext): CompanyMode {
  return companyHeadOf(c).mode;
}

/** The time of the page's company (Unix milliseconds). */
export function companyNow(c: ConsoleContext): number {
  return companyClock(c.env.outer.get("deps").platformClock, companyHeadOf(c)).now();
}

/** After a move of the clock: what the page's request read before is no longer so. Unix milliseconds. */
export function clockIsNowAt(c: ConsoleContext, now: number): void {
  companyHeadOf(c).clockOffsetMs = now - c.env.outer.get("deps").platformClock.now();
}

/** Whether somebody has moved the clock of the page's company. */
export function isClockMoved(c: ConsoleContext): boolean {
  return companyHeadOf(c).clockOffsetMs > 0;
}
