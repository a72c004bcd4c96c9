import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const INSTALLED = "/usr/lib/postgresql";
const VERSION_MIN = 15;
const DATABASE = "postgres";
const ROLE = "bench";
/** As many threads of pgbench as the machine this is written for has cores. */
const THREADS_MAX = 2;

const SCHEMA = `
  CREATE TABLE accounts (company int, account text, balance bigint NOT NULL CHECK (balance >= 0),
    PRIMARY KEY (company, account));
  CREATE TABLE idempotency (key bigint PRIMARY KEY, request_hash text NOT NULL);
  CREATE TABLE transfers (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, company int NOT NULL,
    amount bigint NOT NULL, status text NOT NULL, created_at timestamptz NOT NULL DEFAULT now());
  CREATE TABLE entries (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    transfer bigint NOT NULL REFERENCES transfers, company int NOT NULL, account text NOT NULL,
    amount bigint NOT NULL, balance bigint NOT NULL);
  INSERT INTO accounts VALUES (1, 'available', 1000000000000), (1, 'payout', 0);`;

/** A cluster of our own, on a socket in a folder of its own, with the settings it comes with. */
export interface Postgres {
  version: string;
  /** Transfers a second that a script of pgbench makes over so many connections. */
  transfersPerSecond: (script: string, connections: number, seconds: number) => number;
  stop: () => void;
}

/** Starts a cluster; null where Debian's package of PostgreSQL 15 or newer is not installed. */
export function startPostgres(): Postgres | null {
  const version = newestInstalled();
  if (version === null) return null;
  const bin = join(INSTALLED, String(version), "bin");
  const owner = unprivileged();
  const folder = mkdtempSync(join(tmpdir(), "centavo-bench-pg-"));
  if (owner !== null) chownSync(folder, owner.uid, owner.gid);
  chmodSync(folder, 0o700);
  const data = join(folder, "data");
  const run = (program: string, args: string[]): string => {
    const options = { cwd: folder, encoding: "utf8" as const, ...owner };
    const done = spawnSync(join(bin, program), args, options);
    if (done.status === 0) return done.stdout;
    throw new Error(`${program} failed:\n${done.stdout}\n${done.stderr}\n${String(done.error)}`);
  };
  const connect = ["-h", folder, "-U", ROLE];
  const stop = () => {
    spawnSync(join(bin, "pg_ctl"), ["stop", "-w", "-m", "immediate", "-D", data], { ...owner });
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    run("initdb", ["-D", data, "-U", ROLE, "--auth=trust", "--encoding=UTF8", "--locale=C"]);
    const listen = `-c listen_addresses= -c unix_socket_directories=${folder}`;
    run("pg_ctl", ["start", "-w", "-D", data, "-l", join(folder, "log"), "-o", listen]);
    run("psql", [...connect, "-q", "-v", "ON_ERROR_STOP=1", "-d", DATABASE, "-c", SCHEMA]);
    const shown = run("psql", [...connect, "-At", "-d", DATABASE, "-c", DURABILITY]).trim();
    if (shown !== "on on") throw new Error(`fsync and synchronous_commit are ${shown}, not on`);
  } catch (error) {
    stop();
    throw error;
  }
  return {
    version: run("postgres", ["--version"]).trim(),
    transfersPerSecond: (script, connections, seconds) => {
      const threads = String(Math.min(connections, THREADS_MAX));
      const clients = ["-c", String(connections), "-j", threads, "-T", String(seconds)];
      const told = run("pgbench", [
        ...connect,
        "-n",
        "-M",
        "prepared",
        "-f",
        script,
        ...clients,
        DATABASE,
      ]);
      return tpsOf(told);
    },
    stop,
  };
}

const DURABILITY =
  "SELECT current_setting('fsync') || ' ' || current_setting('synchronous_commit')";

/** What pgbench says it did a second. Throws where a transfer failed. */
export function tpsOf(told: string): number {
  const failed = /number of failed transactions: (\d+)/.exec(told)?.[1] ?? "0";
  const tps = /^tps = ([\d.]+)/m.exec(told)?.[1];
  if (failed !== "0" || tps === undefined) throw new Error(`pgbench said:\n${told}`);
  return Number(tps);
}

function newestInstalled(): number | null {
  if (!existsSync(INSTALLED)) return null;
  const versions = readdirSync(INSTALLED)
    .map(Number)
    .filter((version) => version >= VERSION_MIN)
    .filter((version) => existsSync(join(INSTALLED, String(version), "bin/pgbench")));
  return versions.length === 0 ? null : Math.max(...versions);
}

/** Whom a cluster runs as where we are root, which initdb refuses; null where we are not. */
function unprivileged(): { uid: number; gid: number } | null {
  if (process.getuid?.() !== 0) return null;
  return { uid: idOf("-u"), gid: idOf("-g") };
}

function idOf(flag: "-g" | "-u"): number {
  return Number(execFileSync("id", [flag, "postgres"], { encoding: "utf8" }));
}
