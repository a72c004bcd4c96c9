import { expect, it } from "vitest";
import { givenCompany } from "../../../support/builders/companies/company.ts";
import {
  disputePath,
  givenDisputed,
  submitEvidence,
} from "../../../support/builders/operations/dispute.ts";
import { resolveDispute } from "../../../support/builders/operations/refund.ts";
import { dispute, givenSettled } from "../../../support/builders/operations/object-operations.ts";
import { call, type Call } from "../../../support/builders/requests/api.ts";
import { TestClock } from "../../../support/fakes/clock.ts";
import { cronDeps, runCron } from "../../../support/fakes/cron.ts";
import { FakeBank } from "../../../support/fakes/fake-bank.ts";
import { FakeDesk } from "../../../support/fakes/fake-desk.ts";
import { anyTime } from "../../../support/probes/http/matchers.ts";
import { expectDocumented } from "../../../support/probes/http/documented.ts";
import { expectProblem } from "../../../support/probes/http/problem.ts";

const DAY_MS = 86_400_000;
const MINUTES_MS = 20 * 60_000;

/** A disputed payment at a bank with a desk. */
async function givenAtBank(desk: FakeDesk | null = new FakeDesk()) {
  const clock = new TestClock();
  const company = await givenCompany({ clock });
  const transaction = await givenSettled(company, 2_500);
  await dispute(company, transaction, { reason: "MED_FRAUD" });
  const id = `dispute of ${transaction.id}`;
  if (desk !== null) desk.disputeId = id;
  const bank = Object.assign(new FakeBank(), { disputeDesk: desk });
  const deps = cronDeps(clock, bank);
  const send = ({ key, ...options }: Call & { key?: string } = {}) =>
    call(`${disputePath(id)}/response`, {
      ...options,
      method: "POST",
      company,
      deps,
      ...(key === undefined ? {} : { headers: { "Idempotency-Key": key } }),
    });
  const shown = async () => (await call(disputePath(id), { company, deps })).body.data.response;
  const later = async (ms = MINUTES_MS) => {
    clock.advance(ms);
    await runCron(deps, undefined, ["ask_about_responses"]);
  };
  const says = (status: "WON" | "LOST") => dispute(company, transaction, { status });
  return { company, bank, id, desk: desk ?? new FakeDesk(), send, shown, later, says };
}

it("the sandbox's bank takes the dossier, and says what became of the dispute", async () => {
  const company = await givenCompany();
  const { id, transactionId } = await givenDisputed(company);
  await submitEvidence(company, id, { text: "Entregue." });

  const answer = await call(`${disputePath(id)}/response`, { method: "POST", company });

  expect(answer.status).toBe(200);
  expect(answer.body.data.response).toEqual({
    id: expect.any(String),
    version: 1,
    status: "received",
    answer: null,
    sentAt: anyTime,
    answeredAt: anyTime,
  });
  await expectDocumented("POST /api/v1/disputes/{id}/response", answer);
  const listed = await call("/api/v1/disputes", { company });
  expect(listed.body.items[0].response).toEqual(answer.body.data.response);
  await resolveDispute(company, transactionId, "won");
  await expectProblem(await call(`${disputePath(id)}/response`, { method: "POST", company }), {
    status: 409,
    code: "INVALID_STATE",
  });
});

it("the sandbox's bank is asked by the company's own clock", async () => {
  const company = await givenCompany();
  const { id } = await givenDisputed(company);
  const body = { advance: "P2D" };
  await call("/api/v1/sandbox/clock", { method: "POST", company, body });
  await call(`${disputePath(id)}/response`, { method: "POST", company });

  const { body: ran } = await call("/api/v1/sandbox/clock", { method: "POST", company, body });

  expect(ran.data.ran).toContainEqual(expect.objectContaining({ kind: "dispute_response", id }));
  const shown = await call(disputePath(id), { company });
  expect(shown.body.data.response).toMatchObject({ status: "under_analysis" });
});

it("the bank gets the whole signed dossier under an id of ours, and its words are kept until the final one", async () => {
  const { desk, send, shown, later } = await givenAtBank();
  const answer = await send();
  expect(answer.status).toBe(200);
  const [sent] = desk.submitted;
  expect(JSON.parse(sent!.dossier)).toMatchObject({ dispute: {}, signature: {} });
  expect(sent!.responseId).toBe(answer.body.data.response.id);

  desk.say("under_analysis");
  await later();
  expect(await shown()).toMatchObject({ status: "under_analysis", answer: null });
  desk.say("received");
  await later();
  expect(await shown()).toMatchObject({ status: "under_analysis" });
  desk.say("accepted", "Contestação encerrada.");
  await later(DAY_MS);
  expect(await shown()).toMatchObject({ status: "accepted", answer: "Contestação encerrada." });

  const asked = desk.lookups.length;
  await later(DAY_MS);
  expect(desk.lookups).toHaveLength(asked);
  expect(desk.submitted).toHaveLength(1);
});

it("an answer that was lost is looked up, and nothing is sent twice", async () => {
  const { desk, send, shown, later } = await givenAtBank();
  desk.next("answer_lost");

  const answer = await send();
  expect(answer.status).toBe(202);
  expect(answer.body.data.response).toMatchObject({ status: "sending", answeredAt: null });
  const repeat = await send();
  expect(repeat.body.data.response.id).toBe(answer.body.data.response.id);
  await later();

  expect(await shown()).toMatchObject({ status: "received" });
  expect(desk.submitted).toHaveLength(1);
});

it("a call that was lost is sent again under the same id, once the bank says that it has nothing", async () => {
  const { desk, send, shown, later } = await givenAtBank();
  desk.next("call_lost");
  const { id } = (await send()).body.data.response;

  desk.next("call_lost");
  await later();
  expect(desk.submitted).toEqual([]);
  await later();

  expect(desk.submitted.map(({ responseId }) => responseId)).toEqual([id]);
  expect(await shown()).toMatchObject({ id, status: "received" });
});

it("a desk that throws says nothing, and is asked again", async () => {
  const { desk, send, shown, later } = await givenAtBank();
  desk.next("broken");
  expect((await send()).status).toBe(202);

  await later();

  expect(await shown()).toMatchObject({ status: "received" });
});

it("what the bank never got is not sent after the dispute's end, and says so", async () => {
  const { desk, send, shown, later, says } = await givenAtBank();
  desk.next("call_lost");
  await send();
  await says("LOST");

  await later();

  expect(desk.submitted).toEqual([]);
  expect(await shown()).toMatchObject({ status: "not_sent" });
});

it("what the bank never got is not sent after the deadline", async () => {
  const { desk, send, shown, later } = await givenAtBank();
  desk.next("call_lost");
  await send();

  await later(8 * DAY_MS);

  expect(desk.submitted).toEqual([]);
  expect(await shown()).toMatchObject({ status: "not_sent" });
});

it("a bank that never says whether it has it is asked a month after the dispute is over", async () => {
  const { desk, send, shown, later, says } = await givenAtBank();
  desk.next("call_lost");
  await send();
  await says("LOST");
  desk.disputeId = "another one's";

  await later(29 * DAY_MS);
  expect(await shown()).toMatchObject({ status: "sending" });
  await later(2 * DAY_MS);

  expect(await shown()).toMatchObject({ status: "no_answer", answeredAt: anyTime });
});

it("a bank that takes no dossiers any more is not asked once the dispute is over", async () => {
  const { bank, desk, send, shown, later, says } = await givenAtBank();
  desk.next("call_lost");
  await send();
  bank.disputeDesk = null;

  await later();
  expect(await shown()).toMatchObject({ status: "sending" });
  await says("WON");
  await later(DAY_MS);

  expect(await shown()).toMatchObject({ status: "no_answer" });
});

it("a refusal is the bank's final word, in its own words", async () => {
  const { desk, send, shown } = await givenAtBank();
  desk.next("refused");

  expect((await send()).status).toBe(200);

  expect(await shown()).toMatchObject({ status: "refused", answer: "O prazo terminou." });
});

it("a further dossier goes only where the bank takes it, and a key repeats its own", async () => {
  const { desk, send, shown } = await givenAtBank();
  const first = await send({ key: "response_1" });
  const replayed = await send({ key: "response_1" });
  expect(replayed.headers.get("Idempotent-Replayed")).toBe("true");
  expect(replayed.body.data.response).toEqual(first.body.data.response);
  await expectProblem(await send(), { status: 409, code: "INVALID_STATE" });
  expect(desk.submitted).toHaveLength(1);

  desk.takesFurther = true;
  expect((await send()).body.data.response).toMatchObject({ version: 2, status: "received" });
  expect(await shown()).toMatchObject({ version: 2 });
  const again = await send({ key: "response_1" });
  expect(again.body.data.response).toEqual(first.body.data.response);
  expect(desk.submitted).toHaveLength(2);
});

it("a bank without a desk, a passed deadline and an unknown dispute are refused", async () => {
  const without = await givenAtBank(null);
  await expectProblem(await without.send(), { status: 422, code: "NOT_SUPPORTED_BY_PROVIDER" });
  await expectProblem(
    await call(`${disputePath("D9")}/response`, { method: "POST", company: without.company }),
    { status: 404, code: "NOT_FOUND" },
  );
  const { desk, send, shown, later } = await givenAtBank();
  await later(8 * DAY_MS);
  await expectProblem(await send(), { status: 422, code: "EVIDENCE_DEADLINE_PASSED" });
  expect([desk.submitted, await shown()]).toEqual([[], null]);
});
