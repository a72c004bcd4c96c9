import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";

/** Ids of this process's descendants that run a program. */
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

const USER_TICKS = 11;
const SYSTEM_TICKS = 12;

/** CPU time of a process since its start, ms, summed over its threads. Linux only. */
export function cpuMs(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  // The process name may contain anything; after it come the fields from the third on.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const ticks = Number(fields[USER_TICKS]) + Number(fields[SYSTEM_TICKS]);
  const perSecond = Number(execFileSync("getconf", ["CLK_TCK"], { encoding: "utf8" }));
  return (ticks / perSecond) * 1_000;
}

const KB_PER_MB = 1_024;

/** Resident memory of a process, MB. Linux only. */
export function residentMemory(pid: number): number {
  return statusMb(pid, "VmRSS");
}

/** Peak resident memory since `resetPeakMemory`, MB. Linux only. */
export function peakMemory(pid: number): number {
  return statusMb(pid, "VmHWM");
}

export function resetPeakMemory(pid: number): void {
  writeFileSync(`/proc/${pid}/clear_refs`, "5");
}

function statusMb(pid: number, name: string): number {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  const [, kilobytes] = new RegExp(`^${name}:\\s+(\\d+) kB`, "m").exec(status) ?? [];
  if (kilobytes === undefined) throw new Error(`/proc/${pid}/status has no ${name}`);
  return Number(kilobytes) / KB_PER_MB;
}
