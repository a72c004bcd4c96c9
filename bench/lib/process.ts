import { execFileSync } from "node:child_process";

/** Process ids of our own children (and theirs) that run a program. */
export function childPids(program: string): number[] {
  const rows = execFileSync("ps", ["-eo", "pid=,ppid=,comm="], { encoding: "utf8" })
    .trim()
    .split("\n")
    .map((row) => row.trim().split(/\s+/))
    .map(([pid, parent, name]) => ({ pid: Number(pid), parent: Number(parent), name }));
  const ours = new Set([process.pid]);
  for (let before = 0; before !== ours.size;) {
    before = ours.size;
    for (const { pid, parent } of rows) if (ours.has(parent)) ours.add(pid);
  }
  return rows.filter(({ pid, name }) => ours.has(pid) && name === program).map(({ pid }) => pid);
}

/** CPU time that a process has used since its start, in seconds, all threads together. */
export function cpuSeconds(pid: number): number {
  const told = execFileSync("ps", ["-o", "cputimes=", "-p", String(pid)], { encoding: "utf8" });
  return Number(told.trim());
}
