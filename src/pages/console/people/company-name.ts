import type { ConsoleContext } from "../context.ts";

/** The name of the company that the signed-in person has chosen. */
export function companyNameOf(c: ConsoleContext): string {
  const { memberships } = c.get("session");
  const { companyId } = c.get("person");
  return memberships.find((each) => each.companyId === companyId)?.companyName ?? "";
}
