import { expect, it } from "vitest";
import { providerRegistry } from "../../../../src/providers/registry.ts";
import { env } from "../../../support/builders/companies/company.ts";
import { runCron } from "../../../support/fakes/cron.ts";
import { problem } from "../../../support/fakes/fake-psp/answers.ts";
import { accountsOf } from "../../../support/probes/ledger/ledger.ts";
import { callAsOperator } from "../../../support/builders/companies/operator.ts";
import {
  postCallback,
  deliverCallbacks,
  givenPsp,
  pixApiPath,
} from "../../../support/builders/providers/psp.ts";
import { storedCallbacks } from "../../../support/probes/providers/callbacks.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

it("a slow PSP does not delay the callbacks of other companies", async () => {
  const slow = await givenPsp({ certificate: "PSP_SLOW" });
  const world = await givenPsp();
  const { company, psp, clock } = world;
  slow.psp.faultAlways("unavailable");
  for (let index = 0; index < 4; index++) slow.psp.payKey("1.00");
  await deliverCallbacks(slow);
  psp.payKey("5.00");
  psp.faultOnce("unavailable", /^GET/);
  await deliverCallbacks(world);
  const fetch = async (request: Request) => {
    clock.advance(MINUTE_MS / 2);
    return slow.psp.fetch(request);
  };
  clock.advance(2 * MINUTE_MS);

  const both = { ...world.env, PSP_SLOW: { fetch } } as typeof env;
  await runCron({ ...world.deps, providers: () => providerRegistry(both, clock) }, both);

  expect(await accountsOf(company)).toMatchObject({ suspense: 500 });
  expect(await storedCallbacks(company)).toEqual([]);
  const waiting = "SELECT count(*) AS n FROM callbacks WHERE company_id = ? AND due_at < ?";
  const before = env.DB.prepare(waiting).bind(slow.company.id, clock.now() - MINUTE_MS);
  expect(await before.first("n")).toBe(0);
  expect(await storedCallbacks(slow.company)).toHaveLength(4);
});

it("a callback that was polled for a day does not block the disconnect of its PSP", async () => {
  const world = await givenPsp();
  const { company, psp, configured, clock, deps, options } = world;
  psp.book.getPix = () => problem(400, "RequisicaoInvalida", "O e2eid é inválido.");
  await postCallback(world, configured.callbackUrl, '{"pix":[{"endToEndId":"E7"}]}');
  const leave = () => callAsOperator(pixApiPath(company), { ...options, method: "DELETE" });
  await runCron(deps, world.env);
  expect((await leave()).body.code).toBe("INVALID_STATE");
  for (let times = 0; times < 11; times++) {
    clock.advance(DAY_MS);
    await runCron(deps, world.env);
  }
  expect(await storedCallbacks(company)).toHaveLength(1);
  expect((await leave()).status).toBe(200);
  await env.DB.prepare("DELETE FROM callbacks WHERE company_id = ?").bind(company.id).run();
});
