import { execFileSync, spawnSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
} from "node:fs";
import { join } from "node:path";

const INSTALLED = "/usr/lib/postgresql";
const VERSION_MIN = 15;
const DATABASE = "postgres";
const ROLE = "bench";

/** A temporary PostgreSQL cluster with default settings, on a Unix socket. */
export interface Postgres {
  version: string;
  /** Environment variables for libpq and `pg`. */
  connection: { PGHOST: string; PGUSER: string; PGDATABASE: string };
  stop: () => void;
}

/** Starts a cluster below a folder, with a schema; null unless Debian's PostgreSQL 15 or newer is installed. */
export function startPostgres(schemaFile: string, below: string): Postgres | null {
  const version = newestInstalled();
  if (version === null) return null;
  const bin = join(INSTALLED, String(version), "bin");
  const owner = unprivileged();
  const folder = mkdtempSync(join(below, "centavo-bench-pg-"));
  if (owner !== null) chownSync(folder, owner.uid, owner.gid);
  chmodSync(folder, 0o700);
  const data = join(folder, "data");
  const run = (program: string, args: string[], input?: string): string => {
    const options = { cwd: folder, encoding: "utf8" as const, input, ...owner };
    const done = spawnSync(join(bin, program), args, options);
    if (done.status === 0) return done.stdout;
    throw new Error(`${program} failed:\n${done.stdout}\n${done.stderr}\n${String(done.error)}`);
  };
  const connect = ["-h", folder, "-U", ROLE, "-d", DATABASE];
  const stop = () => {
    spawnSync(join(bin, "pg_ctl"), ["stop", "-w", "-m", "immediate", "-D", data], { ...owner });
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    run("initdb", ["-D", data, "-U", ROLE, "--auth=trust", "--encoding=UTF8", "--locale=C"]);
    const listen = `-c listen_addresses= -c unix_socket_directories=${folder}`;
    run("pg_ctl", ["start", "-w", "-D", data, "-l", join(folder, "log"), "-o", listen]);
    run("psql", [...connect, "-q", "-v", "ON_ERROR_STOP=1"], readFileSync(schemaFile, "utf8"));
    const shown = run("psql", [...connect, "-At", "-c", DURABILITY]).trim();
    if (shown !== "on on") throw new Error(`fsync and synchronous_commit are ${shown}, not on`);
  } catch (error) {
    stop();
    throw error;
  }
  return {
    version: run("postgres", ["--version"]).trim(),
    connection: { PGHOST: folder, PGUSER: ROLE, PGDATABASE: DATABASE },
    stop,
  };
}

const DURABILITY =
  "SELECT current_setting('fsync') || ' ' || current_setting('synchronous_commit')";

function newestInstalled(): number | null {
  if (!existsSync(INSTALLED)) return null;
  const versions = readdirSync(INSTALLED)
    .map(Number)
    .filter((version) => version >= VERSION_MIN)
    .filter((version) => existsSync(join(INSTALLED, String(version), "bin/initdb")));
  return versions.length === 0 ? null : Math.max(...versions);
}

/** The user of the cluster, because initdb refuses to run as root; null for any other user. */
function unprivileged(): { uid: number; gid: number } | null {
  if (process.getuid?.() !== 0) return null;
  return { uid: idOf("-u"), gid: idOf("-g") };
}

function idOf(flag: "-g" | "-u"): number {
  return Number(execFileSync("id", [flag, "postgres"], { encoding: "utf8" }));
}
