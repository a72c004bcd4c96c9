const LEVELS = ["log", "warn", "error"] as const;

/** Counts the console lines that are written while `run` runs. */
export async function countLogLines<Answer>(
  run: () => Promise<Answer>,
): Promise<{ answer: Answer; logLines: number }> {
  let logLines = 0;
  const originals = LEVELS.map((level) => ({ level, write: console[level] }));
  for (const { level, write } of originals) {
    console[level] = (...values: unknown[]) => {
      logLines += 1;
      write.apply(console, values);
    };
  }
  try {
    const answer = await run();
    return { answer, logLines };
  } finally {
    for (const { level, write } of originals) console[level] = write;
  }
}
