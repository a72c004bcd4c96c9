import { callCompany } from "../../../company-client/stub.ts";
import type { Env } from "../../../config.ts";
import { withdrawTimelineView } from "../../../domain/charges/timeline.ts";
import { withdrawSubject } from "../../../domain/shared/event-subject.ts";
import type { Caller } from "../../../http/context.ts";
import { visibleAttempts } from "../../events/mask.ts";
import { loadEventsAndAttempts } from "../../transactions/timeline/repository.ts";
import { requireWithdraw } from "../service.ts";

/** All that happened about a withdraw, oldest first; attempts only where they may be seen. Throws 404. */
export async function withdrawTimelineOf(env: Env, caller: Caller, withdrawId: string) {
  const { company, scopes } = caller;
  const { id } = await requireWithdraw(env, company, withdrawId);
  const object = { companyId: company.id, id: withdrawSubject(id) };
  const [movements, log] = await Promise.all([
    callCompany(env, company.id, (account) => account.withdrawMovements(id)),
    loadEventsAndAttempts(env, object, { attempts: scopes.has("webhooks:read") }),
  ]);
  const attempts = visibleAttempts(caller, log.attempts);
  return withdrawTimelineView(company.id, movements, { events: log.events, attempts });
}
