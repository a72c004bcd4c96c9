import * as z from "zod";
import type { CompanyAccount } from "./company/account.ts";
import { LOCAL_APPROVER_KEY, LOCAL_OPERATOR_KEY, LOCAL_SECRETS_KEY } from "./lib/local-key.ts";
import { isSameSecretKey, isSecretKey } from "./lib/secret-box.ts";

export interface DeliveryMessage {
  deliveryId: string;
}

/** What is owed to a provider, or asked of it: a withdraw's payout, an operation, a recheck. */
export type PayoutMessage =
  | { companyId: number; withdrawId: number }
  | { companyId: number; operationId: number }
  | { companyId: number; recheckId: number };

/** A step of a task of the cron, by the task's name in `src/scheduled.ts`. */
export interface TaskMessage {
  task: string;
  /** When the cron's minute began, epoch milliseconds. */
  at: number;
  /** From 1. */
  step: number;
  /** What the step before handed on; null in the first. */
  state: unknown;
}

/** Bindings and variables as wrangler.toml and the deployed secrets give them. */
export interface Env {
  /** The directory, and the database of most companies; `DB_2` and on: `src/db/sharding/databases.ts`. */
  DB: D1Database;
  COMPANY_ACCOUNT: DurableObjectNamespace<CompanyAccount>;
  WEBHOOKS: Queue<DeliveryMessage>;
  PAYOUTS: Queue<PayoutMessage>;
  TASKS: Queue<TaskMessage>;
  ASSETS: Fetcher;
  /** Absent in local development, where nobody needs to be held back. */
  RATE_LIMITER?: RateLimit;
  ENVIRONMENT: string;
  SECRETS_KEY?: string;
  /** Lets the operator of the gateway in; without it nobody is. */
  OPERATOR_KEY?: string;
  /** Lets the second operator in, without whom no contradiction is decided. */
  OPERATOR_APPROVER_KEY?: string;
  ALLOW_HTTP_LOOPBACK_WEBHOOKS?: string;
  /** Where payers and PSPs reach the service; the origin of each request where it is left out. */
  PUBLIC_URL?: string;
}

/** As many as 24 random bytes in base64. */
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
        message: "must be a key of this environment's own",
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
  /** Null where nobody may come in as the operator. */
  operatorKey: string | null;
  /** Null where there is no second operator. */
  approverKey: string | null;
  allowHttpLoopbackWebhooks: boolean;
  /** Scheme, host and port; null where each request's own is meant. */
  publicUrl: string | null;
}

/** A binding of the service's own that also fetches, but is no certificate. */
const ASSETS = "ASSETS" satisfies keyof Env;

/**
 * The `mtls_certificates` binding of this name, whose fetches carry a client certificate; null where
 * the Worker has none. Their names are the operator's to choose (docs/providers.md).
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

/** The variables, parsed once per environment object. Throws where the service must not start. */
export function configOf(env: Env): Config {
  const cached = configs.get(env);
  if (cached !== undefined) return cached;
  const config = parseConfig(env);
  configs.set(env, config);
  return config;
}

export function parseConfig(env: Env): Config {
  const variables = Variables.safeParse(env);
  if (!variables.success) {
    const faults = variables.error.issues.map(
      (issue) => `${issue.path.join(".")} ${issue.message}`,
    );
    throw new Error(`Centavo refuses to start: ${faults.join("; ")}`);
  }
  const isLocal = variables.data.ENVIRONMENT === "local";
  return {
    environment: variables.data.ENVIRONMENT,
    secretsKey: variables.data.SECRETS_KEY ?? LOCAL_SECRETS_KEY,
    operatorKey: variables.data.OPERATOR_KEY ?? (isLocal ? LOCAL_OPERATOR_KEY : null),
    approverKey: variables.data.OPERATOR_APPROVER_KEY ?? (isLocal ? LOCAL_APPROVER_KEY : null),
    allowHttpLoopbackWebhooks: variables.data.ALLOW_HTTP_LOOPBACK_WEBHOOKS === "true",
    publicUrl: variables.data.PUBLIC_URL ?? null,
  };
}

/**
 * Scheme, host and port under which the service is reached from outside: what was configured, else
 * those of a request.
 */
export function publicOrigin(env: Env, requestUrl: string): string {
  return configOf(env).publicUrl ?? new URL(requestUrl).origin;
}

function isOrigin(text: string): boolean {
  const url = URL.parse(text);
  return url?.protocol === "https:" && url.origin === text;
}
