import { expect, it } from "vitest";
import { pspConfig, pspProvider } from "../../../support/fakes/fake-psp/provider.ts";
import { UNINTELLIGIBLE_FAULTS } from "../../../support/fakes/fake-psp/faults.ts";
import { FakePsp } from "../../../support/fakes/fake-psp/psp.ts";

const URL = "https://psp.example.com";
const DEFENCE = {
  responseId: "019aa6c0-5e00-4d2c-9f31-6b1f0c000001",
  disputeId: "E12345678202611210000abcdefghijk:med1",
  dossier: '{"dispute":{}}',
  dossierSha256: "0".repeat(64),
  text: "Provas do recebedor",
};

function given() {
  const psp = new FakePsp();
  const disputeDesk = { url: `${URL}/med`, takesFurther: false };
  const desk = pspProvider(pspConfig(URL, { disputeDesk }), psp.fetch).disputeDesk!;
  return { psp, desk };
}

it("an account without the setting has no desk", () => {
  expect(pspProvider(pspConfig(URL), new FakePsp().fetch).disputeDesk).toBeNull();
});

it("a dossier is taken under our id, and the PSP's words of it are ours", async () => {
  const { psp, desk } = given();
  expect(await desk.find(DEFENCE)).toEqual({ kind: "not_found" });

  expect(await desk.submit(DEFENCE)).toEqual({ kind: "known", status: "received", answer: null });
  expect(await desk.submit(DEFENCE)).toEqual({ kind: "known", status: "received", answer: null });

  expect([...psp.desk.defences.values()]).toMatchObject([{ dossie: DEFENCE.dossier }]);
  for (const [word, status] of [
    ["EM_ANALISE", "under_analysis"],
    ["ACEITA", "accepted"],
    ["RECUSADA", "refused"],
  ] as const) {
    psp.desk.say(word, "Visto.");
    expect(await desk.find(DEFENCE)).toEqual({ kind: "known", status, answer: "Visto." });
  }
});

it.each(UNINTELLIGIBLE_FAULTS)("an answer that is %s says nothing", async (fault) => {
  const { psp, desk } = given();
  psp.faultOnce(fault);

  expect(await desk.submit(DEFENCE)).toEqual({ kind: "unknown" });
  psp.faultOnce(fault);
  expect(await desk.find(DEFENCE)).toEqual({ kind: "unknown" });
  expect((await desk.submit(DEFENCE)).kind).toBe("known");
});

it("an unknown word, and an answer about another dossier, say nothing", async () => {
  const { psp, desk } = given();
  psp.faultOnce("other_id", /^PUT/);
  expect(await desk.submit(DEFENCE)).toEqual({ kind: "unknown" });

  psp.desk.say("ARQUIVADA");

  expect(await desk.find(DEFENCE)).toEqual({ kind: "unknown" });
});

it("a refusal is looked up first: an earlier call may have got there", async () => {
  const { psp, desk } = given();
  await desk.submit(DEFENCE);

  const again = await desk.submit({ ...DEFENCE, dossier: '{"dispute":{},"later":1}' });

  expect(again).toEqual({ kind: "known", status: "received", answer: null });
  expect(psp.desk.defences.size).toBe(1);
});
