import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { PSP_PROFILES } from "../../../src/domain/psp/profiles/psp-profiles.ts";
import {
  parseDebitCallback,
  parseMandateCallback,
} from "../../../src/providers/pix-api/automatic/callback.ts";
import { Cobr, Rec } from "../../../src/providers/pix-api/automatic/wire.ts";
import { entriesOf } from "../../../src/providers/pix-api/wire.ts";
import { automaticSubject } from "../../support/fakes/fake-psp/automatic/subject.ts";
import { PSP_RECEIVER } from "../../support/fakes/fake-psp/book.ts";
import { TestClock } from "../../support/fakes/clock.ts";
import { UNINTELLIGIBLE_FAULTS } from "../../support/fakes/fake-psp/faults.ts";
import { pspConfig, pspProvider } from "../../support/fakes/fake-psp/provider.ts";
import { FakePsp } from "../../support/fakes/fake-psp/psp.ts";
import {
  mandateContract,
  scheduled,
  type MandateSubject,
} from "../../support/probes/providers/mandate-contract.ts";
import { mandateFaultContract } from "../../support/probes/providers/mandate-fault-contract.ts";
import { DEVIATIONS, deviationsOf, faultsOf, type Exchange } from "./mandates-judge.ts";
import { noticeOperations, openApiOperations, startPrismProxy, type Operations } from "./prism.ts";
import { servePsp, type Served } from "./server.ts";

let psp = new FakePsp();
let served: Served;
let prism: Served;
let operations: Operations;

beforeAll(async () => {
  served = await servePsp({ answer: (request) => psp.answer(request) });
  operations = await openApiOperations();
  prism = await startPrismProxy(served.url, operations);
});

afterAll(async () => {
  await prism.close();
  await served.close();
});

/** A PSP with nothing in it, and its clock. */
function fresh() {
  const clock = new TestClock();
  psp = new FakePsp(clock);
  return { psp, clock };
}

/** The PSP at Efí's paths: its API below `/v2`, the token beside it. */
async function atEfi(request: Request): Promise<Response> {
  const url = new URL(request.url);
  if (url.pathname === "/oauth/token") return psp.answer(request);
  if (!url.pathname.startsWith("/v2/") || url.pathname === "/v2/oauth/token") {
    return new Response(null, { status: 404 });
  }
  url.pathname = url.pathname.slice("/v2".length);
  return psp.answer(new Request(url, request));
}

/** Behind the central bank's contract: Prism refuses each call and answer that breaks it. */
function behindPrism(): MandateSubject {
  const urls = { url: served.url, overrides: { baseUrl: prism.url } };
  return automaticSubject(fresh(), urls, (request) => fetch(request));
}

mandateContract("Pix Automático by the central bank's contract", behindPrism);

describe("by Efí's paths and its own schemas:", () => {
  const exchanges: Exchange[] = [];
  const seen = new Set<string>();

  const { test, tokenBody, tokenClient } = PSP_PROFILES.efi;
  const profile = { ...test!.value, tokenBody: tokenBody.value, tokenClient: tokenClient.value };
  let efi: Served;

  beforeAll(async () => {
    efi = await servePsp({ answer: atEfi });
  });

  afterAll(() => efi.close());

  /** Where Efí is called: by its profile, whose addresses lead to the fake, each call written down. */
  function behindEfi(): MandateSubject {
    const urls = { url: served.url, overrides: profile };
    return automaticSubject(fresh(), urls, async (request) => {
      const { origin, pathname, search, searchParams } = new URL(request.url);
      expect(origin).toBe(new URL(profile.baseUrl).origin);
      const body = request.method === "GET" ? "" : await request.clone().text();
      const init = body === "" ? {} : { body };
      const { method, headers } = request;
      const answer = await fetch(`${efi.url}${pathname}${search}`, { method, headers, ...init });
      if (pathname !== new URL(profile.tokenUrl).pathname) {
        const text = await answer.clone().text();
        exchanges.push({
          call: `${request.method} ${pathname.slice("/v2".length)}`,
          query: Object.fromEntries(searchParams),
          body: body === "" ? undefined : JSON.parse(body),
          status: answer.status,
          answer: text === "" ? undefined : JSON.parse(text),
        });
      }
      return answer;
    });
  }

  it("there is nothing at Efí but below `/v2`, and its token", async () => {
    for (const path of ["/rec", "/cobr", "/v3/rec", "/v2/oauth/token"]) {
      expect((await fetch(`${efi.url}${path}`)).status).toBe(404);
    }
  });

  afterEach(() => {
    const calls = exchanges.splice(0);
    expect(calls.flatMap(faultsOf)).toEqual([]);
    for (const why of calls.flatMap(deviationsOf)) seen.add(why);
  });

  mandateContract("Pix Automático at Efí", behindEfi);

  it("each listed deviation was met", () => {
    expect([...seen].toSorted()).toEqual(DEVIATIONS.map(({ why }) => why).toSorted());
  });
});

mandateFaultContract("Pix Automático over HTTP", () => {
  const about = fresh();
  const bank = about.psp;
  return {
    ...automaticSubject(about, { url: served.url }, (request) => fetch(request)),
    unintelligible: Object.fromEntries(
      UNINTELLIGIBLE_FAULTS.map((name) => [name, () => bank.faultAlways(name)]),
    ),
    loseResponses: () => bank.faultAlways("reset"),
    clearFaults: () => bank.clearFaults(),
    mandateCount: (subscriptionId) =>
      [...bank.mandates.mandates.values()].filter(
        ({ body }) => body.vinculo.contrato === subscriptionId,
      ).length,
  };
});

it("both webhooks are registered, and hear of each change by the central bank's contract", async () => {
  const receiver = await servePsp({ answer: async () => new Response() });
  const judge = await startPrismProxy(receiver.url, noticeOperations(operations));
  const subject = behindPrism();
  const overrides = { baseUrl: prism.url, receiver: PSP_RECEIVER };
  const bank = pspProvider(pspConfig(served.url, overrides), (request) => fetch(request), subject);
  const hook = judge.url;
  expect(await bank.registerWebhook(hook)).toEqual({ kind: "registered" });
  psp.callbacks.length = 0;

  const { mandate, debit } = await scheduled(subject);
  psp.mandates.cancelByPayer(mandate.mandateId);
  subject.runBanks();
  psp.scheduleCallbacks(() => "twice");
  const heard: unknown[] = [];
  await psp.deliverCallbacks(async (url, text) => {
    const body: unknown = JSON.parse(text);
    const isMandate = url === `${hook}/rec`;
    expect([`${hook}/rec`, `${hook}/cobr`]).toContain(url);
    heard.push(...(isMandate ? parseMandateCallback(body) : parseDebitCallback(body)));
    expect((await postJson(url, text)).status, text).toBe(200);
  });
  expect((await postJson(`${hook}/rec`, '{"recs":[{"idRec":"none"}]}')).status).toBe(422);

  expect(new Set(heard.map((each) => JSON.stringify(each)))).toEqual(
    new Set([
      JSON.stringify({ kind: "mandate", mandateId: mandate.mandateId }),
      JSON.stringify({ kind: "debit", chargeId: debit.chargeId }),
    ]),
  );
  await judge.close();
  await receiver.close();
});

function postJson(url: string, body: string): Promise<Response> {
  return fetch(url, { method: "POST", headers: { "Content-Type": "application/json" }, body });
}

const READERS = new Map<string, (example: any) => unknown>(
  Object.entries({
    "post /rec": (example: unknown) => Rec.parse(example),
    "get /rec/{idRec}": (example: unknown) => Rec.parse(example),
    "patch /rec/{idRec}": (example: unknown) => Rec.parse(example),
    "get /rec": ({ recs }: any) => entriesOf(recs).map((each) => Rec.parse(each)),
    "put /cobr/{txid}": (example: unknown) => Cobr.parse(example),
    "get /cobr/{txid}": (example: unknown) => Cobr.parse(example),
    "patch /cobr/{txid}": (example: unknown) => Cobr.parse(example),
    "post /cobr/{txid}/retentativa/{data}": (example: unknown) => Cobr.parse(example),
    "get /cobr": ({ cobsr }: any) => entriesOf(cobsr).map((each) => Cobr.parse(each)),
  }),
);

it("every example answer of the central bank is read", () => {
  let read = 0;
  for (const { method, path, responses } of operations) {
    const reader = READERS.get(`${method} ${path}`);
    const answers = responses.filter(({ code }) => code.startsWith("2"));
    const examples = answers
      .flatMap(({ contents = [] }) => contents)
      .flatMap((each) => each.examples ?? []);
    for (const example of reader === undefined ? [] : examples) {
      reader?.("value" in example ? example.value : undefined);
      read += 1;
    }
  }
  expect(read).toBeGreaterThan(15);
});
