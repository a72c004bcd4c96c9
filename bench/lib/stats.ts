/** The middle one of several figures, the mean of the middle two where they are even in number. */
export function median(figures: number[]): number {
  const sorted = figures.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  const [low, high] = [sorted[Math.ceil(middle) - 1], sorted[Math.floor(middle)]];
  if (low === undefined || high === undefined) throw new Error("no figures have no median");
  return (low + high) / 2;
}

/** The least and the most of several figures. */
export function spreadOf(figures: number[]): [number, number] {
  return [Math.min(...figures), Math.max(...figures)];
}

/** The figure that a share (0 to 1) of all do not exceed. */
export function percentile(figures: number[], share: number): number {
  const sorted = figures.toSorted((a, b) => a - b);
  const found = sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)];
  if (found === undefined) throw new Error("no figures have no percentile");
  return found;
}
