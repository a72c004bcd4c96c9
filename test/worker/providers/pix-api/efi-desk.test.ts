import { expect, it } from "vitest";
import { TestClock } from "../../../support/fakes/clock.ts";
import { FAULTS, UNINTELLIGIBLE_FAULTS } from "../../../support/fakes/fake-psp/faults.ts";
import { pspConfig, pspProvider } from "../../../support/fakes/fake-psp/provider.ts";
import { FakePsp } from "../../../support/fakes/fake-psp/psp.ts";

const BASE_URL = "https://psp.example.com/v2";
const DAY_MS = 86_400_000;
const POST = /^POST \/gn/;
const LIST = /^GET \/gn/;
const RECEIVED = { kind: "known", status: "received", answer: null };
const ANALYSED = { kind: "known", status: "under_analysis", answer: null };
const UNKNOWN = { kind: "unknown" };

/** A payment that its payer's bank has reported a day later. */
function given() {
  const clock = new TestClock();
  const psp = new FakePsp(clock);
  const config = pspConfig(BASE_URL, { disputeDesk: { kind: "efi" } });
  const queries: URLSearchParams[] = [];
  const onCall = { do: () => {} };
  const fetcher = (request: Request) => {
    const url = request.url.replace("/v2/gn/", "/gn/").replace("/v2/oauth", "/oauth");
    if (url.includes("/gn/")) onCall.do();
    if (request.method === "GET") queries.push(new URL(url).searchParams);
    return psp.fetch(new Request(url, request));
  };
  const desk = pspProvider(config, fetcher, { clock }).disputeDesk!;
  const endToEndId = psp.payKey("25.00");
  const paidAt = clock.now();
  clock.advance(DAY_MS);
  const opened = psp.med.open(endToEndId);
  const defence = {
    responseId: "019aa6c0-5e00-4d2c-9f31-6b1f0c000001",
    disputeId: `${endToEndId}:med1`,
    dossier: '{"dispute":{}}',
    dossierSha256: "0".repeat(64),
    text: "Provas do recebedor\nDeclaração: Entregue.",
  };
  return { clock, psp, med: psp.med, desk, opened, defence, queries, paidAt, onCall };
}

it("a defence goes once to the case of the payment, as text under our id", async () => {
  const { med, desk, opened, defence } = given();
  expect(await desk.find(defence)).toEqual({ kind: "not_found" });

  expect(await desk.submit(defence)).toMatchObject({ kind: "known" });
  expect(await desk.submit(defence)).toEqual(ANALYSED);

  const justificativa = `Defesa ${defence.responseId}\n\n${defence.text}`;
  expect(med.defences).toEqual([{ analise: "rejeitado", justificativa }]);
  expect(opened.defesa).toBe(justificativa);
  expect(desk.takesFurther).toBe(false);
});

it.each(UNINTELLIGIBLE_FAULTS)(
  "an answer to the defence that is %s is looked up in the list",
  async (fault) => {
    const { psp, med, desk, defence } = given();
    psp.faultOnce(fault, POST);

    const said = await desk.submit(defence);

    const { isApplied } = FAULTS[fault];
    expect(said.kind).toBe(isApplied ? "known" : "unknown");
    expect(med.defences).toHaveLength(isApplied ? 1 : 0);
    expect((await desk.submit(defence)).kind).toBe("known");
    expect(med.defences).toHaveLength(1);
  },
);

it("a lost answer is looked up before anything is sent again", async () => {
  const { psp, med, desk, defence, onCall } = given();
  psp.faultOnce("reset", POST);
  // The list before the defence answers, the one after it does not.
  onCall.do = () => {
    if (med.defences.length === 1) psp.faultOnce("unavailable", LIST);
  };
  expect(await desk.submit(defence)).toEqual(UNKNOWN);
  expect(med.defences).toHaveLength(1);

  onCall.do = () => {};
  psp.clearFaults();
  expect(await desk.find(defence)).toEqual(ANALYSED);
  expect(await desk.submit(defence)).toEqual(ANALYSED);
  expect(med.defences).toHaveLength(1);
});

it("an empty answer to the defence is the one that the package types", async () => {
  const { psp, desk, defence } = given();
  psp.faultOnce("empty", POST);

  expect(await desk.submit(defence)).toEqual(RECEIVED);
});

it("a case that is open still but has our defence was received", async () => {
  const { med, desk, opened, defence } = given();
  opened.defesa = `Defesa ${defence.responseId}`;
  expect(await desk.find(defence)).toEqual(RECEIVED);
  expect(await desk.submit(defence)).toEqual(RECEIVED);

  delete opened.defesa;
  opened.dadosAnalise.recebimentoDefesa = opened.dadosAnalise.abertura;
  expect(await desk.find(defence)).toEqual(RECEIVED);
  expect(med.defences).toEqual([]);
});

it.each(["EM_DEFESA", "ACEITA", "REJEITADA", "CANCELADA_EFI"] as const)(
  "a case that is %s takes no first defence, and the refusal says so",
  async (status) => {
    const { psp, desk, opened, defence } = given();
    opened.status = status;

    expect(await desk.submit(defence)).toEqual({
      kind: "refused",
      reason: `The case is ${status} at Efí: only one that is ABERTA takes a defence`,
    });
    expect(psp.requests.filter((call) => POST.test(call))).toEqual([]);
  },
);

it("a case that somebody else has answered takes no second defence", async () => {
  const { psp, desk, opened, defence } = given();
  opened.defesa = "Escrita no painel.";
  const refused = { kind: "refused", reason: "The case has another defence at Efí already" };
  expect(await desk.find(defence)).toEqual({ kind: "not_found" });
  expect(await desk.submit(defence)).toEqual(refused);

  opened.status = "EM_DEFESA";
  expect(await desk.find(defence)).toEqual({ kind: "not_found" });
  delete opened.defesa;
  opened.status = "ABERTA";
  opened.dadosAnalise.recebimentoDefesa = opened.dadosAnalise.abertura;
  expect(await desk.submit(defence)).toEqual(refused);
  expect(psp.requests.filter((call) => POST.test(call))).toEqual([]);
});

it("after the case's deadline nothing is sent, and the refusal names it", async () => {
  const { clock, psp, desk, opened, defence } = given();
  const { prazoFinalizacao } = opened.dadosAnalise;
  clock.advance(Date.parse(prazoFinalizacao) + 1 - clock.now());

  expect(await desk.submit(defence)).toEqual({
    kind: "refused",
    reason: `Efí took defences of the case until ${prazoFinalizacao}`,
  });
  expect(psp.requests.filter((call) => POST.test(call))).toEqual([]);
});

it("in the last moment before the deadline it is sent", async () => {
  const { clock, med, desk, opened, defence } = given();
  clock.advance(Date.parse(opened.dadosAnalise.prazoFinalizacao) - clock.now());

  expect((await desk.submit(defence)).kind).toBe("known");
  expect(med.defences).toHaveLength(1);
});

it("a deadline that cannot be read is Efí's to judge, whose refusal is kept in its words", async () => {
  const { desk, opened, defence } = given();
  opened.dadosAnalise.prazoFinalizacao = "em breve";

  expect(await desk.submit(defence)).toEqual({
    kind: "refused",
    reason: "O prazo para defesa foi excedido.",
  });
});

it("the case is found on the second page", async () => {
  const { psp, med, desk, opened, defence } = given();
  for (let other = 0; other < 120; other++) med.open(psp.payKey("1.00"));
  med.cases.reverse();

  expect((await desk.submit(defence)).kind).toBe("known");
  expect(opened.defesa).toContain(defence.responseId);
});

it("the list is asked from the day before the payment until now", async () => {
  const { clock, desk, defence, queries, paidAt } = given();
  clock.advance(80 * DAY_MS);

  expect(await desk.find(defence)).toEqual({ kind: "not_found" });

  const [query] = queries;
  const minute = Math.floor(paidAt / 60_000) * 60_000;
  expect(query!.get("inicio")).toBe(new Date(minute - DAY_MS).toISOString());
  expect(query!.get("fim")).toBe(new Date(clock.now()).toISOString());
});

it.each([
  ["REJEITADA", "accepted"],
  ["ACEITA", "refused"],
  ["CANCELADA_EFI", "withdrawn"],
] as const)("%s is our %s, with the analyst's words", async (word, status) => {
  const { desk, opened, defence } = given();
  await desk.submit(defence);
  expect(await desk.find(defence)).toEqual(ANALYSED);

  opened.status = word;
  expect(await desk.find(defence)).toEqual({ kind: "known", status, answer: null });
  opened.justificativaAnalista = "Visto.";
  expect(await desk.find(defence)).toEqual({ kind: "known", status, answer: "Visto." });
});

it("of several cases of a payment ours counts, then the open one, then the last", async () => {
  const { med, desk, opened, defence } = given();
  opened.status = "CANCELADA_EFI";
  const second = med.open(opened.endToEndId);
  const third = med.open(opened.endToEndId);
  third.status = "REJEITADA";
  await desk.submit(defence);
  expect(second.defesa).toContain(defence.responseId);
  expect(await desk.find(defence)).toEqual(ANALYSED);

  delete second.defesa;
  second.status = "CANCELADA_EFI";
  expect(await desk.find(defence)).toMatchObject({ status: "accepted" });
  // With another text it was an earlier dispute's.
  third.defesa = "Defesa de outra contestação";
  expect(await desk.find(defence)).toMatchObject({ status: "withdrawn" });
});

it("a case that is not listed, or cannot be read, says nothing", async () => {
  const { med, desk, opened, defence } = given();
  Object.assign(opened, { status: "ARQUIVADA" });
  expect(await desk.submit(defence)).toEqual(UNKNOWN);
  expect(await desk.find(defence)).toEqual(UNKNOWN);

  med.cases.length = 0;
  expect(await desk.submit(defence)).toEqual(UNKNOWN);
  expect(await desk.find(defence)).toEqual(UNKNOWN);
  expect(med.defences).toEqual([]);
});

it("an unreadable case of another payment hides none", async () => {
  const { psp, med, desk, defence } = given();
  Object.assign(med.open(psp.payKey("1.00")), { status: "ARQUIVADA" });

  expect((await desk.submit(defence)).kind).toBe("known");
});

it("a list that does not answer whole says nothing", async () => {
  const { psp, med, desk, defence } = given();
  for (const fault of ["unavailable", "not_json", "malformed"] as const) {
    psp.faultOnce(fault, LIST);
    expect(await desk.submit(defence)).toEqual(UNKNOWN);
  }
  expect(med.defences).toEqual([]);
});

it("what was asked for so long ago that nobody waits for it is not sent", async () => {
  const { clock, psp, desk, defence, onCall } = given();
  onCall.do = () => clock.advance(15_001);

  expect(await desk.submit(defence)).toEqual(UNKNOWN);
  expect(psp.requests.filter((call) => POST.test(call))).toEqual([]);
});

it("a dispute whose id names no payment's time says nothing", async () => {
  const { psp, desk, defence } = given();

  expect(await desk.submit({ ...defence, disputeId: "D1" })).toEqual(UNKNOWN);
  expect(psp.requests).toEqual([]);
});
