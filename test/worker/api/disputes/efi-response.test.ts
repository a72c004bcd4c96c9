import { expect, it } from "vitest";
import { disputePath, submitEvidence } from "../../../support/builders/operations/dispute.ts";
import { deliverCallbacks, givenPsp } from "../../../support/builders/providers/psp.ts";
import { givenTransaction } from "../../../support/builders/charges/transaction.ts";
import { call } from "../../../support/builders/requests/api.ts";
import { CRASH, withD1 } from "../../../support/faults/faulty-env.ts";
import { runCron } from "../../../support/fakes/cron.ts";
import { invalid } from "../../../support/fakes/fake-psp/automatic/mandate-book.ts";

const DAY_MS = 86_400_000;
const MINUTES_MS = 20 * 60_000;

/** A live company at Efí, one of whose payments is disputed, with evidence. */
async function givenAtEfi() {
  const world = await givenPsp({ disputeDesk: { kind: "efi" } });
  const { company, psp, clock, options } = world;
  const charge = await givenTransaction(company, { amount: 2_500 }, options);
  const endToEndId = psp.pay(charge.id.replaceAll("-", ""));
  await deliverCallbacks(world);
  clock.advance(DAY_MS);
  const opened = psp.med.open(endToEndId);
  const id = `${endToEndId}:${psp.dispute(endToEndId)}`;
  await deliverCallbacks(world);
  await submitEvidence(company, id, { text: "Entregue à cliente." }, options);
  const send = (env = world.env) =>
    call(`${disputePath(id)}/response`, { ...options, env, method: "POST", company });
  const shown = async () =>
    (await call(disputePath(id), { ...options, company })).body.data.response;
  const later = async (ms = MINUTES_MS) => {
    clock.advance(ms);
    await runCron(world.deps, world.env, ["ask_about_responses"]);
  };
  return { ...world, id, opened, send, shown, later };
}

it("Efí gets the dossier as a text, the merchant's word first, and its words are kept until the end", async () => {
  const { psp, opened, send, shown, later } = await givenAtEfi();
  const answer = await send();
  expect(answer.status).toBe(200);
  const { id } = answer.body.data.response;

  const [sent] = psp.med.defences as [{ justificativa: string }];
  expect(sent).toMatchObject({ analise: "rejeitado" });
  const [head, empty, title, ...rest] = sent.justificativa.split("\n");
  expect([head, empty, title]).toEqual([`Defesa ${id}`, "", "Provas do recebedor"]);
  expect(rest).toContain("Declaração: Entregue à cliente.");
  expect(rest).toContain(`EndToEndId: ${opened.endToEndId}`);
  expect(await shown()).toMatchObject({ status: "under_analysis", answer: null });

  opened.status = "REJEITADA";
  opened.justificativaAnalista = "Não foi identificada a fraude.";
  await later();
  expect(await shown()).toMatchObject({
    status: "accepted",
    answer: "Não foi identificada a fraude.",
  });
  expect(psp.med.defences).toHaveLength(1);
});

it("a case that Efí cancels is withdrawn, and asked about no more", async () => {
  const { psp, opened, send, shown, later } = await givenAtEfi();
  await send();
  opened.status = "CANCELADA_EFI";
  await later();
  expect(await shown()).toMatchObject({ status: "withdrawn" });

  const asked = psp.requests.length;
  await later(DAY_MS);
  expect(psp.requests).toHaveLength(asked);
});

it("a process that dies after Efí took the defence sends no second one", async () => {
  const { psp, env, send, shown, later } = await givenAtEfi();
  let isDead = false;
  const dying = withD1(env, async (sql, run) => {
    isDead ||= psp.med.defences.length > 0;
    if (isDead) throw new Error(`${CRASH}: ${sql}`);
    return run();
  });
  expect((await send(dying)).status).toBeGreaterThanOrEqual(500);
  expect(psp.med.defences).toHaveLength(1);
  expect(await shown()).toMatchObject({ status: "sending" });

  await later();

  expect(await shown()).toMatchObject({ status: "under_analysis" });
  expect(psp.med.defences).toHaveLength(1);
});

it("an answer that was lost is looked up, and nothing is sent twice", async () => {
  const { psp, send, shown, later } = await givenAtEfi();
  psp.faultOnce("reset", /^POST \/gn/);
  const defend = psp.med.defend.bind(psp.med);
  // Neither the defence nor the list after it answers.
  psp.med.defend = (id, body) => {
    psp.faultOnce("unavailable", /^GET \/gn/);
    return defend(id, body);
  };
  expect((await send()).status).toBe(202);
  expect(await shown()).toMatchObject({ status: "sending" });
  expect((await send()).status).toBe(202);

  await later();

  expect(await shown()).toMatchObject({ status: "under_analysis" });
  expect(psp.med.defences).toHaveLength(1);
});

it("a deadline of Efí's that is earlier than ours refuses the dossier in words", async () => {
  const { psp, opened, send, shown } = await givenAtEfi();
  const { abertura } = opened.dadosAnalise;
  opened.dadosAnalise.prazoFinalizacao = new Date(Date.parse(abertura) - 1).toISOString();

  expect((await send()).status).toBe(200);

  expect(psp.med.defences).toEqual([]);
  expect(await shown()).toMatchObject({
    status: "refused",
    answer: expect.stringContaining("Efí took defences of the case until"),
  });
});

it("a case that Efí does not list yet is waited for, and answered once it is there", async () => {
  const { psp, opened, send, shown, later } = await givenAtEfi();
  psp.med.cases.length = 0;
  expect((await send()).status).toBe(202);
  await later();
  expect(await shown()).toMatchObject({ status: "sending" });
  psp.med.cases.push(opened);

  await later(DAY_MS);

  expect(await shown()).toMatchObject({ status: "under_analysis" });
  expect(psp.med.defences).toHaveLength(1);
});

it("a defence that Efí did not take may be sent again, as it is then", async () => {
  const { psp, send, shown } = await givenAtEfi();
  const defend = psp.med.defend.bind(psp.med);
  psp.med.defend = () => invalid("JustificativaInvalida", "A justificativa é longa demais.");
  expect((await send()).status).toBe(200);
  expect(await shown()).toMatchObject({ status: "refused" });
  psp.med.defend = defend;

  expect((await send()).status).toBe(200);
  expect(await shown()).toMatchObject({ status: "under_analysis" });
  expect(psp.med.defences).toHaveLength(1);
});
