/** The configuration of a deployed environment, made of `wrangler.toml`, whose top level is production's. */
import { writeFileSync } from "node:fs";
import { experimental_readRawConfig, type Unstable_RawConfig } from "wrangler";
import type { Bucket } from "./platform.ts";
import { configFile, environmentFile } from "../wrangler-config.ts";

export const ENVIRONMENTS = ["production", "sandbox"] as const;
export type Environment = (typeof ENVIRONMENTS)[number];

/** What wrangler reads, as far as a deploy looks into it. */
export interface EnvironmentConfig {
  name: string;
  /** Found out by the deploy. */
  account_id?: string;
  workers_dev: boolean;
  vars: Record<string, string>;
  routes?: { pattern: string; custom_domain?: boolean }[];
  d1_databases: D1Binding[];
  r2_buckets: ({ binding: string } & Bucket)[];
  queues: {
    producers: { binding: string; queue: string }[];
    consumers: { queue: string; dead_letter_queue?: string }[];
  };
  ratelimits: { name: string; namespace_id: string; simple: { limit: number; period: number } }[];
}

interface D1Binding {
  binding: string;
  database_name: string;
  database_id?: string;
  migrations_dir?: string;
  migrations_table?: string;
}

/** A rate limit's counter belongs to the whole account: each environment has its own. */
const SANDBOX_COUNTERS = 1_000;

/**
 * An environment's configuration, without ids, address and version. `[env.<environment>]` is merged into the top
 * level: tables are merged, lists are added to, and what has a binding replaces what had it. The sandbox's Worker,
 * databases, buckets, queues and counters have names of their own. Throws if a queue has no producer, since no deploy would make it.
 */
export function environmentConfig(
  environment: Environment,
  path = configFile(),
): EnvironmentConfig {
  const { env = {}, ...shared } = experimental_readRawConfig({ config: path })
    .rawConfig as Unstable_RawConfig & { env?: Record<string, object> };
  const base = shared as unknown as EnvironmentConfig;
  const named = environment === "production" ? base : sandboxOf(base);
  const config = merged(named, env[environment] ?? {}) as EnvironmentConfig;
  const produced = new Set(config.queues.producers.map(({ queue }) => queue));
  for (const { queue } of config.queues.consumers) {
    if (!produced.has(queue)) throw new Error(`${path}: the queue ${queue} has no producer.`);
  }
  return config;
}

/** Writes a configuration for wrangler and answers its path. */
export function writeEnvironment(environment: string, config: object): string {
  const file = environmentFile(environment);
  const note = "// Made by `npm run deploy` from wrangler.toml: change that, never this.\n";
  writeFileSync(file, `${note}${JSON.stringify(config, null, 2)}\n`);
  return file;
}

function sandboxOf(base: EnvironmentConfig): EnvironmentConfig {
  const own = (name: string) =>
    name === base.name || name.startsWith(`${base.name}-`)
      ? `${base.name}-sandbox${name.slice(base.name.length)}`
      : `sandbox-${name}`;
  return {
    ...base,
    name: own(base.name),
    vars: { ...base.vars, ENVIRONMENT: "sandbox" },
    d1_databases: base.d1_databases.map((database) => ({
      ...database,
      database_name: own(database.database_name),
    })),
    r2_buckets: base.r2_buckets.map((bucket) => ({
      ...bucket,
      bucket_name: own(bucket.bucket_name),
    })),
    queues: {
      producers: base.queues.producers.map((one) => ({ ...one, queue: own(one.queue) })),
      consumers: base.queues.consumers.map((one) => ({
        ...one,
        queue: own(one.queue),
        ...(one.dead_letter_queue === undefined
          ? {}
          : { dead_letter_queue: own(one.dead_letter_queue) }),
      })),
    },
    ratelimits: base.ratelimits.map((limit) => ({
      ...limit,
      namespace_id: String(Number(limit.namespace_id) + SANDBOX_COUNTERS),
    })),
  };
}

function merged(base: unknown, more: unknown): unknown {
  if (Array.isArray(base) && Array.isArray(more)) {
    const bound = new Set(more.map(bindingOf));
    return [
      ...base.filter((one) => bindingOf(one) === null || !bound.has(bindingOf(one))),
      ...more,
    ];
  }
  if (!isTable(base) || !isTable(more)) return more;
  const names = new Set([...Object.keys(base), ...Object.keys(more)]);
  return Object.fromEntries(
    [...names].map((name) => [
      name,
      name in base && name in more ? merged(base[name], more[name]) : (more[name] ?? base[name]),
    ]),
  );
}

function bindingOf(one: unknown): unknown {
  return isTable(one) ? (one["binding"] ?? null) : null;
}

function isTable(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
