/** What wrangler asks of the platform for a deploy, beside what the deploy asks by itself. */
import { randomUUID } from "node:crypto";
import type { Answer, DeployedWorker, Share } from "./platform.ts";

interface Upload {
  bindings: DeployedWorker["bindings"];
  migrations?: { old_tag?: string; new_tag: string };
}

/** The account as wrangler sees and changes it. */
export interface WranglerAccount {
  workers: Map<string, DeployedWorker>;
  /** Takes a version of the Worker, which answers nothing yet. */
  takeVersion: (bindings: DeployedWorker["bindings"]) => string;
  /** Gives versions their shares of the requests. */
  release: (shares: Share[]) => void;
  /** Consumers that wrangler has attached, by queue. */
  consumers: Map<string, object>;
  /** Client certificates by their ids. */
  certificates: Map<string, { private_key: string }>;
  crons: string[];
}

/** The answer to one of wrangler's own requests; null if it is none. */
export function answerWrangler(
  account: WranglerAccount,
  method: string,
  path: string,
  body: unknown,
): Answer | null {
  const [, queue] = /^queues\/([^/]+)\/consumers$/.exec(path) ?? [];
  if (queue !== undefined) {
    if (method === "POST") account.consumers.set(queue, body as object);
    return ok(method === "POST" ? body : []);
  }
  if (path === "mtls_certificates" && method === "POST") {
    const id = randomUUID();
    account.certificates.set(id, body as { private_key: string });
    return ok({ id });
  }
  const [, service] = /^workers\/services\/([^/]+)$/.exec(path) ?? [];
  if (service !== undefined) return serviceOf(account, service);
  const isWorker = /^workers\/workers\/[^/]+$/.test(path);
  if (isWorker) return ok({ id: "w", subdomain: { enabled: false, previews_enabled: false } });
  const [, name = "", part = ""] = /^workers\/scripts\/([^/]+)(?:\/(.+))?$/.exec(path) ?? [];
  if (method === "PUT" && part === "") return upload(account, name, body as FormData);
  if (method === "POST" && part === "versions") return takeVersion(account, name, body as FormData);
  if (method === "POST" && part === "deployments") {
    account.release((body as { versions: Share[] }).versions);
    return ok({ id: "d" });
  }
  if (part === "script-settings") return ok({});
  if (part === "secrets") {
    const worker = account.workers.get(name);
    if (worker === undefined) return refused(404, 10_007);
    return ok([...worker.secrets.keys()].map((secret) => ({ name: secret, type: "secret_text" })));
  }
  if (part === "assets-upload-session") return ok({ jwt: "uploaded", buckets: [] });
  if (part === "subdomain") return ok({ enabled: true, previews_enabled: false });
  if (part === "schedules") {
    account.crons = (body as { cron: string }[]).map(({ cron }) => cron);
    return ok({ schedules: body });
  }
  return null;
}

function serviceOf({ workers }: WranglerAccount, name: string): Answer {
  const worker = workers.get(name);
  if (worker === undefined) return refused(404, 10_090);
  const script = {
    last_deployed_from: "wrangler",
    ...(worker.migrationTag === null ? {} : { migration_tag: worker.migrationTag }),
  };
  return ok({ default_environment: { environment: "production", script } });
}

/**
 * A whole script, as wrangler sends the first one and one with a migration of objects. Refuses what the platform refuses: a
 * Worker that throws at its start, and a migration from another state of the objects.
 */
function upload(account: WranglerAccount, name: string, form: FormData): Answer {
  const metadata = metadataOf(form);
  const { migrations } = metadata;
  const tag = account.workers.get(name)?.migrationTag ?? null;
  if (migrations !== undefined && (migrations.old_tag ?? null) !== tag) return refused(412, 10_079);
  const worker = changed(account, name, metadata);
  if (worker === null) return refused(400, 10_021);
  worker.migrationTag = migrations?.new_tag ?? tag;
  const id = account.takeVersion(worker.bindings);
  account.release([{ version_id: id, percentage: 100 }]);
  return ok({ id: name, etag: "e", startup_time_ms: 1, deployment_id: id, pipeline_hash: "p" });
}

/** A version of a script that is there. Refuses a migration of objects, which no share of the requests can have. */
function takeVersion(account: WranglerAccount, name: string, form: FormData): Answer {
  const metadata = metadataOf(form);
  if (metadata.migrations !== undefined) return refused(400, 10_211);
  const worker = changed(account, name, metadata);
  if (worker === null) return refused(400, 10_021);
  const id = account.takeVersion(worker.bindings);
  const script = { etag: "e", handlers: ["fetch"] };
  const resources = { script, bindings: worker.bindings };
  return ok({ id, startup_time_ms: 1, metadata: { has_preview: false }, resources });
}

function metadataOf(form: FormData): Upload {
  const sent = form.get("metadata");
  return JSON.parse(typeof sent === "string" ? sent : "{}") as Upload;
}

/** The Worker with what was sent; null if it would throw at its start. */
function changed(account: WranglerAccount, name: string, metadata: Upload): DeployedWorker | null {
  const worker = account.workers.get(name) ?? {
    bindings: [],
    secrets: new Map(),
    migrationTag: null,
  };
  for (const { name: secret, type, text = "" } of metadata.bindings) {
    if (type === "secret_text") worker.secrets.set(secret, text);
  }
  if (!worker.secrets.has("SECRETS_KEY")) return null;
  worker.bindings = [
    ...metadata.bindings.filter(({ type }) => type !== "secret_text" && type !== "inherit"),
    ...[...worker.secrets.keys()].map((secret) => ({ name: secret, type: "secret_text" })),
  ];
  account.workers.set(name, worker);
  return worker;
}

export function ok(result: unknown): Answer {
  return { status: 200, body: { success: true, result, errors: [], messages: [] } };
}

export function refused(status: number, code: number): Answer {
  const errors = [{ code, message: "refused" }];
  return { status, body: { success: false, result: null, errors, messages: [] } };
}
