import { writeEnvironment, type Environment, type EnvironmentConfig } from "./environment.ts";
import type { DeployTools } from "./platform.ts";
import { schemasOfCode } from "./release.ts";

/** The platform lets an active object run the code before for so long (docs/deploy.md). */
const CODE_UPDATE_MS = 300_000;
const CONTRACTS_TABLE = "d1_contract_migrations";
const NONE_LEFT = /No migrations to apply/i;

/**
 * Applies the migrations that take away what the code before needs, once none of it can run any more. A repeat finds
 * what is left.
 */
export async function contract(
  environment: Environment,
  config: EnvironmentConfig,
  { wrangler, wait, print }: Pick<DeployTools, "wrangler" | "wait" | "print">,
  contracted?: number,
): Promise<void> {
  const known = contracted ?? (await schemasOfCode()).contracted;
  if (known === 0) return;
  const path = writeEnvironment(`${environment}.contract`, {
    ...config,
    d1_databases: config.d1_databases.map((database) => ({
      ...database,
      migrations_dir: `${database.migrations_dir ?? "migrations"}/contract`,
      migrations_table: CONTRACTS_TABLE,
    })),
  });
  const pending: string[] = [];
  for (const { binding } of config.d1_databases) {
    const where = [binding, "--remote", "--config", path];
    if (!NONE_LEFT.test(await wrangler(["d1", "migrations", "list", ...where])))
      pending.push(binding);
  }
  if (pending.length === 0) return;
  print(
    "Waiting five minutes, until no object runs the code before. Then the migrations contract.",
  );
  await wait(CODE_UPDATE_MS);
  for (const binding of pending) {
    await wrangler(["d1", "migrations", "apply", binding, "--remote", "--config", path]);
  }
}
