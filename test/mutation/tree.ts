import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ROOT } from "../../tools/lib/root.ts";
import { ensureSite } from "../../tools/lib/site.ts";

const MODULES = "node_modules";

/** A disposable copy of the project. */
export interface Tree {
  path: string;
  remove: () => void;
}

/**
 * Copies the working tree without history and state. Packages are links in a folder of the copy,
 * so that copies share no cache. The docs site is built before, because it cannot be built over links.
 */
export function copyTree(): Tree {
  ensureSite();
  const path = mkdtempSync(join(tmpdir(), "centavo-mutants-"));
  for (const entry of readdirSync(ROOT, { withFileTypes: true })) {
    if (entry.name === MODULES || (entry.isDirectory() && entry.name.startsWith("."))) continue;
    cpSync(join(ROOT, entry.name), join(path, entry.name), { recursive: true });
  }
  mkdirSync(join(path, MODULES));
  for (const name of readdirSync(join(ROOT, MODULES))) {
    if (name.startsWith(".") && name !== ".bin") continue;
    symlinkSync(join(ROOT, MODULES, name), join(path, MODULES, name));
  }
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}
