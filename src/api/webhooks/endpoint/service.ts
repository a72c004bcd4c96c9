import type { Env } from "../../../config.ts";
import { setWebhookUrl } from "../../../db/companies/companies.ts";
import { webhookHost } from "../../../domain/events/webhook-target.ts";
import type { Company } from "../../../domain/shared/company.ts";
import type { CompanyDependencies } from "../../../http/context.ts";
import {
  closeCircuit,
  listFailingHosts,
} from "../../../webhooks/delivery/host-circuit-repository.ts";
import { updateCredentials } from "../../settings/update-credentials.ts";
import { endpointView } from "./views.ts";

type Deps = Pick<CompanyDependencies, "clock">;

/** A company's webhook URL, with the hosts that fail. */
export async function showEndpoint(env: Env, { clock }: Deps, { id, webhookUrl }: Company) {
  return endpointView(webhookUrl, await listFailingHosts(env, id, clock.now()));
}

/** Sets a company's webhook URL, "" for none, and switches its host on again. */
export async function setEndpoint(env: Env, { clock }: Deps, { id }: Company, url: string) {
  await updateCredentials(env, id, () => setWebhookUrl(env, id, url));
  if (url !== "") await closeCircuit(env, id, webhookHost(url));
  return endpointView(url, await listFailingHosts(env, id, clock.now()));
}
