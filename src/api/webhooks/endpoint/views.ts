import { isoTime } from "../../../domain/shared/clock.ts";
import type { WebhookHostRow } from "../../../webhooks/delivery/host-circuit-repository.ts";

/** The endpoint as the API shows it; `failingHosts` is absent while no host fails. */
export function endpointView(webhookUrl: string, hosts: WebhookHostRow[]) {
  if (hosts.length === 0) return { url: webhookUrl };
  return {
    url: webhookUrl,
    failingHosts: hosts.map((row) => ({
      host: row.host,
      failingSince: isoTime(row.failingSince),
      lastFailureAt: isoTime(row.lastFailureAt),
      lastFailure: row.lastFailure,
      offSince: row.openedAt === null ? null : isoTime(row.openedAt),
    })),
  };
}
