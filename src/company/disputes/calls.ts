import {
  commitAndDrain,
  commitIfCurrentAndDrain,
  find,
  fromClient,
} from "../runtime/declare-call.ts";
import type { RecordDispute, SubmitEvidence } from "./command-types.ts";
import type { DisputeCommands } from "./dispute-commands.ts";
import type { EvidenceCommands } from "./evidence-commands.ts";

interface Services {
  disputes: DisputeCommands;
  evidence: EvidenceCommands;
}

/** The calls about disputes and chargebacks. */
export const disputeCalls = {
  recordDispute: commitAndDrain(({ disputes }: Services, command: RecordDispute, now) =>
    disputes.record(command, now),
  ),

  findDispute: find(({ disputes }: Services, disputeId: string) => disputes.find(disputeId)),

  submitEvidence: fromClient(
    commitIfCurrentAndDrain(({ evidence }: Services, command: SubmitEvidence, now) =>
      evidence.submit(command, now),
    ),
  ),
};
