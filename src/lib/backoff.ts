/** The wait before attempt `attempts + 1`: doubles from `baseMs` up to `maxMs`. */
export function exponentialBackoffMs(attempts: number, baseMs: number, maxMs: number): number {
  return Math.min(maxMs, baseMs * 2 ** Math.min(attempts, 30));
}
