/** The median. Throws for an empty list. */
export function median(figures: number[]): number {
  const sorted = figures.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  const [low, high] = [sorted[Math.ceil(middle) - 1], sorted[Math.floor(middle)]];
  if (low === undefined || high === undefined) throw new Error("an empty list has no median");
  return (low + high) / 2;
}

/** Minimum and maximum. */
export function spreadOf(figures: number[]): [number, number] {
  return [Math.min(...figures), Math.max(...figures)];
}

/** The figure that a share (0 to 1) of all figures does not exceed. Throws for an empty list. */
export function percentile(figures: number[], share: number): number {
  const sorted = figures.toSorted((a, b) => a - b);
  const found = sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)];
  if (found === undefined) throw new Error("an empty list has no percentile");
  return found;
}
