import type { Env } from "../../src/config.ts";
import type { DeliveryDeps } from "../../src/webhooks/delivery/deliver.ts";
import type { Hooks } from "./chaos.ts";

/** A rule of delivery broken for as long as a storm lasts; `struck` counts how often it was. */
export interface Mutation {
  hooks: Partial<Hooks>;
  timesApplied: () => number;
}

/** The newest state goes first and the older ones after it. */
export function ignoreOrder(): Mutation {
  const newestFirst = 'order by "events"."company_sequence" desc limit';
  return inSql(newestFirst, (sql) => sql.replace(/desc limit/, "asc limit"));
}

/** Whoever comes takes the lease, whether or not another one holds it. */
export function ignoreLease(): Mutation {
  return inDeps((deps, strike) => {
    const acquire: DeliveryDeps["leases"]["acquire"] = (companyId, request) => {
      strike();
      return deps.leases.acquire(companyId, { ...request, group: request.permit });
    };
    return { ...deps, leases: { ...deps.leases, acquire } };
  });
}

/** There is always a slot at the host. */
export function ignorePermits(): Mutation {
  return inDeps((deps, strike) => {
    const acquire: DeliveryDeps["leases"]["acquire"] = (companyId, request) => {
      strike();
      return deps.leases.acquire(companyId, { ...request, host: null });
    };
    return { ...deps, leases: { ...deps.leases, acquire } };
  });
}

/** The body is written anew after it was signed. */
export function changeBodyAfterSigning(): Mutation {
  return inDeps((deps, strike) => {
    const send = async (input: string, init: RequestInit) => {
      strike();
      const body = JSON.stringify(JSON.parse(init.body as string), null, 1);
      return deps.fetch(input, { ...init, body });
    };
    return { ...deps, fetch: send as typeof fetch };
  });
}

/** Any answer but 410 is taken for a yes. */
export function acceptRejection(): Mutation {
  return inDeps((deps, strike) => {
    const send = async (input: string, init: RequestInit) => {
      const answer = await deps.fetch(input, init);
      if (answer.status < 300 || answer.status === 410) return answer;
      strike();
      return new Response(null, { status: 200 });
    };
    return { ...deps, fetch: send as typeof fetch };
  });
}

function inDeps(mutate: (deps: DeliveryDeps, strike: () => void) => DeliveryDeps): Mutation {
  let struck = 0;
  const strike = () => void (struck += 1);
  return { hooks: { deps: (deps) => mutate(deps, strike) }, timesApplied: () => struck };
}

/** Breaks the statements in which `part` stands. */
function inSql(part: string, mutate: (sql: string) => string): Mutation {
  let struck = 0;
  const consumerEnv = (env: Env): Env => ({
    ...env,
    DB: new Proxy(env.DB, {
      get: (db, name: keyof D1Database) =>
        name === "prepare"
          ? (sql: string) => {
              if (!sql.includes(part)) return db.prepare(sql);
              struck += 1;
              return db.prepare(mutate(sql));
            }
          : (db[name] as (...parameters: unknown[]) => unknown).bind(db),
    }),
  });
  return { hooks: { consumerEnv }, timesApplied: () => struck };
}
