import type { OperatorRole } from "../../../../src/domain/operators/operator.ts";
import type { PersonRole } from "../../../../src/domain/access/person-role.ts";
import type { TestCompany } from "../companies/company.ts";
import { Browser, type Asked, type Page } from "./browser.ts";
import { givenOperatorPerson, givenSession } from "./people.ts";

/** `form` or `body` is posted; without one it is GET. */
export interface Visit extends Pick<Asked, "language" | "form" | "body" | "deps" | "env"> {
  role?: PersonRole;
}

/**
 * What the console answers to a person of the company, who has just proved a second factor, as status, headers and
 * page.
 */
export async function visit(
  company: TestCompany,
  path: string,
  { role = "owner", ...options }: Visit = {},
): Promise<Page> {
  const nowMs = options.deps?.platformClock?.now() ?? Date.now();
  return new Browser(await givenSession(company, role, { nowMs })).ask(path, options);
}

/** What the console answers to a new operator, who has just proved a second factor. */
export async function visitAsOperator(
  path: string,
  { role = "admin", ...options }: Omit<Visit, "role"> & { role?: OperatorRole } = {},
): Promise<Page> {
  const nowMs = options.deps?.platformClock?.now() ?? Date.now();
  const { cookie } = await givenOperatorPerson(role, { nowMs });
  return new Browser(cookie).ask(path, options);
}
