import { expect, it } from "vitest";
import { saoPauloDay, startOfDay } from "../../../../src/domain/shared/business-day.ts";
import { addDays } from "../../../../src/domain/shared/calendar-day.ts";
import { givenTransaction, pay } from "../../../support/builders/charges/transaction.ts";
import {
  givenCompany,
  waitUntilDrained,
  type TestCompany,
} from "../../../support/builders/companies/company.ts";
import { env } from "../../../support/builders/companies/env.ts";
import { visit } from "../../../support/builders/console/visit.ts";
import { call } from "../../../support/builders/requests/api.ts";
import { BOLETO_REQUEST } from "../../../support/builders/requests/full-request.ts";
import { changeSettings } from "../../../support/builders/withdraws/approvals.ts";
import { TestClock } from "../../../support/fakes/clock.ts";
import { postOffice, sendDueEmails } from "../../../support/fakes/post-office.ts";
import { expectProblem } from "../../../support/probes/http/problem.ts";

const HOUR_MS = 3_600_000;
const DAYS_UNTIL_DUE = 5;
const REMINDERS = {
  email: true,
  daysBefore: [2, 0],
  daysAfter: [1],
  quietHours: { from: 20, to: 8 },
};

const dayOf = (days: number) => addDays(saoPauloDay(Date.now()), days);
const dueDay = () => dayOf(DAYS_UNTIL_DUE);

/** Runs the cron at an hour of a day. */
async function run(office: ReturnType<typeof postOffice>, day: string, hour: number) {
  const clock = new TestClock();
  clock.advance(startOfDay(day) + hour * HOUR_MS - clock.now());
  await sendDueEmails(office.env, clock);
}

async function givenCharge(company: TestCompany, email: string) {
  return givenTransaction(company, {
    ...BOLETO_REQUEST,
    customer: { ...BOLETO_REQUEST.customer, email },
    boleto: { dueDate: dueDay() },
  });
}

async function givenReminded(email: string) {
  const company = await givenCompany();
  await changeSettings(company, { reminders: REMINDERS });
  const charge = await givenCharge(company, email);
  const office = postOffice();
  const sentTo = () => office.sent.filter(({ to }) => to === email);
  return { company, charge, office, sentTo };
}

async function statusesOf({ id }: TestCompany) {
  const { results } = await env.DB.prepare(
    "SELECT status FROM emails WHERE company_id = ? ORDER BY id",
  )
    .bind(id)
    .all<{ status: string }>();
  return results.map(({ status }) => status);
}

it("a payer is reminded once on each day that the company asks for, out of the quiet hours", async () => {
  const { company, charge, office, sentTo } = await givenReminded("ana.lembrada@example.com");
  await run(office, dayOf(1), 10);
  expect(sentTo()).toEqual([]);
  await run(office, dayOf(3), 10);
  await run(office, dayOf(3), 11);
  expect(sentTo()).toHaveLength(1);
  expect(sentTo()[0]?.text).toContain("vence em 2 dias");
  expect(sentTo()[0]?.text).toContain(`https://pay.example.com/checkout/${charge.secureId}`);
  expect(sentTo()[0]?.headers).toEqual({
    "List-Unsubscribe": `<https://pay.example.com/reminders/stop/${charge.secureId}>`,
    "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
  });
  await run(office, dueDay(), 21);
  expect(sentTo()).toHaveLength(1);
  const { body } = await call(`/api/v1/transactions/${charge.id}/timeline`, { company });
  expect(body.items.filter(({ kind }: { kind: string }) => kind === "reminder")).toMatchObject([
    { number: 1, status: "sent" },
  ]);
  const shown = await visit(company, `/console/payments/${charge.id}`);
  expect(shown.html).toContain("Lembrete 1 enviado ao pagador por e-mail");
});

it("no reminder of a charge that is paid, nor on a later day than its own", async () => {
  const { company, charge, office, sentTo } = await givenReminded("bia.paga@example.com");
  await run(office, dayOf(4), 10);
  expect(sentTo()).toEqual([]);
  await pay(company, charge.id);
  await waitUntilDrained(company);
  await run(office, dueDay(), 10);
  await run(office, dayOf(6), 10);
  expect(sentTo()).toEqual([]);
  expect(await statusesOf(company)).toEqual(["obsolete", "obsolete", "obsolete"]);
});

it("no reminder once the company asks for none any more", async () => {
  const { company, office, sentTo } = await givenReminded("gil.desligado@example.com");
  await changeSettings(company, { reminders: { ...REMINDERS, email: false } });
  await run(office, dayOf(3), 10);
  expect(sentTo()).toEqual([]);
});

it("one that the post office does not take, or that a crash cut off after its record, is never sent again", async () => {
  const { company, office, sentTo } = await givenReminded("caio.uma@example.com");
  office.isClosed = true;
  await run(office, dayOf(3), 10);
  office.isClosed = false;
  await run(office, dayOf(3), 12);
  expect(sentTo()).toEqual([]);
  expect(await statusesOf(company)).toEqual(["failed", "due", "due"]);
});

it("one click stops a company's reminders to a payer; to open the page stops nothing", async () => {
  const { company, charge, office, sentTo } = await givenReminded("Davi.Para@example.com");
  const path = `/reminders/stop/${charge.secureId}`;
  expect((await call(path)).text).toContain("Não receber mais lembretes");
  await run(office, dayOf(3), 10);
  expect(sentTo()).toHaveLength(1);
  const stop = await call(path, {
    method: "POST",
    headers: { "Content-Type": "application/x-www-form-urlencoded" },
    rawBody: "List-Unsubscribe=One-Click",
  });
  expect([stop.status, stop.text.includes("não enviará mais lembretes")]).toEqual([200, true]);
  await givenCharge(company, "davi.para@example.com");
  await run(office, dueDay(), 10);
  expect(office.sent.filter(({ to }) => /davi/iu.test(JSON.stringify(to)))).toHaveLength(1);
  expect((await call("/reminders/stop/unknown", { method: "POST" })).status).toBe(404);
});

it("a company that asks for none plans none, and e-mails that ended a year ago are deleted", async () => {
  const company = await givenCompany();
  await changeSettings(company, { reminders: { ...REMINDERS, email: false } });
  await givenCharge(company, "eva.nada@example.com");
  expect(await statusesOf(company)).toEqual([]);
  const reminded = await givenReminded("fabio.velho@example.com");
  await run(reminded.office, dayOf(10), 10);
  expect(await statusesOf(reminded.company)).toHaveLength(3);
  await run(reminded.office, dayOf(380), 10);
  expect(await statusesOf(reminded.company)).toEqual([]);
});

it("the settings are saved by their form, and refused where a day or an hour is none", async () => {
  const company = await givenCompany();
  const form = { remind: "on", daysBefore: "3, 1", daysAfter: "", from: "19", to: "9" };
  const path = "/console/settings/reminders";
  expect((await visit(company, path, { form })).status).toBe(303);
  const { body } = await call("/api/v1/company/settings", { company });
  const quietHours = { from: 19, to: 9 };
  expect(body.reminders).toEqual({ email: true, daysBefore: [3, 1], daysAfter: [], quietHours });
  for (const wrong of [
    { daysBefore: "tomorrow" },
    { daysAfter: "0" },
    { from: "24" },
    { to: "" },
  ]) {
    const refused = await visit(company, path, { form: { ...form, ...wrong } });
    expect([wrong, refused.status, refused.html.includes("aria-invalid")]).toEqual([
      wrong,
      400,
      true,
    ]);
  }
  await expectProblem(
    await call("/api/v1/company/settings", {
      method: "PUT",
      company,
      body: { reminders: { ...REMINDERS, daysBefore: [31] } },
    }),
    { status: 400, code: "VALIDATION_FAILED", fields: ["reminders.daysBefore.0"] },
  );
});
