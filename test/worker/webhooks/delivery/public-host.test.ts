import {
  createExecutionContext,
  createMessageBatch,
  waitOnExecutionContext,
} from "cloudflare:test";
import { afterEach, expect, it, vi } from "vitest";
import { handleQueue } from "../../../../src/queue.ts";
import { resolveHost } from "../../../../src/webhooks/delivery/public-host.ts";
import { settle } from "../../../support/builders/charges/charge-commands.ts";
import { TestClock } from "../../../support/fakes/clock.ts";
import {
  env,
  givenCompany,
  type TestCompany,
} from "../../../support/builders/companies/company.ts";
import {
  PUBLIC_ADDRESSES,
  SPECIAL_IPV4,
  SPECIAL_IPV6,
} from "../../../support/builders/webhooks/special-addresses.ts";
import { givenTransaction } from "../../../support/builders/charges/transaction.ts";
import { attemptsOf, deliveriesOf } from "../../../support/probes/webhooks/webhook-rows.ts";
import { deployed } from "../../../support/builders/companies/deployed.ts";
import { makeDue } from "../../../support/builders/webhooks/stored-deliveries.ts";
import { WebhookSink } from "../../../support/fakes/webhook-sink.ts";
import { NAMES_OF_PRIVATE_HOSTS } from "../../../support/builders/webhooks/webhook-targets.ts";

const URL_OF_SHOP = "https://loja.example.com/postback";
const [PUBLIC = ""] = PUBLIC_ADDRESSES;
const A = 1;
const CNAME = 5;
const AAAA = 28;

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

/** A company with one delivery that is due, to a name whose addresses a test decides. */
async function givenDue(postbackUrl = URL_OF_SHOP) {
  const clock = new TestClock();
  const sink = new WebhookSink(clock);
  const company = await givenCompany({ clock });
  await settle(company, await givenTransaction(company, { postbackUrl }));
  return { clock, sink, company };
}

interface Records {
  type: number;
  data: string[];
}

/** Cloudflare's resolver as Workers' `node:dns` asks it; answers what was fetched. */
function stubResolver(answers: Partial<Record<"A" | "AAAA", Records[] | Error | "never">>) {
  const asked: string[] = [];
  vi.stubGlobal("fetch", async (input: URL) => {
    const { hostname, searchParams } = new URL(input);
    const type = searchParams.get("type") as "A" | "AAAA";
    asked.push(`${hostname} ${searchParams.get("name")} ${type}`);
    const answer = answers[type];
    if (answer === "never") return new Promise(() => undefined);
    if (answer instanceof Error) throw answer;
    return Response.json({
      Status: 0,
      Question: [{ name: searchParams.get("name"), type: type === "A" ? A : AAAA }],
      ...(answer === undefined
        ? {}
        : {
            Answer: answer.flatMap((records) =>
              records.data.map((data) => ({ name: "x", type: records.type, TTL: 60, data })),
            ),
          }),
    });
  });
  return asked;
}

it.each(NAMES_OF_PRIVATE_HOSTS)(
  "%s is not fetched while it resolves to %s",
  async (url, address) => {
    const { sink, company } = await givenDue(url);
    const asked: string[] = [];
    sink.addresses = (host) => {
      asked.push(host);
      return [address];
    };

    await sink.deliver(company, 1);

    expect(asked).toEqual([new URL(url).hostname]);
    expect(sink.received).toEqual([]);
    expect(await attemptsOf(company)).toMatchObject([
      { httpStatus: null, fault: "private_address" },
    ]);
  },
);

it("a private address fails the attempt, which is retried on schedule and then sent", async () => {
  const { clock, sink, company } = await givenDue();
  sink.addresses = () => ["10.0.0.1"];

  await sink.deliver(company, 1);
  const dueAt = clock.now() + 5_000;
  expect(await deliveriesOf(company)).toMatchObject([{ status: "pending", attempts: 1, dueAt }]);

  sink.addresses = () => [PUBLIC];
  clock.advance(5_000);
  await sink.deliver(company, 1);

  expect(sink.received).toHaveLength(1);
  expect(await deliveriesOf(company)).toMatchObject([{ status: "delivered", attempts: 2 }]);
  expect(await attemptsOf(company)).toMatchObject([
    { httpStatus: null, fault: "private_address", answer: "" },
    { httpStatus: 204, fault: null },
  ]);
});

it("each special address, alone or last among public ones, keeps the request from going", async () => {
  const { clock, sink, company } = await givenDue();
  for (const [name, address] of [...SPECIAL_IPV4, ...SPECIAL_IPV6]) {
    for (const answers of [[address], [...PUBLIC_ADDRESSES, address]]) {
      await makeDue(company, clock.now(), URL_OF_SHOP);
      sink.addresses = () => answers;
      await sink.deliver(company, 1);
      const attempts = await attemptsOf(company);
      expect(attempts, name).toMatchObject([{ fault: "private_address" }]);
    }
  }
  expect(sink.received).toEqual([]);
});

it("public addresses only allow the request", async () => {
  const { sink, company } = await givenDue();
  sink.addresses = () => PUBLIC_ADDRESSES;

  await sink.deliver(company, 1);

  expect(sink.received).toHaveLength(1);
  expect(await deliveriesOf(company)).toMatchObject([{ status: "delivered" }]);
});

it("a name without an address is not fetched, because a late answer would decide what is", async () => {
  const { clock, sink, company } = await givenDue();
  sink.addresses = () => [];

  await sink.deliver(company, 1);
  const dueAt = clock.now() + 5_000;

  expect(sink.received).toEqual([]);
  expect(await attemptsOf(company)).toMatchObject([{ httpStatus: null, fault: "no_address" }]);
  expect(await deliveriesOf(company)).toMatchObject([{ status: "pending", dueAt }]);
});

it("a host resolves to the addresses of both families without the CNAMEs", async () => {
  const asked = stubResolver({
    A: [
      { type: CNAME, data: ["edge.example.net.", "127.0.0.1."] },
      { type: A, data: ["192.0.2.1", "192.0.2.2"] },
    ],
    AAAA: [
      { type: CNAME, data: ["edge.example.net."] },
      { type: AAAA, data: ["2001:db8::1"] },
    ],
  });

  expect(await resolveHost("loja.example.com")).toEqual(["192.0.2.1", "192.0.2.2", "2001:db8::1"]);
  expect(asked).toEqual([
    "cloudflare-dns.com loja.example.com A",
    "cloudflare-dns.com loja.example.com AAAA",
  ]);
});

it.each([
  ["fails", new Error("no network")],
  ["has no answer", undefined],
])("a family that %s does not affect the other family's addresses", async (_how, failing) => {
  stubResolver({ A: [{ type: A, data: ["10.0.0.1"] }], ...(failing ? { AAAA: failing } : {}) });
  expect(await resolveHost("loja.example.com")).toEqual(["10.0.0.1"]);
});

it("a family that takes longer than 2 s does not affect the other family's addresses", async () => {
  const wait = vi.spyOn(scheduler, "wait");
  wait.mockReturnValueOnce(new Promise(() => undefined)).mockResolvedValueOnce();
  stubResolver({ A: [{ type: A, data: ["10.0.0.1"] }], AAAA: "never" });

  expect(await resolveHost("loja.example.com")).toEqual(["10.0.0.1"]);
  expect(wait.mock.calls.map(([ms]) => ms)).toEqual([2_000, 2_000]);
});

it("a failing resolver returns no address", async () => {
  stubResolver({ A: new Error("no network"), AAAA: new Error("no network") });
  expect(await resolveHost("loja.example.com")).toEqual([]);
});

/** What the consumer of an environment does with the hint of the company's first delivery. */
async function consume(company: TestCompany, environment: typeof env): Promise<void> {
  const body = { deliveryId: `dlv_${company.id}_1_postback` };
  const message = { id: "m", timestamp: new Date(), attempts: 1, body };
  const context = createExecutionContext();
  await handleQueue(createMessageBatch("webhooks", [message]), environment, context);
  await waitOnExecutionContext(context);
}

it.each(["sandbox", "production"] as const)(
  "the consumer in %s queries the resolver first",
  async (name) => {
    const { company } = await givenDue();
    const asked = stubResolver({ A: [{ type: A, data: ["10.0.0.1"] }] });

    await consume(company, {
      ...deployed(name),
      WEBHOOKS: { send: async () => undefined } as unknown as typeof env.WEBHOOKS,
    });

    expect(asked).toEqual([
      "cloudflare-dns.com loja.example.com A",
      "cloudflare-dns.com loja.example.com AAAA",
    ]);
    expect(await attemptsOf(company)).toMatchObject([
      { httpStatus: null, fault: "private_address" },
    ]);
  },
);

it("the consumer in local development queries no resolver", async () => {
  const { company } = await givenDue();
  const post = vi.fn<typeof fetch>(async () => new Response(null, { status: 204 }));
  vi.stubGlobal("fetch", post);

  await consume(company, env);

  expect(post.mock.calls.map(([url]) => url)).toEqual([URL_OF_SHOP]);
});
