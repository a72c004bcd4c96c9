import { environmentConfig, writeEnvironment, type Environment } from "./environment.ts";
import { signIn, type DeployTools, type Platform } from "./platform.ts";
import { parseSchemas, type Schemas } from "./release.ts";

export interface RollbackOptions {
  environment: Environment;
  /** A version's id; by default the one before the newest deployment. */
  to?: string | undefined;
}

/**
 * Gives all requests back to an earlier version, after checking that its code fits the schemas: those of every version that
 * has run since, because objects and databases keep what newer code has made of them. Throws, changing nothing, if
 * it does not.
 */
export async function rollback(options: RollbackOptions, tools: DeployTools): Promise<void> {
  const { name } = environmentConfig(options.environment);
  const platform = await signIn(tools);
  const deployments = await platform.deploymentsOf(name);
  const ran = deployments.map(({ versions }) => versions.map((one) => one.version_id));
  const [newest = []] = ran;
  const target = options.to ?? previousOf(deployments.map(({ versions }) => versions));
  const since = target === null ? -1 : ran.findLastIndex((versions) => versions.includes(target));
  if (target === null || since === -1) {
    throw new Error(`${name} has no earlier version among its newest deployments.`);
  }
  if (newest.length === 1 && newest[0] === target) {
    throw new Error(`${target} answers all requests already.`);
  }
  const later = new Set(ran.slice(0, since + 1).flat());
  later.delete(target);
  await requireFit(platform, name, target, later);
  // With the account, which wrangler would otherwise look for, and ask about where there are several.
  const account = { name, account_id: platform.accountId };
  const config = writeEnvironment(`${options.environment}.rollback`, account);
  const message = `Rolled back from ${newest.join(", ")}`;
  await tools.wrangler(["rollback", target, "--config", config, "--message", message, "--yes"]);
  tools.print(`${name} answers with ${target} again. Active objects follow within five minutes.`);
}

/** The version before the newest deployment or, during a release by percent, the one that is being replaced. */
function previousOf(deployments: { version_id: string; percentage: number }[][]): string | null {
  const [newest = [], ...earlier] = deployments;
  if (newest.length > 1) {
    // The one that has answered for longest.
    const firstSeen = ({ version_id: id }: { version_id: string }) =>
      deployments.findLastIndex((versions) => versions.some((one) => one.version_id === id));
    return newest.toSorted((a, b) => firstSeen(b) - firstSeen(a)).at(0)?.version_id ?? null;
  }
  const current = newest.at(0)?.version_id;
  const alone = earlier.filter((versions) => versions.length === 1).flat();
  return alone.find((one) => one.version_id !== current)?.version_id ?? null;
}

async function requireFit(
  platform: Platform,
  worker: string,
  target: string,
  later: ReadonlySet<string>,
): Promise<void> {
  const known = await schemasOf(platform, worker, target);
  for (const version of later) {
    const made = await schemasOf(platform, worker, version);
    if (made.contracted > known.contracted) {
      throw new Error(
        `${target} does not fit: ${version} has taken away columns or tables that it needs. Deploy a repaired version instead.`,
      );
    }
    if (made.object > known.object) {
      throw new Error(
        `${target} does not fit: it would answer 503 for each company whose object ${version} has opened. Deploy a repaired version instead.`,
      );
    }
  }
}

async function schemasOf(platform: Platform, worker: string, version: string): Promise<Schemas> {
  const bindings = await platform.bindingsOfVersion(worker, version);
  const schemas = parseSchemas(bindings.find(({ name }) => name === "SCHEMA")?.text);
  if (schemas === null) {
    throw new Error(
      `${version} does not say which schemas it knows: it was not deployed by npm run deploy.`,
    );
  }
  return schemas;
}
