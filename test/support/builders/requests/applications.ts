import type { TestCompany } from "../companies/env.ts";
import { call, type Answer, type Call } from "./api.ts";

const APPLICATIONS = "/api/v1/applications";

/** `POST /api/v1/applications`, by the company's application. */
export function makeApplication(
  company: TestCompany,
  body: object,
  options: Call = {},
): Promise<Answer> {
  return call(APPLICATIONS, {
    company,
    body: { name: "ERP", scopes: ["balance:read"], ...body },
    ...options,
  });
}

export function patchApplication(
  company: TestCompany,
  clientId: string,
  body: object,
  options: Call = {},
): Promise<Answer> {
  return call(`${APPLICATIONS}/${clientId}`, { company, method: "PATCH", body, ...options });
}

export function removeApplication(
  company: TestCompany,
  clientId: string,
  options: Call = {},
): Promise<Answer> {
  return call(`${APPLICATIONS}/${clientId}`, { company, method: "DELETE", ...options });
}

export function issueKeyOf(
  company: TestCompany,
  clientId: string,
  body: object = {},
  options: Call = {},
): Promise<Answer> {
  return call(`${APPLICATIONS}/${clientId}/keys`, { company, body, ...options });
}

export function revokeKeyOf(
  company: TestCompany,
  clientId: string,
  keyId: number | string,
  options: Call = {},
): Promise<Answer> {
  return call(`${APPLICATIONS}/${clientId}/keys/${keyId}`, {
    company,
    method: "DELETE",
    ...options,
  });
}

/** Statuses of concurrent requests, in ascending order. */
export function statusesOf(answers: Answer[]): number[] {
  return answers.map(({ status }) => status).toSorted((one, other) => one - other);
}

/** The company's applications as the list shows them. */
export async function shownApplications(company: TestCompany): Promise<any[]> {
  return (await call(`${APPLICATIONS}?limit=100`, { company })).body.items;
}

/** An application's keys as the list shows them, newest first. */
export async function shownKeys(company: TestCompany, clientId: string): Promise<any[]> {
  return (await call(`${APPLICATIONS}/${clientId}/keys?limit=100`, { company })).body.items;
}
