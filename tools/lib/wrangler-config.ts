import { existsSync, readFileSync } from "node:fs";
import { dirname, isAbsolute, join } from "node:path";
import { ROOT } from "./root.ts";

/** The path of wrangler's configuration: WRANGLER_CONFIG, or `wrangler.toml`. */
export function configFile(): string {
  const path = process.env["WRANGLER_CONFIG"] ?? "wrangler.toml";
  return isAbsolute(path) ? path : join(ROOT, path);
}

/** The binding names of the databases on this machine. */
export function boundDatabases(config = readFileSync(configFile(), "utf8")): string[] {
  return sectionsOf(config)
    .filter(({ name }) => name === "[[d1_databases]]")
    .flatMap(({ text }) => /^binding\s*=\s*"([^"]+)"/m.exec(text)?.[1] ?? []);
}

/** By what this machine's storage is named: the Worker, and each database's id, which without one is its binding. */
export function localStorage(config = readFileSync(configFile(), "utf8")) {
  const [, worker = ""] = /^name\s*=\s*"([^"]+)"/m.exec(config) ?? [];
  const databases = sectionsOf(config)
    .filter(({ name }) => name === "[[d1_databases]]")
    .flatMap(({ text }) => {
      const valueOf = (key: string) => new RegExp(`^${key}\\s*=\\s*"([^"]+)"`, "m").exec(text)?.[1];
      return valueOf("preview_database_id") ?? valueOf("database_id") ?? valueOf("binding") ?? [];
    });
  return { worker, databases };
}

/** The configuration that a deploy makes for an environment: beside `wrangler.toml`, so that its paths hold. */
export function environmentFile(environment: string): string {
  return join(dirname(configFile()), `wrangler.${environment}.json`);
}

/** The address of an environment: its PUBLIC_URL, or the one of its last deploy from here; null without either. */
export function publicUrl(
  environment: string,
  config = readFileSync(configFile(), "utf8"),
  deployed = readIfExists(environmentFile(environment)),
): string | null {
  const vars = sectionsOf(config).find(({ name }) => name === `[env.${environment}.vars]`);
  const [, written] = /^PUBLIC_URL\s*=\s*"([^"]+)"/m.exec(vars?.text ?? "") ?? [];
  return written ?? /"PUBLIC_URL": "([^"]+)"/.exec(deployed)?.[1] ?? null;
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

function readIfExists(file: string): string {
  return existsSync(file) ? readFileSync(file, "utf8") : "";
}
