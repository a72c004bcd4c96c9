import { recordingQueue } from "../../fakes/recording-queue.ts";
import { call, type Answer, type Call } from "../requests/api.ts";
import type { Clock } from "../../../../src/domain/shared/clock.ts";
import type { TestCompany } from "../companies/env.ts";

/** `POST /api/v1/webhooks/deliveries/resend`, with a queue that sends nothing. */
export function resendRange(
  company: TestCompany,
  body: unknown,
  options: Call & { clock?: Clock } = {},
): Promise<Answer> {
  const { clock, ...rest } = options;
  return call("/api/v1/webhooks/deliveries/resend", {
    env: recordingQueue().env,
    ...rest,
    method: "POST",
    company,
    body,
    ...(clock === undefined ? {} : { deps: { platformClock: clock } }),
  });
}

/** Resends page by page to the end; returns each page's event numbers. */
export async function resendAllPages(
  company: TestCompany,
  body: Record<string, unknown>,
  options: Parameters<typeof resendRange>[2] = {},
): Promise<number[][]> {
  const pages: number[][] = [];
  let after: Record<string, unknown> = {};
  for (let more = true; more;) {
    const answer = await resendRange(company, { ...body, ...after }, options);
    if (answer.status !== 202) throw new Error(`resend answered ${answer.status}: ${answer.text}`);
    pages.push(answer.body.items.map((item: { id: string }) => Number(item.id.split("_")[2])));
    more = answer.body.hasMore;
    after = { after: answer.body.after };
  }
  return pages;
}
