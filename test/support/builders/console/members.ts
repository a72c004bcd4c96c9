import { fetchFromApp } from "../requests/app.ts";
import type { PersonRole } from "../../../../src/domain/access/person-role.ts";
import { requestAs } from "../../../../src/http/auth/person-requests.ts";
import { env, type TestCompany } from "../companies/company.ts";
import { freshIsolate } from "../companies/isolate.ts";
import { FROM_THE_START } from "../../../../src/domain/access/standing.ts";

let made = 0;

export interface TestMember {
  id: string;
  email: string;
  role: PersonRole;
}

/** A person with an account who is a member of the company. */
export async function givenMember(
  company: TestCompany,
  role: PersonRole,
  name = `Member ${role}`,
): Promise<TestMember> {
  made += 1;
  const id = `member_${crypto.randomUUID()}`;
  const email = `member${made}_${company.id}@example.com`;
  await env.DB.batch([
    env.DB.prepare(
      "INSERT INTO users (id, name, email, email_verified, created_at, updated_at) VALUES (?, ?, ?, 1, 1, 1)",
    ).bind(id, name, email),
    env.DB.prepare(
      "INSERT INTO memberships (user_id, company_id, role, created_at) VALUES (?, ?, ?, ?)",
    ).bind(id, company.id, role, made),
  ]);
  return { id, email, role };
}

/** The API's answer to a person of the company, as the console asks it. */
export async function callAsMember(
  company: TestCompany,
  { id, email, role }: TestMember,
  path: string,
  {
    method = "GET",
    body,
    headers = {},
  }: { method?: string; body?: unknown; headers?: Record<string, string> } = {},
) {
  const request = new Request(new URL(path, "http://localhost:8787"), {
    method,
    headers: { "Content-Type": "application/json", ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const name = `Member ${role}`;
  const standing = FROM_THE_START;
  const person = { userId: id, name, email, companyId: company.id, role, standing };
  const response = await fetchFromApp(requestAs(person, request), { deps: freshIsolate() });
  return { status: response.status, body: await response.json<any>() };
}
