import { rmSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import * as z from "zod/mini";
import type { Account, Environment } from "./account.ts";
import { CliError, withDiskErrors } from "./failure.ts";
import { makeFolderOf, readJson, writePrivately } from "./private-file.ts";

const AccountSchema = z.object({ url: z.url(), clientId: z.string(), apiKey: z.string() });

/** The file of `login`: in the user's configuration, by the XDG Base Directory Specification. */
function credentialsFile(environment: Environment): string {
  const folder = environment["XDG_CONFIG_HOME"] || join(homedir(), ".config");
  return join(folder, "centavo/credentials.json");
}

/** What `login` stored; null for nothing. Throws `CliError` for a damaged file. */
export function storedAccount(environment: Environment): Account | null {
  const file = credentialsFile(environment);
  const stored = readJson(file);
  if (stored === undefined) return null;
  const account = AccountSchema.safeParse(stored);
  if (!account.success) throw new CliError(`${file} is damaged; run centavo login again.`);
  return account.data;
}

/** Stores credentials where only the user reads them. Returns the file. */
export function storeAccount(environment: Environment, account: Account): string {
  const file = credentialsFile(environment);
  makeFolderOf(file);
  writePrivately(file, account);
  return file;
}

/** Removes what `login` stored. Returns the file. */
export function forgetAccount(environment: Environment): string {
  const file = credentialsFile(environment);
  withDiskErrors(file, () => rmSync(file, { force: true }));
  return file;
}
