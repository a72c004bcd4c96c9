import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const REPOSITORY = join(import.meta.dirname, "../../..");

/** Licences (SPDX) that allow use in a closed service and ask for no more than a notice. */
const ALLOWED_LICENCES = new Set([
  "0BSD",
  "Apache-2.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "ISC",
  "MIT",
  "MIT OR Apache-2.0",
]);

/** How CycloneDX marks a tool. */
const DEVELOPMENT = "cdx:npm:package:development";

interface LockedPackage {
  version: string;
  integrity?: string;
  license?: string;
  dev?: boolean;
  dependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
  peerDependenciesMeta?: Record<string, { optional?: boolean }>;
  optionalDependencies?: Record<string, string>;
}

const read = (path: string) => readFile(join(REPOSITORY, path), "utf8");

async function lockedPackages(): Promise<[path: string, locked: LockedPackage][]> {
  const lock = JSON.parse(await read("package-lock.json")) as {
    packages: Record<string, LockedPackage>;
  };
  return Object.entries(lock.packages).filter(([path]) => path !== "");
}

/** The packages that the deployed Worker may contain. */
async function runtimePackages() {
  const all = await lockedPackages();
  return all.filter(([, { dev }]) => dev !== true);
}

/**
 * The runtime packages that another one needs. npm marks those of optional peers (better-auth names vitest) as no
 * tools, although only the tools bring them.
 */
async function neededPackages() {
  const locked = new Map(await lockedPackages());
  const { dependencies } = JSON.parse(await read("package.json")) as LockedPackage;
  const needed = new Set(Object.keys(dependencies ?? {}).map((name) => `node_modules/${name}`));
  for (const path of needed) {
    const one = locked.get(path);
    const peers = Object.keys(one?.peerDependencies ?? {}).filter(
      (name) => one?.peerDependenciesMeta?.[name]?.optional !== true,
    );
    const names = Object.keys({ ...one?.dependencies, ...one?.optionalDependencies });
    for (const name of [...names, ...peers]) {
      const nested = `${path}/node_modules/${name}`;
      needed.add(locked.has(nested) ? nested : `node_modules/${name}`);
    }
  }
  return [...locked].filter(([path]) => needed.has(path));
}

test("CI runs the README's command", async () => {
  const command = "npm ci && npm run check";
  expect(await read(".ci/run")).toContain(`\n${command}`);
  expect((await read("README.md")).split("\n").map((line) => line.split(/ +#/)[0])).toContain(
    command,
  );
});

// `npm ci` refuses a lock without the packages of other platforms.
test("the lock has every optional dependency", async () => {
  const packages = await lockedPackages();
  const paths = new Set(packages.map(([path]) => path));
  const missing = packages.flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies).filter(
      (name) => !paths.has(`node_modules/${name}`) && !paths.has(`${path}/node_modules/${name}`),
    ),
  );
  expect(missing).toEqual([]);
});

test("every package of the Worker is locked with its hash and has an allowed licence", async () => {
  const packages = await neededPackages();
  expect(packages.length).toBeGreaterThan(10);
  const wrong = packages.filter(
    ([, { license = "", integrity = "" }]) =>
      !ALLOWED_LICENCES.has(license) || !integrity.startsWith("sha512-"),
  );
  expect(wrong).toEqual([]);
});

// `npm sbom --omit dev` would leave out what a tool needs too, such as hono.
test("the SBOM is CycloneDX and tells every package of the Worker from the tools", async () => {
  const { scripts } = JSON.parse(await read("package.json")) as { scripts: { sbom: string } };
  const [command = ""] = scripts.sbom.split(" > ");
  const { stdout } = await promisify(execFile)("sh", ["-c", command], { cwd: REPOSITORY });
  const sbom = JSON.parse(stdout) as {
    bomFormat: string;
    components: { name: string; version: string; properties: { name: string }[] }[];
  };
  expect(sbom.bomFormat).toBe("CycloneDX");
  const listed = sbom.components
    .filter(({ properties }) => !properties.some(({ name }) => name === DEVELOPMENT))
    .map(({ name, version }) => `${name} ${version}`);
  const locked = (await runtimePackages()).map(
    ([path, { version }]) => `${path.split("node_modules/").at(-1)} ${version}`,
  );
  expect(listed.toSorted()).toEqual(locked.toSorted());
});
