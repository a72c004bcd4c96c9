import type { Environment } from "../deploy/environment.ts";

/** Where one table of TOML ends and the next begins. */
const NEXT_TABLE = /\n(?=\s*\[)/;

/**
 * `wrangler.toml` with a certificate under a name of an environment: the table of that name gets the new id, or a new
 * table stands at the end. It takes effect with the next deploy.
 */
export function withCertificate(
  config: string,
  environment: Environment,
  { binding, id }: { binding: string; id: string },
): string {
  const head = `[[env.${environment}.mtls_certificates]]`;
  const name = new RegExp(`^binding\\s*=\\s*"${binding}".*$`, "m");
  const lines = `binding = "${binding}"\ncertificate_id = "${id}"`;
  const tables = config.split(NEXT_TABLE);
  const at = tables.findIndex((table) => table.trimStart().startsWith(head) && name.test(table));
  const table = tables[at];
  if (table === undefined) return `${config.trimEnd()}\n\n${head}\n${lines}\n`;
  const changed = table.replace(/^certificate_id\s*=.*\n?/m, "").replace(name, lines);
  return tables.with(at, changed).join("\n");
}
