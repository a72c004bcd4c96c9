import { readFileSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import { ROOT } from "./root.ts";

/** The path of wrangler's configuration: WRANGLER_CONFIG, or `wrangler.toml`. */
export function configFile(): string {
  const path = process.env["WRANGLER_CONFIG"] ?? "wrangler.toml";
  return isAbsolute(path) ? path : join(ROOT, path);
}

/** The binding names of an environment's databases; null is the local environment. */
export function boundDatabases(
  environment: string | null,
  config = readFileSync(configFile(), "utf8"),
): string[] {
  const prefix = environment === null ? "" : `env.${environment}.`;
  return sectionsOf(config)
    .filter(({ name }) => name === `[[${prefix}d1_databases]]`)
    .flatMap(({ text }) => /^binding\s*=\s*"([^"]+)"/m.exec(text)?.[1] ?? []);
}

/** The variable PUBLIC_URL of an environment; null when it is not set. */
export function publicUrl(
  environment: string,
  config = readFileSync(configFile(), "utf8"),
): string | null {
  const vars = sectionsOf(config).find(({ name }) => name === `[env.${environment}.vars]`);
  return /^PUBLIC_URL\s*=\s*"([^"]+)"/m.exec(vars?.text ?? "")?.[1] ?? null;
}

/** The `[alias]` table: import specifier to replacement. */
export function aliases(config = readFileSync(configFile(), "utf8")): Record<string, string> {
  const section = sectionsOf(config).find(({ name }) => name === "[alias]");
  const pairs = (section?.text ?? "").matchAll(/^"([^"]+)"\s*=\s*"([^"]+)"/gm);
  return Object.fromEntries(Array.from(pairs, ([, from = "", to = ""]) => [from, to]));
}

/** The tables of a TOML file, each with its lines. Understands no other TOML syntax. */
function sectionsOf(config: string): { name: string; text: string }[] {
  const sections: { name: string; text: string }[] = [];
  for (const line of config.split("\n")) {
    const [name] = /^\[.+\](?=\s*(#.*)?$)/.exec(line) ?? [];
    if (name !== undefined) sections.push({ name, text: "" });
    else if (sections.length > 0) sections.at(-1)!.text += `${line}\n`;
  }
  return sections;
}
