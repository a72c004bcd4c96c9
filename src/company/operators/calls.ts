import type { FreezeCause, FreezeChange } from "../../domain/access/freeze.ts";
import { commitAndDrain, commitIfCurrentAndDrain, find } from "../runtime/declare-call.ts";
import type { DecideByOperators } from "./command-types.ts";
import type { Freezes } from "./freezes.ts";
import type { OperatorCommands } from "./operator-commands.ts";

interface Services {
  operators: OperatorCommands;
  freezes: Freezes;
}

interface SetFrozen {
  companyId: number;
  change: FreezeChange;
  cause: FreezeCause;
}

/** The calls about what operators decided, and freezes. */
export const operatorCalls = {
  /** Books what two operators decided, once for each proposal. */
  decideByOperators: commitIfCurrentAndDrain(
    ({ operators }: Services, command: DecideByOperators, now) => operators.decide(command, now),
  ),

  /** Whether a proposal of operators had its effect. */
  hasDecided: find(({ operators }: Services, proposalId: string) =>
    operators.hasDecided(proposalId),
  ),

  /** The operation with this id, which providers know. */
  findOperation: find(({ operators }: Services, operationId: string) =>
    operators.findOperation(operationId),
  ),

  /** The company's freeze; null if it is not frozen. */
  findFreeze: find(({ freezes }: Services, _: void) => freezes.find()),

  /** Whether every way out of the money is stopped. */
  isFrozen: find(({ freezes }: Services, _: void) => freezes.isFrozen()),

  /** While frozen, no caller gets a withdraw, refund, return or credit, and accepted ones are not sent. Announces a change. */
  setFrozen: commitAndDrain(({ freezes }: Services, { change, cause }: SetFrozen, now) =>
    freezes.set(change, cause, now),
  ),
};
