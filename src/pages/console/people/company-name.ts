import type { ConsoleContext } from "../context.ts";

/** The name of the company that the signed-in person has chosen, or of a shared counter's. */
export function companyNameOf(c: ConsoleContext): string {
  const device = c.get("device");
  if (device !== undefined) return device.company.companyName;
  const { memberships } = c.get("session");
  const { companyId } = c.get("person");
  return memberships.find((each) => each.companyId === companyId)?.companyName ?? "";
}
