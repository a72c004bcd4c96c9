import { spawnSync } from "node:child_process";

const PARENT_POLL_MS = 500;
const SHELL = /(?:^|\/)(?:ba|da)?sh$/;

/** Aborts after SIGINT or SIGTERM, or when npm or the parent process ended. */
export function stopSignal(): AbortSignal {
  const stop = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => stop.abort());
  process.once("disconnect", () => stop.abort());
  process.channel?.unref();
  if (process.env["npm_command"] !== undefined) stopWithNpm(stop);
  return stop.signal;
}

/** npm forwards SIGTERM only to its shell, which tells nobody; without this the process would keep running. */
function stopWithNpm(stop: AbortController): void {
  const { ppid } = process;
  const { parent, command } = processInfo(ppid);
  const watched = SHELL.test(command) ? [ppid, parent] : [ppid];
  const checkParents = () => {
    if (!watched.every(isAlive)) stop.abort();
  };
  setInterval(checkParents, PARENT_POLL_MS).unref();
}

/** A process's parent and command; those of nobody where there is no `ps`. */
function processInfo(pid: number): { parent: number; command: string } {
  const { stdout } = spawnSync("ps", ["-o", "ppid=,comm=", "-p", String(pid)], {
    encoding: "utf8",
  });
  const [, parent, command] = /^\s*(\d+)\s+(.*?)\s*$/.exec(stdout ?? "") ?? [];
  return { parent: Number(parent ?? pid), command: command ?? "" };
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
