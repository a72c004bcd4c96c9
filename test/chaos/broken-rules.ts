import type { Env } from "../../src/config.ts";
import type { DeliveryDeps } from "../../src/webhooks/delivery/deliver.ts";
import type { Seams } from "./storm.ts";

/** A rule of delivery broken for as long as a storm lasts; `struck` counts how often it was. */
export interface BrokenRule {
  seams: Partial<Seams>;
  struck: () => number;
}

/** The newest state goes first and the older ones after it. */
export function orderIgnored(): BrokenRule {
  const newestFirst = 'order by "events"."company_sequence" desc limit';
  return inSql(newestFirst, (sql) => sql.replace(/desc limit/, "asc limit"));
}

/** Whoever comes takes the lease, whether or not another one holds it. */
export function leaseIgnored(): BrokenRule {
  return inDeps((deps, strike) => {
    const take: DeliveryDeps["slots"]["take"] = (companyId, request) => {
      strike();
      return deps.slots.take(companyId, { ...request, group: request.slot });
    };
    return { ...deps, slots: { ...deps.slots, take } };
  });
}

/** There is always a slot at the host. */
export function slotsIgnored(): BrokenRule {
  return inDeps((deps, strike) => {
    const take: DeliveryDeps["slots"]["take"] = (companyId, request) => {
      strike();
      return deps.slots.take(companyId, { ...request, host: null });
    };
    return { ...deps, slots: { ...deps.slots, take } };
  });
}

/** The body is written anew after it was signed. */
export function bodyChangedAfterSigning(): BrokenRule {
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
export function refusalTaken(): BrokenRule {
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

function inDeps(breaks: (deps: DeliveryDeps, strike: () => void) => DeliveryDeps): BrokenRule {
  let struck = 0;
  const strike = () => void (struck += 1);
  return { seams: { deps: (deps) => breaks(deps, strike) }, struck: () => struck };
}

/** Breaks the statements in which `part` stands. */
function inSql(part: string, breaks: (sql: string) => string): BrokenRule {
  let struck = 0;
  const consumerEnv = (env: Env): Env => ({
    ...env,
    DB: new Proxy(env.DB, {
      get: (db, name: keyof D1Database) =>
        name === "prepare"
          ? (sql: string) => {
              if (!sql.includes(part)) return db.prepare(sql);
              struck += 1;
              return db.prepare(breaks(sql));
            }
          : (db[name] as (...parameters: unknown[]) => unknown).bind(db),
    }),
  });
  return { seams: { consumerEnv }, struck: () => struck };
}
