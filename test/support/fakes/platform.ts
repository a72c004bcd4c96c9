/** Cloudflare's API on loopback, as far as a deploy asks it, with the Worker that it deploys. */
import { createHash, randomUUID } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { answerWrangler, ok, refused } from "./wrangler-api.ts";
import type { LifecycleRule } from "../../../tools/lib/deploy/platform.ts";
import { ROOT } from "../../../tools/lib/root.ts";

const ACCOUNT = "0123456789abcdef0123456789abcdef";
const HOSTS = ".workers.dev";
const MIGRATIONS = join(ROOT, "migrations");

/** The platform gives it to each new bucket. */
export const MULTIPART_RULE: LifecycleRule = {
  id: "Default Multipart Abort Rule",
  enabled: true,
  conditions: { prefix: "" },
  abortMultipartUploadsTransition: { condition: { type: "Age", maxAge: 604_800 } },
};

export interface Answer {
  status: number;
  body: unknown;
}

export interface DeployedWorker {
  bindings: { name: string; type: string; text?: string; bucket_name?: string }[];
  /** What the platform never tells. */
  secrets: Map<string, string>;
  /** The newest migration of its objects. */
  migrationTag: string | null;
}

/** A version's share of the requests, in per cent. */
export interface Share {
  version_id: string;
  percentage: number;
}

/** Where a call fails: before anything is done, or when only the answer is lost. */
export interface Failure {
  call: number;
  when: "before" | "after";
}

/** An account of the platform, empty at first. */
export class FakePlatform {
  readonly databases = new Map<string, { uuid: string; sqlite: DatabaseSync }>();
  readonly queues: string[] = [];
  readonly workers = new Map<string, DeployedWorker>();
  readonly versions: { id: string; bindings: DeployedWorker["bindings"] }[] = [];
  readonly deployments: { created_on: string; versions: Share[] }[] = [];
  /** Buckets of R2 with their lifecycle rules. */
  readonly buckets = new Map<string, LifecycleRule[]>();
  /** Client certificates by their ids, as they were sent. */
  readonly certificates = new Map<string, { private_key: string }>();
  /** Why R2 refuses each call; null: it does not. */
  r2Refusal: { status: number; code: number } | null = null;
  /** Calls of the platform's API that this fake does not know. */
  readonly unknown: string[] = [];
  /** What wrangler has attached to the queues. */
  readonly consumers = new Map<string, object>();
  crons: string[] = [];
  readonly companies = new Map<string, { id: number; clientId: string }>();
  subdomain: string | null = null;
  readonly accounts = [{ id: ACCOUNT, name: "Test" }];
  /** Null: these credentials may not read them. */
  plans: unknown[] | null = [{ rate_plan: { id: "workers_paid" } }];
  /** Calls of the platform's API, of the service and of wrangler, in order. */
  calls: string[] = [];
  failure: Failure | null = null;
  readonly #server: Server = createServer((request, response) => {
    void this.#answer(request, response);
  });

  /** Starts it and answers its address. */
  async start(): Promise<string> {
    await new Promise<void>((listening) => this.#server.listen(0, "127.0.0.1", listening));
    const address = this.#server.address();
    if (address === null || typeof address === "string") throw new Error("no port");
    return `http://127.0.0.1:${address.port}`;
  }

  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
    for (const { sqlite } of this.databases.values()) sqlite.close();
  }

  /** What wrangler would do by the same API. */
  wrangler = async (args: string[]): Promise<string> => {
    const { error, done } = this.#counted(`wrangler ${args.slice(0, 3).join(" ")}`, () =>
      this.#run(args),
    );
    if (error) throw new Error("wrangler failed");
    return done ?? "";
  };

  /** Counts a call, and fails it where the test wants. */
  #counted<Done>(name: string, run: () => Done): { error: boolean; done: Done | null } {
    this.calls.push(name);
    const isFailing = this.failure?.call === this.calls.length;
    if (isFailing && this.failure?.when === "before") return { error: true, done: null };
    const done = run();
    return { error: isFailing, done };
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const answer = await this.#receive(request);
    if (answer === null) {
      response.destroy();
      return;
    }
    response.writeHead(answer.status, { "Content-Type": "application/json" });
    response.end(JSON.stringify(answer.body));
  }

  async #receive(request: IncomingMessage): Promise<Answer | null> {
    const bytes = await bodyOf(request);
    const type = request.headers["content-type"] ?? "";
    const sent = type.startsWith("multipart/")
      ? await new Response(new Uint8Array(bytes), { headers: { "Content-Type": type } }).formData()
      : bytes.length === 0 || !type.includes("json")
        ? {}
        : JSON.parse(bytes.toString("utf8"));
    const url = new URL(request.url ?? "/", "http://fake");
    const host = String(request.headers["x-host"] ?? "");
    const { error, done } = this.#counted(`${request.method} ${host}${url.pathname}`, () => {
      const isService = host !== "" || !url.pathname.startsWith("/accounts");
      return isService
        ? this.#service(host, request, url)
        : this.#api(request.method ?? "", url, sent);
    });
    return error ? null : done;
  }

  #run(args: string[]): string {
    const [first, second, third, binding = ""] = args;
    if (first === "auth") return '{ "type": "oauth", "token": "t" }';
    if (first === "rollback") {
      this.#release([{ version_id: second!, percentage: 100 }]);
      return "";
    }
    const config = JSON.parse(
      readFileSync(args[args.indexOf("--config") + 1]!, "utf8").replace(/^\/\/.*\n/, ""),
    );
    if (first === "d1" && third === "apply") {
      const { database_id: id } = config.d1_databases.find(
        (one: { binding: string }) => one.binding === binding,
      );
      migrate(this.#database(id));
    } else if (first === "deploy") {
      const version = this.#upload(config, args);
      this.#release([{ version_id: version, percentage: 100 }]);
    } else if (first === "versions" && second === "upload") {
      return `Worker Version ID: ${this.#upload(config, args)}`;
    } else if (first === "versions" && second === "deploy") {
      const split = args.filter((one) => one.endsWith("%")).map((one) => one.split("@"));
      this.#release(
        split.map(([id, share]) => ({ version_id: id!, percentage: Number.parseInt(share!, 10) })),
      );
    }
    return "";
  }

  #upload(
    config: {
      name: string;
      vars: Record<string, string>;
      queues: { producers: { queue: string }[] };
      r2_buckets: { binding: string; bucket_name: string }[];
    },
    args: string[],
  ): string {
    for (const { queue } of config.queues.producers) {
      if (!this.queues.includes(queue)) throw new Error(`no queue ${queue}`);
    }
    const worker = this.workers.get(config.name) ?? {
      bindings: [],
      secrets: new Map(),
      migrationTag: null,
    };
    const at = args.indexOf("--secrets-file");
    const added = at === -1 ? {} : JSON.parse(readFileSync(args[at + 1]!, "utf8"));
    for (const [name, value] of Object.entries(added)) worker.secrets.set(name, String(value));
    if (!worker.secrets.has("SECRETS_KEY")) throw new Error("Centavo refuses to start");
    worker.bindings = [
      ...Object.entries(config.vars).map(([name, text]) => ({ name, type: "plain_text", text })),
      ...config.r2_buckets.map(({ binding: name, bucket_name }) => {
        if (!this.buckets.has(bucket_name)) throw new Error(`no bucket ${bucket_name}`);
        return { name, type: "r2_bucket", bucket_name };
      }),
      ...[...worker.secrets.keys()].map((name) => ({ name, type: "secret_text" })),
    ];
    this.workers.set(config.name, worker);
    const id = randomUUID();
    this.versions.push({ id, bindings: worker.bindings });
    return id;
  }

  #release(versions: Share[]): void {
    this.deployments.unshift({ created_on: new Date().toISOString(), versions });
  }

  #api(method: string, url: URL, body: Record<string, never>): Answer {
    if (url.pathname === "/accounts") return ok(this.accounts);
    const path = url.pathname.replace(`/accounts/${ACCOUNT}/`, "");
    const [, worker = "", part, version] =
      /^workers\/scripts\/([^/]+)\/(settings|deployments|versions)(?:\/(.+))?$/.exec(path) ?? [];
    const found = this.workers.get(worker);
    const [, databaseId] = /^d1\/database\/([^/]+)\/query$/.exec(path) ?? [];
    if (path === "subscriptions")
      return this.plans === null ? refused(403, 10_000) : ok(this.plans);
    if (path === "workers/subdomain") return this.#subdomain(method, body);
    if (path === "d1/database") return this.#databases(method, body);
    if (path === "queues") return this.#queues(method, body, url.searchParams.getAll("name"));
    if (databaseId !== undefined) return this.#query(databaseId, body);
    const [, bucket = "", lifecycle] = /^r2\/buckets(?:\/([^/]+)(\/lifecycle)?)?$/.exec(path) ?? [];
    if (path.startsWith("r2/")) return this.#r2(method, { bucket, lifecycle }, body);
    const takeVersion = (bindings: DeployedWorker["bindings"]) => {
      const id = randomUUID();
      this.versions.push({ id, bindings });
      return id;
    };
    const { workers, consumers, certificates } = this;
    const release = (shares: Share[]) => this.#release(shares);
    const account = { workers, consumers, certificates, crons: this.crons, takeVersion, release };
    const answered = answerWrangler(account, method, path, body);
    this.crons = account.crons;
    if (answered !== null) return answered;
    if (part !== undefined && found === undefined) return refused(404, 10_007);
    if (part === "settings") return ok({ bindings: found?.bindings });
    if (part === "deployments") return ok({ deployments: this.deployments });
    const known = this.versions.find(({ id }) => id === version);
    if (known !== undefined) return ok(versionView(known));
    if (part === "versions" && version === undefined) {
      return ok({ items: this.versions.toReversed().map(versionView) });
    }
    this.unknown.push(`${method} ${path}`);
    return refused(404, 7003);
  }

  #r2(
    method: string,
    { bucket, lifecycle }: { bucket: string; lifecycle: string | undefined },
    body: { name?: string; rules?: LifecycleRule[] },
  ): Answer {
    if (this.r2Refusal !== null) return refused(this.r2Refusal.status, this.r2Refusal.code);
    if (method === "POST" && bucket === "") {
      if (this.buckets.has(body.name!)) return refused(409, 10_004);
      this.buckets.set(body.name!, [MULTIPART_RULE]);
      return ok({ name: body.name });
    }
    const rules = this.buckets.get(bucket);
    if (rules === undefined) return refused(404, 10_006);
    if (lifecycle === undefined) return ok({ name: bucket });
    if (method === "PUT") this.buckets.set(bucket, body.rules ?? []);
    return ok({ rules: this.buckets.get(bucket) });
  }

  /** Runs one statement with its values, or a script. */
  #query(databaseId: string, body: { sql?: string; params?: (string | number)[] }): Answer {
    const { sql = "", params = [] } = body;
    const database = this.#database(databaseId);
    const isScript = params.length === 0 && !/^\s*(SELECT|PRAGMA)/i.test(sql);
    if (isScript) database.exec(sql);
    const results = isScript ? [] : database.prepare(sql).all(...params);
    return ok([{ results, success: true, meta: { duration: 0 } }]);
  }

  #subdomain(method: string, body: { subdomain?: string }): Answer {
    if (method === "PUT") this.subdomain = body.subdomain ?? null;
    return this.subdomain === null ? refused(404, 10_007) : ok({ subdomain: this.subdomain });
  }

  #databases(method: string, { name }: { name?: string }): Answer {
    if (method === "POST") {
      if (this.databases.has(name!)) return refused(400, 7502);
      this.databases.set(name!, { uuid: randomUUID(), sqlite: new DatabaseSync(":memory:") });
      return ok({ uuid: this.databases.get(name!)!.uuid });
    }
    return ok([...this.databases].map(([each, { uuid }]) => ({ name: each, uuid })));
  }

  #queues(
    method: string,
    { queue_name: added }: { queue_name?: string },
    names: readonly string[],
  ): Answer {
    if (method === "POST") {
      if (this.queues.includes(added!)) return refused(409, 11_009);
      this.queues.push(added!);
    }
    const found = this.queues.filter((each) => names.length === 0 || names.includes(each));
    return ok(
      found.map((name) => ({ queue_name: name, queue_id: name, producers: [], consumers: [] })),
    );
  }

  #database(uuid: string): DatabaseSync {
    const found = [...this.databases.values()].find((one) => one.uuid === uuid);
    if (found === undefined) throw new Error(`no database ${uuid}`);
    return found.sqlite;
  }

  /** The deployed Worker: what a deploy asks it, with its operators' real keys. */
  #service(host: string, request: IncomingMessage, { pathname }: URL): Answer {
    const name = host.endsWith(HOSTS) ? host.split(".")[0]! : "centavo";
    const worker = this.workers.get(name);
    if (worker === undefined) return { status: 404, body: {} };
    const variable = (wanted: string) => worker.bindings.find((one) => one.name === wanted)?.text;
    if (pathname === "/health") {
      return { status: 200, body: { status: "ok", version: "0.1.0", commit: variable("COMMIT") } };
    }
    if (pathname.startsWith("/api/v1/operator/")) {
      if (!this.#isOperator(name, request)) return { status: 401, body: {} };
      if (pathname.endsWith("/sign-in-link")) {
        return { status: 201, body: { data: { url: "https://set-up", expiresAt: "tomorrow" } } };
      }
      if (pathname.endsWith("/alarms/test")) {
        const targets = [{ name: "slack", sent: true, error: null }];
        return { status: 200, body: { data: { targets, incomplete: [] } } };
      }
      // Production makes sandbox companies in a database of their own only.
      const isRefused =
        variable("ENVIRONMENT") === "production" && variable("SANDBOX_DATABASE") === undefined;
      if (isRefused) return { status: 409, body: {} };
      return { status: 201, body: this.#company(request, pathname) };
    }
    if (pathname.endsWith("/create")) return { status: 200, body: { data: { id: "tx" } } };
    if (pathname.endsWith("/pay")) return { status: 200, body: {} };
    if (pathname.endsWith("/test")) {
      return { status: 201, body: { deliveries: [{ tries: [{ httpStatus: 401 }] }] } };
    }
    return { status: 200, body: { data: { status: "PAID" } } };
  }

  #company(request: IncomingMessage, pathname: string): object {
    if (pathname.endsWith("/keys")) return { key: "sk_test_next" };
    const name = String(request.headers["idempotency-key"]);
    const isNew = !this.companies.has(name);
    const company = this.companies.get(name) ?? { id: this.companies.size + 1, clientId: "app" };
    this.companies.set(name, company);
    const key = isNew ? "sk_test_first" : null;
    return { data: { id: company.id, application: company, key } };
  }

  #isOperator(worker: string, request: IncomingMessage): boolean {
    const digest = createHash("sha256").update(String(request.headers["x-api-key"])).digest("hex");
    const row = this.databases
      .get(worker)
      ?.sqlite.prepare("SELECT 1 AS found FROM operator_keys WHERE client_id = ? AND key_hash = ?")
      .get(String(request.headers["x-client-id"]), digest);
    return row !== undefined;
  }
}

function versionView({ id, bindings }: FakePlatform["versions"][number]) {
  const created_on = new Date().toISOString();
  return {
    id,
    metadata: { created_on, author_email: "a@example.com" },
    resources: { bindings, script: { etag: "e" }, script_runtime: {} },
  };
}

/** `fetch` that reaches the fake's Worker under its public address. */
export function fetchThrough(base: string, host = "centavo.example"): typeof fetch {
  const real = globalThis.fetch;
  return (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input);
    if (url.hostname !== host && !url.hostname.endsWith(HOSTS)) return real(input, init);
    const headers = { ...(init?.headers as Record<string, string>), "X-Host": url.hostname };
    return real(`${base}${url.pathname}`, { ...init, headers });
  };
}

/** A database with all migrations, copied into each account: applying them takes seventy times as long. */
let migrated: Uint8Array<ArrayBuffer> | undefined;

function migrate(sqlite: DatabaseSync): void {
  const isEmpty = sqlite.prepare("SELECT 1 FROM sqlite_schema").get() === undefined;
  if (isEmpty) sqlite.deserialize((migrated ??= migratedDatabase()));
}

function migratedDatabase(): Uint8Array<ArrayBuffer> {
  const sqlite = new DatabaseSync(":memory:");
  const files = readdirSync(MIGRATIONS).filter((name) => name.endsWith(".sql"));
  for (const name of files.toSorted()) sqlite.exec(readFileSync(join(MIGRATIONS, name), "utf8"));
  return sqlite.serialize();
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
