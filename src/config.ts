import * as z from "zod";
import type { CompanyObject } from "./company/object.ts";
import { ARCHIVE_AFTER_MONTHS_MIN } from "./domain/storage/archive-files.ts";
import type { ServiceState } from "./service-state/service-state.ts";
import { LOCAL_SECRETS_KEY } from "./lib/local-key.ts";
import { missingLimiters, type RateLimiters } from "./http/rate-limits/policies.ts";
import { isSameSecretKey, parseKeyRing, type KeyRing } from "./lib/secret-box.ts";

/** What caused a message, if that is known. */
interface Traced {
  traceId?: string;
}

export interface DeliveryMessage extends Traced {
  deliveryId: string;
}

/** Wakes work at a provider: a withdraw's payout, an operation or a recheck. */
export type PayoutMessage = Traced &
  (
    | { companyId: number; withdrawId: number }
    | { companyId: number; operationId: number }
    | { companyId: number; recheckId: number }
    /** The number of a subscription with a step to do. */
    | { companyId: number; subscription: number }
  );

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
export interface Env extends RateLimiters {
  /** The directory and first shard; `src/db/sharding/databases.ts` finds `DB_2` and further shards. */
  DB: D1Database;
  COMPANY_ACCOUNT: DurableObjectNamespace<CompanyObject>;
  SERVICE_STATE: DurableObjectNamespace<ServiceState>;
  WEBHOOKS: Queue<DeliveryMessage>;
  PAYOUTS: Queue<PayoutMessage>;
  TASKS: Queue<TaskMessage>;
  ASSETS: Fetcher;
  /**
   * Keeps what D1 took, so that D1 can be written again (docs/restore.md), and what has left D1 (docs/storage.md);
   * absent: nothing is kept, and nothing leaves.
   */
  ARCHIVE?: R2Bucket;
  /** Months after which closed charges and their events leave D1 for the archive, 13 by default; 0: never. */
  ARCHIVE_AFTER_MONTHS?: string;
  ENVIRONMENT: string;
  /** Comma separated; the first seals and signs, every one opens and verifies (docs/security.md). */
  SECRETS_KEY?: string;
  /** Makes the first operator, while there is no admin; without it nobody can. */
  BOOTSTRAP_KEY?: string;
  /** The name of `BOOTSTRAP_KEY` until 2.0. */
  OPERATOR_KEY?: string;
  ALLOW_HTTP_LOOPBACK_WEBHOOKS?: string;
  /** The binding of the database for sandbox companies, such as `DB_2`; absent: the directory's. */
  SANDBOX_DATABASE?: string;
  /** Counts in the process, where no limiter is bound. */
  LOCAL_RATE_LIMITS?: string;
  /** Sends e-mails to people, from `EMAIL_FROM`; absent: their links are only shown to copy. */
  EMAIL?: SendEmail;
  EMAIL_FROM?: string;
  /** Takes e-mails on a developer's machine, where `EMAIL` is not bound: `npm start` writes them into a folder. */
  LOCAL_MAILBOX?: string;
  /** The version that answers, as the platform knows it. */
  CF_VERSION_METADATA?: WorkerVersionMetadata;
  /** The commit that was deployed; absent on this machine. */
  COMMIT?: string;
  /** The origin at which payers and PSPs reach the service; by default that of each request. */
  PUBLIC_URL?: string;
  /** Takes the figures of each minute; absent: only `/metrics` has them. */
  METRICS?: AnalyticsEngineDataset;
  /** Where alarms go: a signed webhook, a Slack-compatible one, an e-mail address (docs/operating.md). */
  ALARM_WEBHOOK_URL?: string;
  ALARM_WEBHOOK_SECRET?: string;
  ALARM_SLACK_URL?: string;
  ALARM_EMAIL?: string;
  /** The address under which `docs/runbook` can be read; alarms link to it. */
  RUNBOOK_URL?: string;
}

/** Thirteen months show a whole year with the month before it. */
const ARCHIVE_AFTER_MONTHS_DEFAULT = 13;
/** The length of 24 random bytes in base64. */
const BOOTSTRAP_KEY_MIN = 32;
const bootstrapKey = z
  .string()
  .min(BOOTSTRAP_KEY_MIN, `must be at least ${BOOTSTRAP_KEY_MIN} characters`)
  .optional();

/** Also http on this machine, for local development. */
const alarmUrl = z
  .string()
  .refine(
    (text) => text.startsWith("https:") || isPublicOrigin(URL.parse(text)?.origin ?? ""),
    "must be an https URL",
  );

const Variables = z
  .object({
    ENVIRONMENT: z.enum(["local", "sandbox", "production"]),
    SECRETS_KEY: z.string().transform(keyRing).optional(),
    BOOTSTRAP_KEY: bootstrapKey,
    OPERATOR_KEY: bootstrapKey,
    ALLOW_HTTP_LOOPBACK_WEBHOOKS: z.enum(["true", "false"]).default("false"),
    SANDBOX_DATABASE: z
      .string()
      .regex(/^DB_([2-9]|[1-9]\d+)$/, "must name a database such as DB_2")
      .optional(),
    LOCAL_RATE_LIMITS: z.enum(["true", "false"]).default("false"),
    EMAIL_FROM: z.email("must be an e-mail address").optional(),
    LOCAL_MAILBOX: z.url({ protocol: /^http$/, error: "must be an http URL" }).optional(),
    PUBLIC_URL: z
      .string()
      .refine(isPublicOrigin, "must be an https origin without a path")
      .optional(),
    ALARM_WEBHOOK_URL: alarmUrl.optional(),
    ALARM_WEBHOOK_SECRET: z
      .string()
      .regex(/^whsec_[A-Za-z0-9+/]{32,88}={0,2}$/, "must be whsec_ and 24 to 64 bytes in base64")
      .optional(),
    ALARM_SLACK_URL: alarmUrl.optional(),
    ALARM_EMAIL: z.email("must be an e-mail address").optional(),
    ARCHIVE_AFTER_MONTHS: z
      .string()
      .regex(/^\d{1,3}$/, "must be a number of months")
      .transform(Number)
      .refine(
        (months) => months === 0 || months >= ARCHIVE_AFTER_MONTHS_MIN,
        `must be 0, or at least ${ARCHIVE_AFTER_MONTHS_MIN}`,
      )
      .optional(),
    RUNBOOK_URL: z.url({ protocol: /^https$/, error: "must be an https URL" }).optional(),
  })
  .superRefine((variables, context) => {
    if (variables.ENVIRONMENT === "local") return;
    if (variables.PUBLIC_URL?.startsWith("http:") === true) {
      context.addIssue({
        code: "custom",
        path: ["PUBLIC_URL"],
        message: "must be an https origin without a path",
      });
    }
    for (const flag of ["ALLOW_HTTP_LOOPBACK_WEBHOOKS", "LOCAL_RATE_LIMITS"] as const) {
      if (variables[flag] === "false") continue;
      context.addIssue({
        code: "custom",
        path: [flag],
        message: "is for local development only",
      });
    }
    if (variables.LOCAL_MAILBOX !== undefined) {
      context.addIssue({
        code: "custom",
        path: ["LOCAL_MAILBOX"],
        message: "is for local development only",
      });
    }
    if (
      variables.SECRETS_KEY === undefined ||
      variables.SECRETS_KEY.some((key) => isSameSecretKey(key, LOCAL_SECRETS_KEY))
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
  secretsKeys: KeyRing;
  /** Null: no first operator can be made. */
  bootstrapKey: string | null;
  allowHttpLoopbackWebhooks: boolean;
  /** The binding of the database for sandbox companies; null: they share the directory's. */
  sandboxDatabase: string | null;
  localRateLimits: boolean;
  /** Scheme, host and port; null: those of each request. */
  publicUrl: string | null;
  /** The sender of the service's e-mails; null: it sends none. */
  emailFrom: string | null;
  /** Where a developer's machine takes e-mails; null elsewhere. */
  localMailbox: string | null;
  /** Months after which closed rows leave D1; 0: never. */
  archiveAfterMonths: number;
  /** Where alarms go; each null if it is not set. */
  alarms: {
    webhook: { url: string; secret: string } | null;
    slackUrl: string | null;
    email: string | null;
    /** What a target lacks, so that nothing is sent to it. */
    incomplete: string[];
    /** Where the runbook's pages are, without a slash at the end. */
    runbookUrl: string | null;
  };
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

/**
 * Parses the variables, and looks for the limiters of a deployed environment. Throws with all that is invalid or
 * missing.
 */
export function parseConfig(env: Env): Config {
  const variables = Variables.safeParse(env);
  if (!variables.success) {
    throw refusal(
      variables.error.issues.map((issue) => `${issue.path.join(".")} ${issue.message}`),
    );
  }
  const sandboxDatabase = variables.data.SANDBOX_DATABASE ?? null;
  if (sandboxDatabase !== null && !Object.hasOwn(env, sandboxDatabase)) {
    throw refusal([`SANDBOX_DATABASE ${sandboxDatabase} is not bound`]);
  }
  const missing = variables.data.ENVIRONMENT === "local" ? [] : missingLimiters(env);
  if (missing.length > 0) {
    throw refusal(missing.map((name) => `${name} must be bound in the environment's ratelimits`));
  }
  return {
    environment: variables.data.ENVIRONMENT,
    secretsKeys: variables.data.SECRETS_KEY ?? [LOCAL_SECRETS_KEY],
    bootstrapKey: variables.data.BOOTSTRAP_KEY ?? variables.data.OPERATOR_KEY ?? null,
    allowHttpLoopbackWebhooks: variables.data.ALLOW_HTTP_LOOPBACK_WEBHOOKS === "true",
    sandboxDatabase,
    localRateLimits: variables.data.LOCAL_RATE_LIMITS === "true",
    publicUrl: variables.data.PUBLIC_URL ?? null,
    emailFrom: variables.data.EMAIL_FROM ?? null,
    localMailbox: variables.data.LOCAL_MAILBOX ?? null,
    archiveAfterMonths: variables.data.ARCHIVE_AFTER_MONTHS ?? ARCHIVE_AFTER_MONTHS_DEFAULT,
    alarms: alarmTargets(variables.data),
  };
}

/** The bindings of objects and queues that the Worker lacks, by which nothing works that needs them. */
export function missingBindings({
  COMPANY_ACCOUNT,
  SERVICE_STATE,
  WEBHOOKS,
  PAYOUTS,
  TASKS,
}: Env): string[] {
  const bound: Record<string, unknown> = {
    COMPANY_ACCOUNT,
    SERVICE_STATE,
    WEBHOOKS,
    PAYOUTS,
    TASKS,
  };
  return Object.entries(bound).flatMap(([name, value]) => (value === undefined ? [name] : []));
}

/** A target that lacks a variable has nothing sent to it: a start is refused for none, in whatever order they are set. */
function alarmTargets({
  ALARM_WEBHOOK_URL: url,
  ALARM_WEBHOOK_SECRET: secret,
  ALARM_SLACK_URL: slackUrl,
  ALARM_EMAIL: email,
  EMAIL_FROM: emailFrom,
  RUNBOOK_URL: runbookUrl,
}: z.output<typeof Variables>): Config["alarms"] {
  const hasWebhook = url !== undefined && secret !== undefined;
  const hasEmail = email !== undefined && emailFrom !== undefined;
  return {
    webhook: hasWebhook ? { url, secret } : null,
    slackUrl: slackUrl ?? null,
    email: hasEmail ? email : null,
    incomplete: [
      ...(hasWebhook || (url ?? secret) === undefined
        ? []
        : ["ALARM_WEBHOOK_URL and ALARM_WEBHOOK_SECRET belong together."]),
      ...(hasEmail || email === undefined ? [] : ["ALARM_EMAIL needs EMAIL_FROM."]),
    ],
    runbookUrl: runbookUrl?.replace(/\/+$/, "") ?? null,
  };
}

/**
 * The service's public scheme, host and port: the configured ones or, by default, the request's. A service on this
 * machine has several names, of which a browser keeps to the one that it used.
 */
export function publicOrigin(env: Env, requestUrl: string): string {
  const { publicUrl } = configOf(env);
  const isConfigured = publicUrl !== null && new URL(publicUrl).protocol === "https:";
  return isConfigured ? publicUrl : new URL(requestUrl).origin;
}

/** What a company's views say of the service: see `Issuer`. */
export function issuerOf(env: Env, { providerCompanyId }: { providerCompanyId: string }) {
  return { providerCompanyId, publicUrl: configOf(env).publicUrl };
}

function refusal(reasons: string[]): Error {
  return new Error(`Centavo refuses to start: ${reasons.join("; ")}`);
}

function keyRing(text: string, context: z.RefinementCtx): KeyRing {
  const ring = parseKeyRing(text);
  if (ring !== null) return ring;
  context.addIssue({
    code: "custom",
    message: "must be 32 bytes in base64, or up to 4 such keys, all different, separated by commas",
  });
  return z.NEVER;
}

/** An https origin; http only of this machine, as `npm start` sets it. */
function isPublicOrigin(text: string): boolean {
  const url = URL.parse(text);
  const isAllowed =
    url?.protocol === "https:" || (url?.protocol === "http:" && url.hostname === "localhost");
  return isAllowed && url.origin === text;
}
