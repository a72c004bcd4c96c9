import type { Env } from "../../src/config.ts";
import type { DeliveryDeps } from "../../src/webhooks/delivery/deliver.ts";
import type { Hooks } from "./chaos.ts";

/** A delivery rule that is broken during a run. */
export interface Mutation {
  hooks: Partial<Hooks>;
  timesApplied: () => number;
}

/** Sends the newest state before the older ones. */
export function ignoreOrder(): Mutation {
  const newestFirst = 'order by "events"."company_sequence" desc limit';
  return inSql(newestFirst, (sql) => sql.replace(/desc limit/, "asc limit"));
}

/** Gives the lease to every caller, also while another one holds it. */
export function ignoreLease(): Mutation {
  return inDeps((deps, countUse) => {
    const acquire: DeliveryDeps["leases"]["acquire"] = (companyId, request) => {
      countUse();
      return deps.leases.acquire(companyId, { ...request, group: request.permit });
    };
    return { ...deps, leases: { ...deps.leases, acquire } };
  });
}

/** Grants a permit at any load of the host. */
export function ignorePermits(): Mutation {
  return inDeps((deps, countUse) => {
    const acquire: DeliveryDeps["leases"]["acquire"] = (companyId, request) => {
      countUse();
      return deps.leases.acquire(companyId, { ...request, host: null });
    };
    return { ...deps, leases: { ...deps.leases, acquire } };
  });
}

/** Changes the body after it was signed. */
export function changeBodyAfterSigning(): Mutation {
  return inDeps((deps, countUse) => {
    const send = async (input: string, init: RequestInit) => {
      countUse();
      const body = JSON.stringify(JSON.parse(init.body as string), null, 1);
      return deps.fetch(input, { ...init, body });
    };
    return { ...deps, fetch: send as typeof fetch };
  });
}

/** Accepts every response but 410 as success. */
export function acceptRejection(): Mutation {
  return inDeps((deps, countUse) => {
    const send = async (input: string, init: RequestInit) => {
      const answer = await deps.fetch(input, init);
      if (answer.status < 300 || answer.status === 410) return answer;
      countUse();
      return new Response(null, { status: 200 });
    };
    return { ...deps, fetch: send as typeof fetch };
  });
}

function inDeps(mutate: (deps: DeliveryDeps, countUse: () => void) => DeliveryDeps): Mutation {
  let timesApplied = 0;
  const countUse = () => void (timesApplied += 1);
  return { hooks: { deps: (deps) => mutate(deps, countUse) }, timesApplied: () => timesApplied };
}

/** Changes the statements that contain `part`. */
function inSql(part: string, mutate: (sql: string) => string): Mutation {
  let timesApplied = 0;
  const consumerEnv = (env: Env): Env => ({
    ...env,
    DB: new Proxy(env.DB, {
      get: (db, name: keyof D1Database) =>
        name === "prepare"
          ? (sql: string) => {
              if (!sql.includes(part)) return db.prepare(sql);
              timesApplied += 1;
              return db.prepare(mutate(sql));
            }
          : (db[name] as (...parameters: unknown[]) => unknown).bind(db),
    }),
  });
  return { hooks: { consumerEnv }, timesApplied: () => timesApplied };
}
