import { env as bindings } from "cloudflare:workers";
import { expect, it } from "vitest";
import { givenCompany, inAccount } from "../../support/builders/companies/company.ts";
import { eventually } from "../../support/probes/until.ts";

const { SUITE_BEGINS } = bindings as unknown as { SUITE_BEGINS: string };
/** More than any run takes. */
const RUN_MS = 12 * 3_600_000;
const HOUR_MS = 3_600_000;

it("the time of a test has passed from the suite's beginning, whatever the real time is", () => {
  const begin = Date.parse(SUITE_BEGINS);
  for (const now of [Date.now(), new Date().getTime(), Date.parse(Date())]) {
    expect(now).toBeGreaterThanOrEqual(begin);
    expect(now).toBeLessThan(begin + RUN_MS);
  }
});

it("a date of a given time is as ever", () => {
  const date = new Date("2028-02-29T12:00:00.000Z");
  expect(date).toBeInstanceOf(Date);
  expect(structuredClone(date)).toBeInstanceOf(Date);
  expect(date.toISOString()).toBe("2028-02-29T12:00:00.000Z");
  expect(new Date(2028, 1, 29)).toEqual(new Date(Date.UTC(2028, 1, 29)));
});

it("an alarm rings by the suite's time", async () => {
  const { id } = await givenCompany();
  const later = Date.now() + HOUR_MS;
  await inAccount(id, (_account, { storage }) => storage.setAlarm(later));
  const alarmOf = () => inAccount(id, (_account, { storage }) => storage.getAlarm());
  expect(await alarmOf()).toBe(later);

  await inAccount(id, (_account, { storage }) => storage.setAlarm(new Date()));
  await eventually(async () => (await alarmOf()) === null);
});
