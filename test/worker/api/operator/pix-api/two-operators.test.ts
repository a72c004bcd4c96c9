import { beforeEach, describe, expect, it } from "vitest";
import { PROPOSAL_WINDOW_MS } from "../../../../../src/domain/operators/proposal.ts";
import {
  callAsApprover,
  callAsOperator,
  givenOperator,
  restoreLocalOperators,
} from "../../../../support/builders/companies/operator.ts";
import { env, type TestCompany } from "../../../../support/builders/companies/company.ts";
import { approve, REASON } from "../../../../support/builders/operations/decide.ts";
import {
  configurePixApi,
  givenPsp,
  pixApiPath,
  pixApiRequest,
  putPixApi,
  type PspSetup,
} from "../../../../support/builders/providers/psp.ts";
import { call } from "../../../../support/builders/requests/api.ts";
import { withD1 } from "../../../../support/faults/faulty-env.ts";
import { expectDocumented } from "../../../../support/probes/http/documented.ts";
import { expectProblem } from "../../../../support/probes/http/problem.ts";

const PATH = "/api/v1/operator/companies/{companyId}/providers/pix-api";
const ELSEWHERE = "https://pix.banco-imitado.com.br";
const NEW_SECRET = "another-s3cret";
const CONFLICT = { status: 409, code: "INVALID_STATE" };

beforeEach(restoreLocalOperators);

/** The connection of before with some fields of the thief's. */
function changed({ configured }: PspSetup, overrides: Record<string, unknown>) {
  return pixApiRequest({ pixKey: configured.pixKey, reason: REASON, ...overrides });
}

async function shownOf({ company, options }: PspSetup) {
  return (await callAsOperator(pixApiPath(company), options)).body;
}

async function storedProposal(id: string) {
  return env.DB.prepare("SELECT * FROM operator_proposals WHERE id = ?").bind(id).first<{
    request: string;
  }>();
}

/** What a proposal stores of a connection, its sealed secret too. */
async function storedConnection(id: string): Promise<Record<string, unknown>> {
  return JSON.parse((await storedProposal(id))!.request);
}

/** A proposal by the list of proposals, about the world's company if no other is named. */
function proposalOf(
  { company }: { company: Pick<TestCompany, "id"> },
  { reason: _reason, ...request }: Record<string, unknown>,
) {
  return {
    action: "company.provider",
    companyId: company.id,
    target: `company:${company.id}`,
    request,
    reason: REASON,
  };
}

function propose(world: PspSetup, request: Record<string, unknown>) {
  return callAsOperator("/proposals", { ...world.options, body: proposalOf(world, request) });
}

describe("one operator alone", () => {
  it.each([
    { baseUrl: ELSEWHERE },
    { tokenUrl: `${ELSEWHERE}/oauth/token` },
    { clientId: "imitation" },
    { pixKey: "018f3c1e-7a50-4c22-9b1e-5d2f0a6b7c8d" },
    { payouts: { url: ELSEWHERE } },
    { baseUrl: ELSEWHERE, sameAccount: true },
  ])("leads no live company's money elsewhere: %o", async (overrides) => {
    const world = await givenPsp();
    const before = await shownOf(world);
    const sent = world.psp.requests.length;

    const answer = await putPixApi(world.company, changed(world, overrides), world);

    expect(answer.status, answer.text).toBe(202);
    await expectDocumented(`PUT ${PATH}`, answer);
    expect(answer.body.data).toMatchObject({ action: "company.provider", status: "pending" });
    expect(await shownOf(world)).toEqual(before);
    expect(world.psp.requests).toHaveLength(sent);
  });

  it("does not by the way of a disconnection either, but connects what was connected last", async () => {
    const world = await givenPsp();
    const { company, options } = world;
    const gone = await callAsOperator(pixApiPath(company), { ...options, method: "DELETE" });
    expect(gone.status, gone.text).toBe(200);

    const other = await putPixApi(company, changed(world, { baseUrl: ELSEWHERE }), world);
    expect(other.status, other.text).toBe(202);
    expect((await callAsOperator(pixApiPath(company), options)).status).toBe(404);

    const same = await putPixApi(company, changed(world, {}), world);
    expect(same.status, same.text).toBe(200);
  });

  it("does not connect what was connected before the last either", async () => {
    const world = await givenPsp();
    const { company, options, clock } = world;
    clock.advance(1_000);
    const next = await configurePixApi(company, changed(world, { clientId: "another" }), world);
    expect(next.status, next.text).toBe(200);
    clock.advance(1_000);
    const gone = await callAsOperator(pixApiPath(company), { ...options, method: "DELETE" });
    expect(gone.status, gone.text).toBe(200);

    const first = await putPixApi(company, changed(world, {}), world);

    expect(first.status, first.text).toBe(202);
  });

  it("does not connect where the company was while two lead it elsewhere", async () => {
    const world = await givenPsp();
    const { company, options } = world;
    const elsewhere = await putPixApi(company, changed(world, { clientId: "another" }), world);
    let isApproved = false;
    const racing = withD1(world.env, async (sql, run) => {
      if (!isApproved && /insert into "audit_entries"/.test(sql)) {
        isApproved = true;
        expect((await approve(elsewhere.body.data.id, options)).status).toBe(200);
      }
      return run();
    });
    const renewed = changed(world, { clientSecret: NEW_SECRET });

    const answer = await putPixApi(company, renewed, { options: { ...options, env: racing } });

    await expectProblem(answer, CONFLICT);
    expect(answer.body.detail).toContain("has changed meanwhile");
    expect((await shownOf(world)).clientId).toBe("another");
  });

  it("renews a secret, a certificate and how callbacks come", async () => {
    const world = await givenPsp();
    const renewed = { clientSecret: NEW_SECRET, certificate: null, charge: "cobv" };
    const { certificate: _kept, ...rest } = renewed;
    const answer = await putPixApi(world.company, changed(world, rest), world);
    expect(answer.status, answer.text).toBe(200);
    expect(answer.body).toMatchObject({ charge: "cobv" });
  });

  it("VALIDATION_FAILED: gives a reason", async () => {
    const world = await givenPsp();
    const request = changed(world, { clientId: "another", reason: " " });
    await expectProblem(await putPixApi(world.company, request, world), {
      status: 400,
      code: "VALIDATION_FAILED",
      fields: ["reason"],
    });
  });
});

describe("two operators", () => {
  it("connect elsewhere, and the secret is readable nowhere on its way", async () => {
    const world = await givenPsp();
    const { company, options, psp } = world;
    const request = changed(world, { baseUrl: `${world.configured.baseUrl}?gw-key=1` });
    const { body } = await putPixApi(company, request, world);
    const { id } = body.data;
    const stored = JSON.stringify(await storedProposal(id));
    expect(stored).not.toContain(request.clientSecret);
    expect(stored).toContain("sealedSecret");
    expect(JSON.stringify(body)).not.toContain("ecret");

    const approved = await approve(id, options);

    expect(approved.status, approved.text).toBe(200);
    expect(approved.body.data.outcome).toMatchObject({ webhook: "registered" });
    expect(JSON.stringify(approved.body)).not.toContain("/callbacks/");
    expect((await shownOf(world)).baseUrl).toBe(request.baseUrl);
    // The PSP took the secret.
    expect(psp.book.webhooks.size).toBe(1);
    expect(JSON.stringify(await storedProposal(id))).not.toContain("sealedSecret");
  });

  it("the same proposal again is the one that waits, with another secret or field it is another", async () => {
    const world = await givenPsp();
    const request = changed(world, { clientId: "another" });
    const first = await putPixApi(world.company, request, world);
    const again = await putPixApi(world.company, request, world);
    expect(again.body.data.id).toBe(first.body.data.id);
    const other = { ...request, clientSecret: NEW_SECRET };
    await expectProblem(await putPixApi(world.company, other, world), CONFLICT);
    const moved = { ...request, baseUrl: ELSEWHERE };
    await expectProblem(await putPixApi(world.company, moved, world), CONFLICT);
  });

  it("INVALID_STATE: a proposal that was changed in D1 does not open its secret", async () => {
    const world = await givenPsp();
    const request = changed(world, { clientId: "another" });
    const { body } = await putPixApi(world.company, request, world);
    await env.DB.prepare(
      "UPDATE operator_proposals SET request = json_set(request, '$.baseUrl', ?) WHERE id = ?",
    )
      .bind(ELSEWHERE, body.data.id)
      .run();
    await expectProblem(await approve(body.data.id, world.options), {
      status: 409,
      code: "INVALID_STATE",
    });
    expect((await shownOf(world)).baseUrl).toBe(world.configured.baseUrl);
  });

  it("propose by the list of proposals with the same checks", async () => {
    const world = await givenPsp();
    const request = changed(world, { clientId: "another" });
    await expectProblem(await propose(world, { ...request, baseUrl: "https://localhost" }), {
      status: 400,
      code: "VALIDATION_FAILED",
      fields: ["request.baseUrl"],
    });
    await expectProblem(
      await propose(world, { ...request, sealedSecret: "v2.aaaaaaaa.AAAA.AAAA" }),
      {
        status: 409,
        code: "INVALID_STATE",
      },
    );
    const proposed = await propose(world, request);
    expect(proposed.status, proposed.text).toBe(201);
    expect(proposed.body.data.request.callbackOrigin).toBe("https://localhost");
  });

  it("INVALID_STATE: propose no connection that leads where the company's does", async () => {
    const world = await givenPsp();
    await expectProblem(await propose(world, changed(world, {})), CONFLICT);
  });

  it("VALIDATION_FAILED: propose no callbacks to an address inside, and not for another company", async () => {
    const world = await givenPsp();
    const request = changed(world, { clientId: "another" });
    const inside = { ...request, callbackOrigin: "http://10.0.0.1" };
    await expectProblem(await propose(world, inside), {
      status: 400,
      code: "VALIDATION_FAILED",
      fields: ["request.callbackOrigin"],
    });
    const body = { ...proposalOf(world, request), target: "company:99999999" };
    await expectProblem(await callAsOperator("/proposals", { ...world.options, body }), {
      status: 400,
      code: "VALIDATION_FAILED",
      fields: ["target"],
    });
  });

  it("INVALID_STATE: a secret that was sealed for another company opens for none", async () => {
    const world = await givenPsp();
    const first = await putPixApi(world.company, changed(world, { clientId: "another" }), world);
    const sealed = await storedConnection(first.body.data.id);
    const other = await givenPsp();

    const answer = await propose(other, sealed);

    await expectProblem(answer, CONFLICT);
    expect(answer.body.detail).toContain("does not open the proposal's secret");
  });

  it("leave no secret behind in a proposal that one refused, nor in one whose time is over", async () => {
    const world = await givenPsp();
    const { company, options, clock } = world;
    const proposeAgain = async () => {
      const { body } = await putPixApi(company, changed(world, { clientId: "another" }), world);
      expect(await storedConnection(body.data.id)).toHaveProperty("sealedSecret");
      return body.data.id as string;
    };
    const refused = await proposeAgain();
    const body = { reason: "The letter is forged." };
    await callAsApprover(`/proposals/${refused}/refuse`, { ...options, method: "POST", body });
    expect(await storedConnection(refused)).not.toHaveProperty("sealedSecret");

    const late = await proposeAgain();
    clock.advance(PROPOSAL_WINDOW_MS + 1_000);
    expect(await proposeAgain()).not.toBe(late);
    expect(await storedConnection(late)).not.toHaveProperty("sealedSecret");
  });

  it("FORBIDDEN: are admins both", async () => {
    const world = await givenPsp();
    const { company, options } = world;
    const finance = await givenOperator("finance");
    const request = changed(world, { clientId: "another" });
    const as = { ...options, company: finance, method: "POST" };
    const forbidden = { status: 403, code: "FORBIDDEN" };
    const proposed = await call("/api/v1/operator/proposals", {
      ...as,
      body: proposalOf(world, request),
    });
    await expectProblem(proposed, forbidden);
    const { body } = await putPixApi(company, request, world);
    const approved = await call(`/api/v1/operator/proposals/${body.data.id}/approve`, {
      ...as,
      body: { reason: REASON },
    });
    await expectProblem(approved, forbidden);
  });
});
