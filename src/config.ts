import * as z from "zod";
import type { CompanyAccount } from "./company/account.ts";
import { LOCAL_APPROVER_KEY, LOCAL_OPERATOR_KEY, LOCAL_SECRETS_KEY } from "./lib/local-key.ts";
import { isSameSecretKey, isSecretKey } from "./lib/secret-box.ts";

export interface DeliveryMessage {
  deliveryId: string;
}

/** Wakes work at a provider: a withdraw's payout, an operation or a recheck. */
export type PayoutMessage =
  | { companyId: number; withdrawId: number }
  | { companyId: number; operationId: number }
  | { companyId: number; recheckId: number };

/** A step of a cron task. */
export interface TaskMessage {
  /** The task's name in `src/scheduled.ts`. */
  task: string;
  /** Start of the cron's minute, epoch milliseconds. */
  at: number;
  /** From 1. */
  step: number;
  /** The state that the previous step passed on; null in the first. */
  state: unknown;
}

/** Bindings and variables from wrangler.toml and the deployed secrets. */
export interface Env {
  /** The directory and first shard; `src/db/sharding/databases.ts` finds `DB_2` and further shards. */
  DB: D1Database;
  COMPANY_ACCOUNT: DurableObjectNamespace<CompanyAccount>;
  WEBHOOKS: Queue<DeliveryMessage>;
  PAYOUTS: Queue<PayoutMessage>;
  TASKS: Queue<TaskMessage>;
  ASSETS: Fetcher;
  /** Absent in local development, which has no rate limit. */
  RATE_LIMITER?: RateLimit;
  ENVIRONMENT: string;
  SECRETS_KEY?: string;
  /** The operator's key; without it the operator has no access. */
  OPERATOR_KEY?: string;
  /** The second operator's key; without it no contradiction can be decided. */
  OPERATOR_APPROVER_KEY?: string;
  ALLOW_HTTP_LOOPBACK_WEBHOOKS?: string;
  /** The binding of the database for sandbox companies, such as `DB_2`; absent: the directory's. */
  SANDBOX_DATABASE?: string;
  /** The origin at which payers and PSPs reach the service; by default that of each request. */
  PUBLIC_URL?: string;
}

/** The length of 24 random bytes in base64. */
const OPERATOR_KEY_MIN = 32;

const operatorKey = z
  .string()
  .min(OPERATOR_KEY_MIN, `must be at least ${OPERATOR_KEY_MIN} characters`)
  .optional();
const LOCAL_KEYS: ReadonlySet<unknown> = new Set([LOCAL_OPERATOR_KEY, LOCAL_APPROVER_KEY]);

const Variables = z
  .object({
    ENVIRONMENT: z.enum(["local", "sandbox", "production"]),
    SECRETS_KEY: z.string().refine(isSecretKey, "must be 32 bytes in base64").optional(),
    OPERATOR_KEY: operatorKey,
    OPERATOR_APPROVER_KEY: operatorKey,
    ALLOW_HTTP_LOOPBACK_WEBHOOKS: z.enum(["true", "false"]).default("false"),
    SANDBOX_DATABASE: z
      .string()
      .regex(/^DB_([2-9]|[1-9]\d+)$/, "must name a database such as DB_2")
      .optional(),
    PUBLIC_URL: z.string().refine(isOrigin, "must be an https origin without a path").optional(),
  })
  .superRefine((variables, context) => {
    const { OPERATOR_KEY: first, OPERATOR_APPROVER_KEY: second } = variables;
    if (second !== undefined && second === (first ?? LOCAL_OPERATOR_KEY)) {
      context.addIssue({
        code: "custom",
        path: ["OPERATOR_APPROVER_KEY"],
        message: "must be another key than OPERATOR_KEY",
      });
    }
    if (variables.ENVIRONMENT === "local") return;
    if (variables.ALLOW_HTTP_LOOPBACK_WEBHOOKS === "true") {
      context.addIssue({
        code: "custom",
        path: ["ALLOW_HTTP_LOOPBACK_WEBHOOKS"],
        message: "is for local development only",
      });
    }
    for (const name of ["OPERATOR_KEY", "OPERATOR_APPROVER_KEY"] as const) {
      if (!LOCAL_KEYS.has(variables[name])) continue;
      context.addIssue({
        code: "custom",
        path: [name],
        message: "must be a key of this environment, not the local one",
      });
    }
    if (
      variables.SECRETS_KEY === undefined ||
      isSameSecretKey(variables.SECRETS_KEY, LOCAL_SECRETS_KEY)
    ) {
      context.addIssue({
        code: "custom",
        path: ["SECRETS_KEY"],
        message: "must be set as a secret of this environment",
      });
    }
  });

export interface Config {
  environment: "local" | "sandbox" | "production";
  secretsKey: string;
  /** Null: the operator has no access. */
  operatorKey: string | null;
  /** Null: there is no second operator. */
  approverKey: string | null;
  allowHttpLoopbackWebhooks: boolean;
  /** The binding of the database for sandbox companies; null: they share the directory's. */
  sandboxDatabase: string | null;
  /** Scheme, host and port; null: those of each request. */
  publicUrl: string | null;
}

/** This binding has `fetch` too, but is no certificate. */
const ASSETS = "ASSETS" satisfies keyof Env;

/**
 * The `mtls_certificates` binding of a name, whose fetches carry a client certificate; null if there is none.
 * Operators choose the names (docs/providers.md).
 */
export function certificateOf(env: Env, name: string): Pick<Fetcher, "fetch"> | null {
  const binding: unknown =
    name === ASSETS ? null : Object.entries(env).find(([key]) => key === name)?.[1];
  const fetches =
    typeof binding === "object" &&
    binding !== null &&
    "fetch" in binding &&
    typeof binding.fetch === "function";
  return fetches ? (binding as Fetcher) : null;
}

const configs = new WeakMap<Env, Config>();

/** The variables, parsed once per environment object. Throws if one is invalid. */
export function configOf(env: Env): Config {
  const cached = configs.get(env);
  if (cached !== undefined) return cached;
  const config = parseConfig(env);
  configs.set(env, config);
  return config;
}

/** Parses the variables. Throws with all invalid ones. */
export function parseConfig(env: Env): Config {
  const variables = Variables.safeParse(env);
  if (!variables.success) {
    const errors = variables.error.issues.map(
      (issue) => `${issue.path.join(".")} ${issue.message}`,
    );
    throw new Error(`Centavo refuses to start: ${errors.join("; ")}`);
  }
  const sandboxDatabase = variables.data.SANDBOX_DATABASE ?? null;
  if (sandboxDatabase !== null && !Object.hasOwn(env, sandboxDatabase)) {
    throw new Error(`Centavo refuses to start: SANDBOX_DATABASE ${sandboxDatabase} is not bound`);
  }
  const isLocal = variables.data.ENVIRONMENT === "local";
  return {
    environment: variables.data.ENVIRONMENT,
    secretsKey: variables.data.SECRETS_KEY ?? LOCAL_SECRETS_KEY,
    operatorKey: variables.data.OPERATOR_KEY ?? (isLocal ? LOCAL_OPERATOR_KEY : null),
    approverKey: variables.data.OPERATOR_APPROVER_KEY ?? (isLocal ? LOCAL_APPROVER_KEY : null),
    allowHttpLoopbackWebhooks: variables.data.ALLOW_HTTP_LOOPBACK_WEBHOOKS === "true",
    sandboxDatabase,
    publicUrl: variables.data.PUBLIC_URL ?? null,
  };
}

/** The service's public scheme, host and port: the configured ones or, by default, the request's. */
export function publicOrigin(env: Env, requestUrl: string): string {
  return configOf(env).publicUrl ?? new URL(requestUrl).origin;
}

function isOrigin(text: string): boolean {
  const url = URL.parse(text);
  return url?.protocol === "https:" && url.origin === text;
}
