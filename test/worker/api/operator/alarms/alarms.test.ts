import { expect, it } from "vitest";
import { watchService } from "../../../../../src/api/operator/alarms/tasks.ts";
import type { Dependencies } from "../../../../../src/http/context.ts";
import { systemDependencies } from "../../../../../src/dependencies.ts";
import { signWebhook } from "../../../../../src/webhooks/signing/sign.ts";
import { env, givenCompany } from "../../../../support/builders/companies/company.ts";
import { callAsOperator } from "../../../../support/builders/companies/operator.ts";
import { call } from "../../../../support/builders/requests/api.ts";
import { OPERATOR_CREDENTIALS } from "../../../../support/builders/companies/operator.ts";
import { TestClock } from "../../../../support/fakes/clock.ts";
import { CRASH, withD1 } from "../../../../support/faults/faulty-env.ts";

const MINUTE_MS = 60_000;
const SECRET = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD";
const SLACK = "https://slack.example.com/services/T0/B0";
const HOOK = "https://alarms.example.com/hook";

/** The service with targets for alarms, one of which may be down. */
function givenTargets() {
  const clock = new TestClock();
  const sent: { url: string; headers: Headers; body: string }[] = [];
  const down = new Set<string>();
  const fetcher: typeof fetch = async (input, init) => {
    const url = input as string;
    if (down.has(url)) throw new Error("connection refused");
    sent.push({ url, headers: new Headers(init?.headers), body: init?.body as string });
    return new Response(null, { status: 204 });
  };
  const deps: Dependencies = {
    ...systemDependencies,
    platformClock: clock,
    sender: (of) => ({ ...systemDependencies.sender(of), fetch: fetcher }),
  };
  const around = {
    ...env,
    ALARM_WEBHOOK_URL: HOOK,
    ALARM_WEBHOOK_SECRET: SECRET,
    ALARM_SLACK_URL: SLACK,
  };
  const take = (url: string, id: string) =>
    sent.splice(0).filter((each) => each.url === url && each.body.includes(id));
  return { clock, down, sent, take, deps, around, run: () => watchService(around, deps) };
}

async function setViolations(companyId: number, violations: string[]): Promise<void> {
  await env.DB.prepare(
    `INSERT INTO self_checks (company_id, checked_at, movement, company_sequence, missing_events, suspects, violations)
     VALUES (?, 1, 0, 0, '[]', '{"transactionIds":[],"withdrawIds":[]}', ?)
     ON CONFLICT DO UPDATE SET violations = excluded.violations`,
  )
    .bind(companyId, JSON.stringify(violations))
    .run();
}

it("an alarm is sent once to each target, again to one that was down, and ends with a resolve", async () => {
  const company = await givenCompany();
  // Of other tests, whose violations would keep the alarm on.
  await env.DB.prepare("UPDATE self_checks SET violations = '[]'").run();
  const { clock, down, take, sent, run } = givenTargets();
  await setViolations(company.id, ["I1 the sum is not zero"]);
  down.add(HOOK);
  await run();
  const [message] = take(SLACK, "ledger_violated");
  expect(JSON.parse(message!.body).text).toContain("docs/runbook/ledger_violated.md");

  clock.advance(MINUTE_MS);
  down.clear();
  await run();
  const hook = sent.find(({ url, body }) => url === HOOK && body.includes("ledger_violated"));
  const id = hook!.headers.get("webhook-id")!;
  const at = Number(hook!.headers.get("webhook-timestamp"));
  expect(hook!.headers.get("webhook-signature")).toBe(
    await signWebhook(SECRET, id, at, hook!.body),
  );
  expect(JSON.parse(hook!.body)).toMatchObject({ type: "alarm.firing", severity: "critical" });
  expect(take(SLACK, "ledger_violated")).toEqual([]);

  clock.advance(MINUTE_MS);
  await run();
  expect(take(HOOK, "ledger_violated")).toEqual([]);

  const path = `/companies/${company.id}/violations/acknowledge`;
  const noted = await callAsOperator(path, { body: { reason: "The bank confirms it." } });
  expect(noted.status).toBe(200);
  for (let minute = 0; minute < 3; minute++) {
    clock.advance(MINUTE_MS);
    await run();
  }
  const [resolved] = take(HOOK, "ledger_violated");
  expect(JSON.parse(resolved!.body).type).toBe("alarm.resolved");
  const status = (await callAsOperator("/status")).body;
  expect(status.alarms).toContainEqual(
    expect.objectContaining({ id: "ledger_violated", resolvedAt: expect.any(String) }),
  );
  await setViolations(company.id, []);
});

it("an alarm that gains a company is sent again at once, and says what is new, what stays and what is over", async () => {
  const companies = [await givenCompany(), await givenCompany(), await givenCompany()];
  const [first, second, third] = companies.map(({ id }) => id) as [number, number, number];
  await env.DB.prepare("UPDATE self_checks SET violations = '[]'").run();
  const { clock, take, run } = givenTargets();
  const hear = async () => {
    await run();
    return take(HOOK, "ledger_violated").map(({ body }) => JSON.parse(body));
  };
  await setViolations(first, ["I1 the sum is not zero"]);
  await setViolations(second, ["I1 the sum is not zero"]);
  expect(await hear()).toMatchObject([{ new: [about(first), about(second)], still: [], over: [] }]);
  clock.advance(MINUTE_MS);
  expect(await hear()).toEqual([]);

  await setViolations(first, []);
  for (let minute = 0; minute < 3; minute++) {
    clock.advance(MINUTE_MS);
    expect(await hear()).toEqual([]);
  }
  await setViolations(third, ["I1 the sum is not zero"]);
  expect(await hear()).toMatchObject([
    { type: "alarm.firing", new: [about(third)], still: [about(second)], over: [about(first)] },
  ]);
  await setViolations(second, []);
  await setViolations(third, []);
});

const about = (companyId: number) => `Company ${companyId}: I1 the sum is not zero`;

it("an alarm is sent although D1 does not answer what only people ask", async () => {
  const company = await givenCompany();
  const { take, deps, around } = givenTargets();
  await setViolations(company.id, ["I1 the sum is not zero"]);
  const damaged = withD1(around, (label, answer) =>
    /"webhook_attempts"/.test(label) ? Promise.reject(new Error(CRASH)) : answer(),
  );
  await expect(watchService(damaged, deps)).rejects.toThrow();
  expect(take(HOOK, "ledger_violated")).not.toEqual([]);
  await setViolations(company.id, []);
});

it("a test message goes to each target, and says which did not take it and what one lacks", async () => {
  const { down, sent, deps, around } = givenTargets();
  down.add(HOOK);
  const { body } = await callAsOperator("/alarms/test", { method: "POST", deps, env: around });
  expect(body.data).toEqual({
    targets: [
      { name: "webhook", sent: false, error: expect.any(String) },
      { name: "slack", sent: true, error: null },
    ],
    incomplete: [],
  });
  expect(body.data.targets[0].error).not.toContain(HOOK);
  expect(JSON.parse(sent[0]!.body).text).toContain("[TEST] Centavo local: test");

  const { ALARM_WEBHOOK_SECRET: _secret, ...lacking } = {
    ...around,
    ALARM_EMAIL: "a@loja.example",
  };
  const answer = await callAsOperator("/alarms/test", { method: "POST", deps, env: lacking });
  expect(answer.body.data).toEqual({
    targets: [{ name: "slack", sent: true, error: null }],
    incomplete: [
      "ALARM_WEBHOOK_URL and ALARM_WEBHOOK_SECRET belong together.",
      "ALARM_EMAIL needs EMAIL_FROM.",
    ],
  });
});

it("the metrics are text for Prometheus", async () => {
  const answer = await call("/metrics", { company: { credentials: OPERATOR_CREDENTIALS } });
  expect(answer.status).toBe(200);
  expect(answer.text).toMatch(/^centavo_dead_letters_open \d+$/m);
  expect(answer.text).toContain('centavo_build_info{version="0.1.0",commit="local"} 1');
});
