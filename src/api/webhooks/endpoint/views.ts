import { isoTime } from "../../../domain/shared/clock.ts";
import type { WebhookHostRow } from "../../../webhooks/delivery/host-circuit-repository.ts";

/** The endpoint as the API shows it; `failingHosts` is absent while no host fails. */
export function endpointView(webhookUrl: string, hosts: WebhookHostRow[]) {
  if (hosts.length === 0) return { url: webhookUrl };
  return { url: webhookUrl, failingHosts: hosts.map(failingHostView) };
}

/** A host at which the company's webhooks fail. */
export function failingHostView(row: WebhookHostRow) {
  return {
    host: row.host,
    failingSince: isoTime(row.failingSince),
    lastFailureAt: isoTime(row.lastFailureAt),
    lastFailure: row.lastFailure,
    offSince: row.openedAt === null ? null : isoTime(row.openedAt),
  };
}

/** A URL for the audit trail: its query may hold a secret. */
export function withoutQuery(url: string): string {
  return url.split("?")[0] ?? "";
}
