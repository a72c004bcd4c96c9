/** How a list shows records: as they are or, where it is behind, as they were so long ago. */
export class ListViews {
  /** How long a change takes to be listed. */
  lagMs = 0;
  readonly #kept = new Map<string, { at: number; view: unknown }[]>();

  /** Keeps how a record looks after a change. */
  keep(id: string, at: number, view: unknown): void {
    const earlier = this.#kept.get(id) ?? [];
    this.#kept.set(id, [...earlier, { at, view: structuredClone(view) }]);
  }

  /** A record as it is listed; at first, before that is listed, as it began. */
  shown(id: string, nowMs: number, current: unknown): unknown {
    if (this.lagMs === 0) return current;
    const kept = this.#kept.get(id) ?? [];
    const listed = kept.findLast(({ at }) => at <= nowMs - this.lagMs) ?? kept[0];
    return listed?.view ?? current;
  }
}
