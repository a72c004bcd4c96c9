import type { Stage } from "../lib/stage.ts";

/** One fault of the runbook: how it comes, how it is seen, what its page says to do, how its end is seen. */
export interface Fault {
  name: string;
  /** The page of the runbook that the drill acts by. */
  page: string;
  /** What must be there before. */
  prepare?: (stage: Stage) => Promise<void>;
  /** From outside, as it would happen. */
  inject: (stage: Stage) => Promise<void>;
  isFound: (stage: Stage) => boolean | Promise<boolean>;
  act: (stage: Stage) => Promise<void>;
  isOver: (stage: Stage) => boolean | Promise<boolean>;
}

/** The two sights of a fault that an alarm tells. */
export function toldBy(alarm: string): Pick<Fault, "page" | "isFound" | "isOver"> {
  return {
    page: `runbook/${alarm}.md`,
    isFound: (stage) => stage.isFiring(alarm),
    isOver: (stage) => stage.isResolved(alarm),
  };
}
