import { readFileSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import { ROOT } from "./root.ts";

/** The configuration that wrangler is given: `wrangler.toml`, or the file that WRANGLER_CONFIG names. */
export function configFile(): string {
  const named = process.env["WRANGLER_CONFIG"] ?? "wrangler.toml";
  return isAbsolute(named) ? named : join(ROOT, named);
}

/** The databases that an environment binds, by the names of their bindings; null is this machine. */
export function boundDatabases(
  environment: string | null,
  config = readFileSync(configFile(), "utf8"),
): string[] {
  const prefix = environment === null ? "" : `env.${environment}.`;
  return sectionsOf(config)
    .filter(({ name }) => name === `[[${prefix}d1_databases]]`)
    .flatMap(({ text }) => /^binding\s*=\s*"([^"]+)"/m.exec(text)?.[1] ?? []);
}

/** Where an environment is reached from outside, as its variable PUBLIC_URL says; null without one. */
export function publicUrl(
  environment: string,
  config = readFileSync(configFile(), "utf8"),
): string | null {
  const vars = sectionsOf(config).find(({ name }) => name === `[env.${environment}.vars]`);
  return /^PUBLIC_URL\s*=\s*"([^"]+)"/m.exec(vars?.text ?? "")?.[1] ?? null;
}

/** What the bundler takes in place of what is imported, by the specifier as it is written. */
export function aliases(config = readFileSync(configFile(), "utf8")): Record<string, string> {
  const section = sectionsOf(config).find(({ name }) => name === "[alias]");
  const pairs = (section?.text ?? "").matchAll(/^"([^"]+)"\s*=\s*"([^"]+)"/gm);
  return Object.fromEntries(Array.from(pairs, ([, from = "", to = ""]) => [from, to]));
}

/** A TOML file's tables with what stands in each; nothing else of TOML is understood. */
function sectionsOf(config: string): { name: string; text: string }[] {
  const sections: { name: string; text: string }[] = [];
  for (const line of config.split("\n")) {
    const [name] = /^\[.+\](?=\s*(#.*)?$)/.exec(line) ?? [];
    if (name !== undefined) sections.push({ name, text: "" });
    else if (sections.length > 0) sections.at(-1)!.text += `${line}\n`;
  }
  return sections;
}
