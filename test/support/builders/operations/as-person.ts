import { fetchFromApp } from "../requests/app.ts";
import type { PersonRole } from "../../../../src/domain/access/person-role.ts";
import { FROM_THE_START } from "../../../../src/domain/access/standing.ts";
import { requestAs } from "../../../../src/http/auth/person-requests.ts";
import type { TestCompany } from "../companies/env.ts";

/** A POST that the console sends for a person of the company; the person's name is the role by default. */
export async function postAsPerson(
  company: TestCompany,
  path: string,
  request: { role: PersonRole; userId?: string; body?: object; key?: string },
): Promise<{ status: number; body: any }> {
  const { role, userId = role, body, key = crypto.randomUUID() } = request;
  const standing = FROM_THE_START;
  const person = { userId, name: userId, email: "", companyId: company.id, role, standing };
  const sent = new Request(`https://localhost${path}`, {
    method: "POST",
    headers: {
      "Idempotency-Key": key,
      ...(body === undefined ? {} : { "Content-Type": "application/json" }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const response = await fetchFromApp(requestAs(person, sent));
  return { status: response.status, body: await response.json<any>() };
}
