import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { ROOT } from "../../tools/lib/wrangler.ts";
import { startPostgres } from "./postgres.ts";

/** The service in bench/rival with its PostgreSQL, on loopback. */
export interface Rival {
  port: number;
  /** Version of PostgreSQL. */
  version: string;
  stop: () => Promise<void>;
}

/** Starts the rival with its database below a folder; null when PostgreSQL is not installed. */
export async function startRival(below: string): Promise<Rival | null> {
  const postgres = startPostgres(join(ROOT, "bench/rival/schema.sql"), below);
  if (postgres === null) return null;
  const server = spawn(process.execPath, [join(ROOT, "bench/rival/server.ts")], {
    env: { ...process.env, NODE_ENV: "production", ...postgres.connection },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const stop = async () => {
    if (server.exitCode === null && server.signalCode === null) {
      server.kill();
      await once(server, "exit");
    }
    postgres.stop();
  };
  const exited = once(server, "exit").then(() => {
    throw new Error("the rival did not start");
  });
  try {
    const [printed] = (await Promise.race([once(server.stdout, "data"), exited])) as [Buffer];
    exited.catch(() => undefined);
    return { port: Number(printed.toString()), version: postgres.version, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
