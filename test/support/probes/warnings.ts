import { afterEach, beforeEach, vi } from "vitest";

/** The lines of the level warning that the service logs in each test of a file. */
export function hearWarnings(): string[] {
  const warnings: string[] = [];
  beforeEach(() => {
    warnings.length = 0;
    vi.spyOn(console, "warn").mockImplementation((line: string) => void warnings.push(line));
  });
  afterEach(() => vi.restoreAllMocks());
  return warnings;
}
