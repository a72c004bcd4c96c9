/** What a deploy has made and nobody knows yet, beside `wrangler.toml` and for its owner only, until it is shown. */
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { configFile } from "../wrangler-config.ts";

export interface NewSecrets {
  /** Seals what the service stores (docs/security.md). */
  secretsKey?: string;
  /** The credentials of the first operator. */
  operator?: { clientId: string; apiKey: string; name: string };
}

/** The secrets that an environment's deploys have made and not shown. */
export class SecretsFile {
  readonly path: string;

  constructor(environment: string) {
    this.path = join(dirname(configFile()), `secrets.${environment}.json`);
  }

  read(): NewSecrets {
    return existsSync(this.path) ? (JSON.parse(readFileSync(this.path, "utf8")) as NewSecrets) : {};
  }

  /** Keeps a secret before anything uses it, so that no failure afterwards can lose it. */
  add(secrets: NewSecrets): NewSecrets {
    const all = { ...this.read(), ...secrets };
    // Never half a file, whatever stops this.
    const fresh = `${this.path}.new`;
    writeFileSync(fresh, `${JSON.stringify(all, null, 2)}\n`, { mode: 0o600 });
    renameSync(fresh, this.path);
    return all;
  }

  /** After the secrets were shown. */
  remove(): void {
    rmSync(this.path, { force: true });
  }
}
