import type { Mismatch } from "../../domain/shared/inspection.ts";
import { canonicalJson } from "../../lib/hash.ts";

/** A projection that differs from its original. */
export interface ProjectionDiff<Snapshot> {
  snapshot: Snapshot;
  /** The original's version. */
  version: number;
  /** The projection's version when it was read; null if there is none. */
  projectedVersion: number | null;
  /** Empty if there is no projection. */
  mismatches: Mismatch[];
  /** Whether the projection may be overwritten with the original. */
  isRewritable: boolean;
}

/**
 * The difference of a snapshot and its projection; empty if they are equal. A projection that differs in a field of
 * `identity` is another one's, which has the number of a restored object's newer one: it is the only copy of a record that
 * the object has lost, so it is not rewritable.
 */
export function diffOf<Snapshot, State extends { version: number }>(
  snapshot: Snapshot,
  state: State,
  projected: State | undefined,
  identity: readonly (keyof State & string)[] = [],
): ProjectionDiff<Snapshot>[] {
  const { version } = state;
  if (projected === undefined) {
    return [{ snapshot, version, projectedVersion: null, mismatches: [], isRewritable: true }];
  }
  const mismatches = mismatchesOf(projected, state);
  const isRewritable = identity.every((field) => projected[field] === state[field]);
  return mismatches.length === 0
    ? []
    : [{ snapshot, version, projectedVersion: projected.version, mismatches, isRewritable }];
}

/** Compares only the snapshot's fields: the projection has more. */
function mismatchesOf<State extends object>(projected: State, snapshot: State): Mismatch[] {
  const fields = Object.keys(snapshot) as (keyof State & string)[];
  return fields
    .map((field) => ({ field, here: projected[field], there: snapshot[field] }))
    .filter(({ here, there }) => canonicalJson(here) !== canonicalJson(there));
}
