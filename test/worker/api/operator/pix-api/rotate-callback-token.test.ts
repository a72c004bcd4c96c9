import { expect, it } from "vitest";
import { env } from "../../../../support/builders/companies/company.ts";
import { callAsOperator } from "../../../../support/builders/companies/operator.ts";
import {
  givenPsp,
  pixApiPath,
  postCallback,
  type PspSetup,
} from "../../../../support/builders/providers/psp.ts";
import { expectDocumented } from "../../../../support/probes/http/documented.ts";
import { expectProblem } from "../../../../support/probes/http/problem.ts";

const PATH = "/api/v1/operator/companies/{companyId}/providers/pix-api/callback-token/rotate";
const HOUR_MS = 3_600_000;

function rotate({ company, options }: PspSetup, body?: object) {
  return callAsOperator(`${pixApiPath(company)}/callback-token/rotate`, {
    ...options,
    method: "POST",
    ...(body === undefined ? {} : { body }),
  });
}

async function statusOf(world: PspSetup, url: string): Promise<number> {
  return (await postCallback(world, url, '{"pix":[]}')).status;
}

it("the PSP gets the new URL, and the old one stays valid for a while", async () => {
  const world = await givenPsp();
  const { company, psp, clock, configured, options } = world;

  const rotated = await rotate(world);

  await expectDocumented(`POST ${PATH}`, rotated);
  const { callbackUrl, webhook, previousValidUntil } = rotated.body;
  expect(webhook).toBe("registered");
  expect(callbackUrl).not.toBe(configured.callbackUrl);
  expect([...psp.book.webhooks.values()]).toEqual([callbackUrl]);
  expect(Date.parse(previousValidUntil)).toBe(clock.now() + 24 * HOUR_MS);
  const shown = await callAsOperator(pixApiPath(company), options);
  expect(shown.body).toMatchObject({ callbackUrl, account: configured.account });
  expect(await statusOf(world, callbackUrl)).toBe(200);
  expect(await statusOf(world, configured.callbackUrl)).toBe(200);
  clock.advance(24 * HOUR_MS);
  expect(await statusOf(world, configured.callbackUrl)).toBe(404);
  expect(await statusOf(world, callbackUrl)).toBe(200);
});

it("a leaked token ends at once, and that of an earlier rotation with the next", async () => {
  const world = await givenPsp();
  const first = world.configured.callbackUrl;
  const second = (await rotate(world, { overlapHours: 0 })).body.callbackUrl;
  expect(await statusOf(world, first)).toBe(404);
  const third = (await rotate(world, { overlapHours: 1 })).body.callbackUrl;
  const fourth = (await rotate(world, { overlapHours: 1 })).body.callbackUrl;
  const statuses = await Promise.all([second, third, fourth].map((url) => statusOf(world, url)));
  expect(statuses).toEqual([404, 200, 200]);
});

it("the tokens are stored as hashes and sealed only", async () => {
  const world = await givenPsp();
  const { callbackUrl } = (await rotate(world)).body;
  const row = await env.DB.prepare("SELECT * FROM psp_accounts WHERE company_id = ?")
    .bind(world.company.id)
    .first();
  for (const url of [callbackUrl, world.configured.callbackUrl]) {
    expect(JSON.stringify(row)).not.toContain(url.split("/").at(-1));
  }
});

it("two rotations at once leave the PSP with a URL that is valid", async () => {
  const world = await givenPsp();
  const answers = await Promise.all([rotate(world), rotate(world)]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  const statuses = await Promise.all(answers.map(({ body }) => statusOf(world, body.callbackUrl)));
  expect(statuses).toEqual([200, 200]);
});

it("a PSP that does not answer leaves the old URL valid, and the registration can be repeated", async () => {
  const world = await givenPsp();
  world.psp.faultAlways("unavailable");
  const rotated = await rotate(world);
  expect(rotated.body).toMatchObject({ webhook: "failed" });
  world.psp.clearFaults();
  expect(await statusOf(world, world.configured.callbackUrl)).toBe(200);
  const again = await callAsOperator(`${pixApiPath(world.company)}/webhook`, {
    ...world.options,
    method: "POST",
  });
  expect(again.body.callbackUrl).toBe(rotated.body.callbackUrl);
});

it.each([-1, 169, 1.5, "1"])("VALIDATION_FAILED: overlapHours %s", async (overlapHours) => {
  const world = await givenPsp();
  await expectProblem(await rotate(world, { overlapHours }), {
    status: 400,
    code: "VALIDATION_FAILED",
    fields: ["overlapHours"],
  });
  expect(await statusOf(world, world.configured.callbackUrl)).toBe(200);
});
