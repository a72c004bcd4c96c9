import * as efi from "sdk-node-apis-efi";
import { afterAll, beforeAll, expect, it } from "vitest";
import { PSP_PROFILES } from "../../../src/domain/psp/profiles/psp-profiles.ts";
import { TestClock } from "../../support/fakes/clock.ts";
import { pspConfig, pspProvider } from "../../support/fakes/fake-psp/provider.ts";
import { FakePsp } from "../../support/fakes/fake-psp/psp.ts";
import { servePsp, type Served } from "./server.ts";

const DEFENCE = /^POST \/v2\/gn\/infracoes\/([^/]+)\/defesa$/;
const clock = new TestClock();
const psp = new FakePsp(clock);
/** Each call with what Efí's own package does not take of it. */
const calls: { call: string; faults: unknown[] }[] = [];
let served: Served;

beforeAll(async () => {
  served = await servePsp({ answer: (request) => psp.answer(request) });
});

afterAll(() => served.close());

/** Efí at the addresses of its profile, which lead to the fake; its package judges each call. */
async function judged(request: Request): Promise<Response> {
  const { pathname, search, searchParams } = new URL(request.url);
  const text = request.method === "GET" ? "" : await request.clone().text();
  const { method, headers } = request;
  const url = `${served.url}${pathname.replace(/^\/v2/, "")}${search}`;
  const answer = await fetch(url, { method, headers, ...(text === "" ? {} : { body: text }) });
  const call = `${method} ${pathname}`;
  if (call.startsWith("POST /oauth")) return answer;
  const [, idInfracao] = DEFENCE.exec(call) ?? [];
  const query = Object.fromEntries(
    Array.from(searchParams, ([name, value]) => [
      name,
      name.startsWith("paginacao.") ? Number(value) : value,
    ]),
  );
  const verdicts =
    idInfracao === undefined
      ? [
          efi.MedListParamsSchema.safeParse(query),
          efi.MedListResponseSchema.safeParse(await answer.clone().json()),
        ]
      : [
          efi.MedSubmitDefenseParamsSchema.safeParse({ idInfracao }),
          efi.MedSubmitDefenseBodySchema.safeParse(JSON.parse(text)),
        ];
  calls.push({ call, faults: verdicts.flatMap(({ error }) => error?.issues ?? []) });
  return answer;
}

it("a defence from its list to its end passes Efí's own schemas, on each page", async () => {
  const { baseUrl, tokenUrl } = PSP_PROFILES.efi.test!.value;
  const settings = { baseUrl, tokenUrl, tokenBody: PSP_PROFILES.efi.tokenBody.value };
  const config = pspConfig(served.url, { ...settings, disputeDesk: { kind: "efi" } });
  const desk = pspProvider(config, judged, { clock }).disputeDesk!;
  for (let other = 0; other < 120; other++) psp.med.open(psp.payKey("1.00"));
  const endToEndId = psp.payKey("25.00");
  const opened = psp.med.open(endToEndId);
  const defence = {
    responseId: "019aa6c0-5e00-4d2c-9f31-6b1f0c000001",
    disputeId: `${endToEndId}:med1`,
    dossier: "{}",
    dossierSha256: "0".repeat(64),
    text: "Provas do recebedor\nDeclaração: Entregue.",
  };

  expect(await desk.submit(defence)).toMatchObject({ status: "under_analysis" });
  for (const status of ["REJEITADA", "ACEITA", "CANCELADA_EFI"] as const) {
    opened.status = status;
    opened.justificativaAnalista = "Visto.";
    expect(await desk.find(defence)).toMatchObject({ kind: "known", answer: "Visto." });
  }

  const list = "GET /v2/gn/infracoes";
  const post = `POST /v2/gn/infracoes/${opened.idInfracao}/defesa`;
  expect(calls.map(({ call }) => call).slice(0, 5)).toEqual([list, list, post, list, list]);
  expect(calls.filter(({ faults }) => faults.length > 0)).toEqual([]);
});
