/** What wrangler asks of the platform for a deploy, beside what the deploy asks by itself. */
import type { Answer, DeployedWorker } from "./platform.ts";

interface Upload {
  main_module: string;
  bindings: { name: string; type: string; text?: string; queue_name?: string }[];
  keep_bindings?: string[];
}

/** The account as wrangler sees and changes it. */
export interface WranglerAccount {
  workers: Map<string, DeployedWorker>;
  /** Takes a version of the Worker and gives it all requests. */
  release: (worker: string, bindings: DeployedWorker["bindings"]) => string;
  /** Consumers that wrangler has attached, by queue. */
  consumers: Map<string, object>;
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
  const [, service] = /^workers\/services\/([^/]+)$/.exec(path) ?? [];
  if (service !== undefined) return serviceOf(account, service);
  const isWorker = /^workers\/workers\/[^/]+$/.test(path);
  if (isWorker) return ok({ id: "w", subdomain: { enabled: false, previews_enabled: false } });
  const [, name = "", part = ""] = /^workers\/scripts\/([^/]+)(?:\/(.+))?$/.exec(path) ?? [];
  if (method === "PUT" && part === "") return upload(account, name, body as FormData);
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
  if (!workers.has(name)) return refused(404, 10_090);
  return ok({
    default_environment: { environment: "production", script: { last_deployed_from: "wrangler" } },
  });
}

/** Refuses what the platform refuses: a Worker that throws at its start. */
function upload(account: WranglerAccount, name: string, form: FormData): Answer {
  const sent = form.get("metadata");
  const metadata = JSON.parse(typeof sent === "string" ? sent : "{}") as Upload;
  const worker = account.workers.get(name) ?? { bindings: [], secrets: new Map() };
  for (const { name: secret, type, text = "" } of metadata.bindings) {
    if (type === "secret_text") worker.secrets.set(secret, text);
  }
  if (!worker.secrets.has("SECRETS_KEY")) return refused(400, 10_021);
  worker.bindings = [
    ...metadata.bindings.filter(({ type }) => type !== "secret_text"),
    ...[...worker.secrets.keys()].map((secret) => ({ name: secret, type: "secret_text" })),
  ];
  account.workers.set(name, worker);
  const id = account.release(name, worker.bindings);
  return ok({ id: name, etag: "e", startup_time_ms: 1, deployment_id: id, pipeline_hash: "p" });
}

export function ok(result: unknown): Answer {
  return { status: 200, body: { success: true, result, errors: [], messages: [] } };
}

export function refused(status: number, code: number): Answer {
  const errors = [{ code, message: "refused" }];
  return { status, body: { success: false, result: null, errors, messages: [] } };
}
