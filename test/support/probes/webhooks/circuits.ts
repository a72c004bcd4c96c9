import { vi } from "vitest";
import { call, type Answer } from "../../builders/requests/api.ts";
import type { TestCompany } from "../../builders/companies/company.ts";
import { deliveriesOf } from "./webhook-rows.ts";

/** `GET /api/v1/webhooks/endpoint`. */
export function endpointOf(company: TestCompany): Promise<Answer> {
  return call("/api/v1/webhooks/endpoint", { company });
}

/** The hosts whose circuit is open for a company. */
export async function openCircuitsOf(company: TestCompany): Promise<string[]> {
  const hosts: { host: string; offSince: string | null }[] =
    (await endpointOf(company)).body.failingHosts ?? [];
  return hosts.filter((each) => each.offSince !== null).map((each) => each.host);
}

export async function statusOf(company: TestCompany, number: number): Promise<string | undefined> {
  const rows = await deliveriesOf(company);
  return rows.find((each) => each.companySequence === number)?.status;
}

/** Captures the log; returns the hosts of its opened circuits. */
export function captureOpenedCircuits(): () => string[] {
  const warnings = vi.spyOn(console, "warn").mockImplementation(() => undefined);
  return () =>
    warnings.mock.calls
      .map(([line]) => JSON.parse(line as string))
      .filter(({ event }) => event === "webhook_circuit_opened")
      .map(({ host }) => host);
}
