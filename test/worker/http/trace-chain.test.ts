import { createExecutionContext, createMessageBatch } from "cloudflare:test";
import { afterEach, expect, it, vi } from "vitest";
import { handleQueue } from "../../../src/queue.ts";
import { queueNotifier } from "../../../src/company/outbox/queue-notifier.ts";
import { parseDeliveryId } from "../../../src/domain/events/delivery.ts";
import type { DeliveryMessage, Env } from "../../../src/config.ts";
import { providerRegistry } from "../../../src/providers/registry.ts";
import { givenPsp } from "../../support/builders/providers/psp.ts";
import { env, givenCompany, waitUntilDrained } from "../../support/builders/companies/company.ts";
import { call } from "../../support/builders/requests/api.ts";
import { createTransaction, givenTransaction } from "../../support/builders/charges/transaction.ts";

const TRACE = "0af7651916cd43dd8448eb211c80319c";
const traceparent = `00-${TRACE}-b7ad6b7169203331-01`;

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

it("one trace id goes from a request through the object, D1 and the queue to the webhook", async () => {
  const company = await givenCompany();
  const { id } = await givenTransaction(company, {
    postbackUrl: "https://loja.example.com/postback",
  });
  const path = `/api/v1/sandbox/transactions/${id}/pay`;
  const paid = await call(path, { company, method: "POST", headers: { traceparent } });
  expect(paid.status).toBe(200);
  await waitUntilDrained(company);
  const event = await env.DB.prepare(
    "SELECT company_sequence AS number, trace_id AS traceId FROM events WHERE company_id = ? AND object_id = ? ORDER BY 1 DESC",
  )
    .bind(company.id, id)
    .first<{ number: number; traceId: string }>();
  expect(event?.traceId).toBe(TRACE);

  const deliveryId = `dlv_${company.id}_${event!.number}_postback`;
  const sent: DeliveryMessage[] = [];
  const WEBHOOKS = {
    sendBatch: async (messages: { body: DeliveryMessage }[]) =>
      void sent.push(...messages.map(({ body }) => body)),
  } as unknown as Env["WEBHOOKS"];
  const traces = new Map([[parseDeliveryId(deliveryId)!.companySequence, TRACE]]);
  await queueNotifier({ ...env, WEBHOOKS }).notifyDeliveries([deliveryId], traces);
  expect(sent).toEqual([{ deliveryId, traceId: TRACE }]);

  const post = vi.fn<typeof fetch>(async () => new Response(null, { status: 204 }));
  vi.stubGlobal("fetch", post);
  const message = { id: "m1", timestamp: new Date(), attempts: 1, body: sent[0] };
  await handleQueue(createMessageBatch("webhooks", [message]), env, createExecutionContext());
  await vi.waitFor(() => expect(post).toHaveBeenCalled());
  const headers = new Headers(post.mock.calls[0]![1]?.headers);
  expect(headers.get("traceparent")).toMatch(new RegExp(`^00-${TRACE}-[0-9a-f]{16}-01$`));
});

it("a PSP's call carries the trace of the request, and a fault is logged with company, host and call", async () => {
  const world = await givenPsp();
  const around = world.env as unknown as Record<string, Pick<Fetcher, "fetch">>;
  const seen: (string | null)[] = [];
  const psp = around["PSP_CERTIFICATE"]!;
  const watched = {
    fetch: async (request: Request) => {
      seen.push(request.headers.get("traceparent"));
      return isDown ? Promise.reject(new Error("connection refused")) : psp.fetch(request);
    },
  };
  let isDown = false;
  const watchedEnv = { ...world.env, PSP_CERTIFICATE: watched };
  const providers = () => providerRegistry(watchedEnv, world.clock);
  const deps = { ...world.deps, providers };
  const options = { deps, env: watchedEnv, headers: { traceparent } };
  expect((await createTransaction(world.company, {}, options)).status).toBe(200);
  expect(seen).toContainEqual(expect.stringContaining(TRACE));

  isDown = true;
  const warned = vi.spyOn(console, "warn");
  await createTransaction(world.company, {}, options);
  const lines = warned.mock.calls.map(([line]) => JSON.parse(line as string));
  expect(lines).toContainEqual(
    expect.objectContaining({
      event: "psp_call_failed",
      traceId: TRACE,
      companyId: world.company.id,
      host: expect.any(String),
      call: "PUT cob",
      fault: "connection",
    }),
  );
});
