import { call, type Answer, type Call } from "../requests/api.ts";
import type { Clock } from "../../../../src/domain/shared/clock.ts";
import { systemDependencies } from "../../../../src/dependencies.ts";
import type { Dependencies } from "../../../../src/http/context.ts";
import type { TestCompany } from "../companies/env.ts";
import type { WebhookSink } from "../../fakes/webhook-sink.ts";

/** The dependencies of an app whose webhooks go to a sink. */
export function depsWithSink(sink: WebhookSink, clock: Clock): Dependencies {
  return { ...systemDependencies, platformClock: clock, sender: () => sink.deps() };
}

/** `POST /api/v1/webhooks/test`. */
export function sendTestEvent(
  target: { company: TestCompany; sink: WebhookSink; clock: Clock },
  body?: Record<string, unknown>,
  options: Call = {},
): Promise<Answer> {
  return call("/api/v1/webhooks/test", {
    ...options,
    method: "POST",
    company: target.company,
    deps: depsWithSink(target.sink, target.clock),
    ...(body === undefined ? {} : { body }),
  });
}
