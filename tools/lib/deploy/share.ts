import type { Platform, DeployTools } from "./platform.ts";

/** A share of the requests for a commit. */
interface Share {
  worker: string;
  commit: string | null;
  percent: number;
  /** The written configuration. */
  path: string;
  message: string[];
}

/** What wrangler says of a new migration of objects. */
const PENDING_MIGRATION = /pending Durable Object migration/i;

/**
 * Gives the commit a share of the requests and of the objects, the rest to the version that it will replace. A commit that
 * has a share already keeps its version: an object that has moved to it would otherwise go back to older code, which
 * its tables may no longer suit.
 */
export async function giveShare(
  platform: Platform,
  { worker, commit, percent, path, message }: Share,
  { wrangler, print }: Pick<DeployTools, "wrangler" | "print">,
): Promise<void> {
  const [current] = await platform.deploymentsOf(worker);
  const running = current?.versions ?? [];
  const commits = new Map<string, string | undefined>();
  for (const { version_id: id } of running) {
    const bindings = await platform.bindingsOfVersion(worker, id);
    commits.set(id, bindings.find(({ name }) => name === "COMMIT")?.text);
  }
  const isSame = (id: string) =>
    commit !== null && commits.get(id) === commit && !commit.endsWith("-dirty");
  const same = running.length > 1 ? running.find((one) => isSame(one.version_id)) : undefined;
  const before = running
    .filter((one) => one !== same)
    .toSorted((left, right) => right.percentage - left.percentage)
    .at(0);
  if (before === undefined) throw new Error(`${worker} has no deployment.`);
  const shared = same?.version_id ?? (await uploaded(wrangler, path, message));
  // In this order always, so that objects only move from the one to the other.
  const split = [`${before.version_id}@${100 - percent}%`, `${shared}@${percent}%`];
  await wrangler(["versions", "deploy", ...split, "--yes", "--config", path]);
  print(`${percent} % of the requests go to ${shared}, the others to ${before.version_id}.`);
}

/**
 * Uploads the code as a version that answers nothing yet, and answers its id. Throws, saying what to do, if the code has a
 * new migration of objects.
 */
async function uploaded(
  wrangler: DeployTools["wrangler"],
  path: string,
  message: string[],
): Promise<string> {
  const printed = await wrangler(["versions", "upload", "--config", path, ...message]).catch(
    (error: unknown) => {
      if (!PENDING_MIGRATION.test(String(error))) throw error;
      throw new Error(
        "This code has a new migration of objects ([[migrations]] of wrangler.toml), which no share of the requests can have. Deploy it without --percent.",
        { cause: error },
      );
    },
  );
  const [, id] = /Version ID:\s*([0-9a-f-]{36})/i.exec(printed) ?? [];
  if (id === undefined) throw new Error(`wrangler names no version:\n${printed}`);
  return id;
}
