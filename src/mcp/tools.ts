import { CHARGE_TOOLS } from "./tools/charges.ts";
import { CLOCK_TOOLS } from "./tools/clock.ts";
import { MONEY_TOOLS } from "./tools/money.ts";
import { REPORT_TOOLS } from "./tools/reports.ts";
import { SUBSCRIPTION_TOOLS } from "./tools/subscriptions.ts";
import type { Tool } from "./tool.ts";

/** Every tool, in the order of a shop's day. */
export const TOOLS: readonly Tool[] = [
  ...CHARGE_TOOLS,
  ...SUBSCRIPTION_TOOLS,
  ...MONEY_TOOLS,
  ...REPORT_TOOLS,
  ...CLOCK_TOOLS,
];
