import type { Clock } from "../../../domain/shared/clock.ts";
import type { PixApiAccess } from "../../../domain/psp/psp-settings.ts";
import type { DisputeDesk } from "../../dispute-desk.ts";
import type { PixApiClient } from "../client.ts";
import { PixApiDisputeDesk } from "./desk.ts";
import { EfiDisputeDesk } from "./efi-desk.ts";

/** The desk that an account's settings name; null without one. */
export function disputeDeskOf(
  { disputeDesk, baseUrl }: Pick<PixApiAccess, "disputeDesk" | "baseUrl">,
  { client, clock }: { client: PixApiClient; clock: Clock },
): DisputeDesk | null {
  if (disputeDesk === undefined) return null;
  return "kind" in disputeDesk
    ? new EfiDisputeDesk({ client, baseUrl, clock })
    : new PixApiDisputeDesk(client, disputeDesk);
}
