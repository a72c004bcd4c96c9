import { createApp } from "../../../../src/app.ts";
import type { PersonRole } from "../../../../src/domain/access/person.ts";
import type { Dependencies } from "../../../../src/http/context.ts";
import { requestAs } from "../../../../src/http/auth/person-requests.ts";
import { env, type TestCompany } from "../companies/company.ts";
import { freshIsolate } from "../companies/isolate.ts";

const ORIGIN = "http://localhost:8787";

export interface Visit {
  role?: PersonRole;
  language?: "pt-BR" | "en";
  /** A form to post; absent for GET. */
  form?: Record<string, string>;
  deps?: Partial<Dependencies>;
}

/** What the console answers to a person of the company, as status, headers and page. */
export async function visit(company: TestCompany, path: string, options: Visit = {}) {
  const { role = "owner", language = "pt-BR", form } = options;
  const headers = new Headers({ "Accept-Language": language, Origin: ORIGIN });
  const request = new Request(new URL(path, ORIGIN), {
    method: form === undefined ? "GET" : "POST",
    headers,
    redirect: "manual",
    ...(form === undefined ? {} : { body: new URLSearchParams(form) }),
  });
  const person = {
    userId: `test_${role}`,
    name: `Test ${role}`,
    email: `${role}@example.com`,
    companyId: company.id,
    role,
  };
  const app = createApp({ ...freshIsolate(), ...options.deps });
  const response = await app.fetch(requestAs(person, request), env);
  return { status: response.status, headers: response.headers, html: await response.text() };
}
