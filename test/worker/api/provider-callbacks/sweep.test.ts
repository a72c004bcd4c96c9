import { expect, it } from "vitest";
import { shareOut } from "../../../../src/api/provider-callbacks/tasks.ts";
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

it("each company gets its share of a run in turn, and the rest of a backlog later minutes", () => {
  const due = [
    ...Array.from({ length: 1_000 }, (_, id) => ({ companyId: 1, account: "first", id })),
    ...Array.from({ length: 1_000 }, (_, id) => ({ companyId: 2, account: "first", id })),
    { companyId: 3, account: "first", id: 0 },
  ];
  const { now, later } = shareOut(due, 0);
  expect(now.slice(0, 3).map(({ companyId }) => companyId)).toEqual([1, 2, 3]);
  const counts = [1, 2, 3].map((id) => now.filter(({ companyId }) => companyId === id).length);
  expect(counts).toEqual([25, 25, 1]);
  expect(later).toHaveLength(1_950);
  const perMinute = Map.groupBy(later, ({ companyId, dueAt }) => `${companyId} ${dueAt}`);
  expect([...perMinute.values()].map((each) => each.length)).toEqual(Array(78).fill(25));
  expect(Math.max(...later.map(({ dueAt }) => dueAt))).toBe(39 * MINUTE_MS);
});

/** Of an account, the one of a number. */
const of = (account: string) => (_: unknown, id: number) => ({ companyId: 1, account, id });

it("a company's accounts share its run in turn, so that a silent house's backlog leaves the others theirs", () => {
  const silent = Array.from({ length: 1_000 }, of("silent"));
  const due = [...silent, ...Array.from({ length: 10 }, of("efi")), of("pix")(null, 0)];
  const { now, later } = shareOut(due, 0);
  expect(now.slice(0, 4).map(({ account }) => account)).toEqual(["silent", "efi", "pix", "silent"]);
  const counts = ["silent", "efi", "pix"].map(
    (each) => now.filter(({ account }) => account === each).length,
  );
  expect(counts).toEqual([14, 10, 1]);
  expect(new Set(later.map(({ account }) => account))).toEqual(new Set(["silent"]));
});

it("a run takes so many at most, from as many companies as there are", () => {
  const due = Array.from({ length: 300 }, (_, index) => ({
    companyId: index % 150,
    account: "first",
  }));
  const { now, later } = shareOut(due, 0);
  expect(new Set(now.map(({ companyId }) => companyId)).size).toBe(100);
  expect(now.length + later.length).toBe(300);
});
