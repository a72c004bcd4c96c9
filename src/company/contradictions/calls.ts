import { commitAndDrain, find } from "../runtime/declare-call.ts";
import type { ContradictionStore, Finding } from "./contradiction-store.ts";

interface Services {
  stores: { contradictions: ContradictionStore };
}

interface RecordFinding {
  companyId: number;
  finding: Finding;
}

/** The calls about contradictions. */
export const contradictionCalls = {
  /** Opens a contradiction for a finding, once; returns its number. */
  recordFinding: commitAndDrain(
    ({ stores }: Services, { finding }: RecordFinding, now) =>
      stores.contradictions.open(finding, now).number,
  ),

  findContradiction: find(({ stores }: Services, number: number) =>
    stores.contradictions.find(number),
  ),
};
