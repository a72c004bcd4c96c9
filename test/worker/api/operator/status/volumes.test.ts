import { expect, it } from "vitest";
import { watchService } from "../../../../../src/api/operator/alarms/tasks.ts";
import { systemDependencies } from "../../../../../src/dependencies.ts";
import { saoPauloDay } from "../../../../../src/domain/shared/business-day.ts";
import { addDays } from "../../../../../src/domain/shared/calendar-day.ts";
import { env, givenCompany } from "../../../../support/builders/companies/company.ts";
import { callAsOperator } from "../../../../support/builders/companies/operator.ts";
import { noonOfToday, TestClock } from "../../../../support/fakes/clock.ts";

const SAMPLED_MS = 6 * 60_000;
const LARGE = 900_000_000_000;

it("a sample has the companies by volume, read once for a closed day", async () => {
  const clock = new TestClock(noonOfToday());
  const deps = { ...systemDependencies, platformClock: clock };
  const watch = () => watchService(env, deps);
  const volumes = async () => (await callAsOperator("/status", { deps })).body.volumes as Volumes;
  const [large, small] = [await givenCompany(), await givenCompany()];
  const today = saoPauloDay(clock.now());
  const book = (companyId: number, daysAgo: number, gross: number) =>
    env.DB.prepare(
      "INSERT INTO daily_reports (company_id, day, payment_method, count, gross) VALUES (?, ?, 'PIX', 1, ?)",
    ).bind(companyId, addDays(today, -daysAgo), gross);
  await env.DB.batch([
    env.DB.prepare("DELETE FROM service_samples"),
    book(large.id, 3, LARGE),
    book(large.id, 12, LARGE / 2),
    book(large.id, 20, 7),
    book(small.id, 5, LARGE / 3),
  ]);
  await watch();
  const sampled = await volumes();
  expect(sampled.upTo).toBe(addDays(today, -2));
  expect(sampled.companies.slice(0, 2)).toEqual([
    { companyId: large.id, name: large.name, week: LARGE, weekBefore: LARGE / 2 },
    { companyId: small.id, name: small.name, week: LARGE / 3, weekBefore: 0 },
  ]);
  await env.DB.prepare("DELETE FROM daily_reports WHERE company_id IN (?, ?)")
    .bind(large.id, small.id)
    .run();
  clock.advance(SAMPLED_MS);
  await watch();
  expect(await volumes()).toEqual(sampled);
});

interface Volumes {
  upTo: string | null;
  companies: unknown[];
}
