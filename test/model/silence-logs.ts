const LEVELS = ["log", "warn", "error"] as const;

/**
 * Silences the log and shortens waits for thousands of runs: short waits end at once, and call
 * timeouts never fire. `say` still prints; `undo` restores both.
 */
export function silenceLogs(): { say: (line: object) => void; undo: () => void } {
  const wait = scheduler.wait.bind(scheduler);
  const before = LEVELS.map((level) => console[level]);
  // oxlint-disable-next-line eslint/no-console -- `say` is how a run prints while the log is silent
  const say = console.info.bind(console);
  for (const level of LEVELS) console[level] = () => undefined;
  scheduler.wait = (ms: number) => (ms < 1_000 ? Promise.resolve() : new Promise(() => undefined));
  return {
    say: (line) => say(JSON.stringify(line)),
    undo: () => {
      scheduler.wait = wait;
      LEVELS.forEach((level, index) => {
        console[level] = before[index]!;
      });
    },
  };
}
