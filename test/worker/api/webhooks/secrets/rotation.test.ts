import { Webhook } from "standardwebhooks";
import { describe, expect, it } from "vitest";
import { call, type Answer, type Call } from "../../../../support/builders/requests/api.ts";
import { TestClock } from "../../../../support/fakes/clock.ts";
import {
  env,
  givenCompany,
  type TestCompany,
} from "../../../../support/builders/companies/company.ts";
import { expectDocumented } from "../../../../support/probes/http/documented.ts";
import {
  CONNECTION_LOST,
  injectFault,
  withD1,
  type Interceptor,
} from "../../../../support/faults/faulty-env.ts";
import { expectProblem } from "../../../../support/probes/http/problem.ts";
import { givenTransaction, pay } from "../../../../support/builders/charges/transaction.ts";
import { WebhookSink, type ReceivedWebhook } from "../../../../support/fakes/webhook-sink.ts";

const PATH = "/api/v1/webhooks/secret/rotate";
const POSTBACK = "https://loja.example.com/postback";
const DAY = 24 * 60 * 60 * 1_000;
const REPLACES = /update "companies"/;

/** A company with one pending event. */
async function given() {
  const clock = new TestClock();
  const sink = new WebhookSink(clock);
  const company = await givenCompany({ clock });
  const { id } = await givenTransaction(company, { postbackUrl: POSTBACK });
  await pay(company, id);
  const rotate = (options: Call = {}) =>
    call(PATH, { method: "POST", company, deps: { platformClock: clock }, ...options });
  const delivered = async (): Promise<ReceivedWebhook> => {
    await sink.deliver(company, 1);
    return sink.received.at(-1)!;
  };
  return { clock, company, rotate, delivered };
}

async function secretOf(answer: Promise<Answer>): Promise<string> {
  const { status, body } = await answer;
  expect(status).toBe(201);
  return body.secret;
}

/** The secrets that signed a request, in the order of its `v1` signatures. */
function signingSecretIndexes(
  { headers, rawBody, id }: ReceivedWebhook,
  secrets: string[],
): (string | undefined)[] {
  const sentAt = new Date(Number(headers["webhook-timestamp"]) * 1_000);
  const parts = headers["webhook-signature"]!.split(" ");
  expect(parts.at(-1)).toMatch(/^v1a,/);
  return parts
    .slice(0, -1)
    .map((part) => secrets.find((each) => new Webhook(each).sign(id, sentAt, rawBody) === part));
}

async function storedOf(company: TestCompany): Promise<{ sealed: string; until: number }[]> {
  const stored = await env.DB.prepare("SELECT webhook_secrets_previous FROM companies WHERE id = ?")
    .bind(company.id)
    .first<string>("webhook_secrets_previous");
  return JSON.parse(stored ?? "[]");
}

function unexpired(stored: { until: number }[], now: number): unknown[] {
  return stored.filter(({ until }) => until > now);
}

describe("a rotation", () => {
  it("shows the new secret once and says until when the replaced secret signs", async () => {
    const { clock, company, rotate } = await given();
    const answer = await rotate();
    await expectDocumented(`POST ${PATH}`, answer);
    expect(answer.status).toBe(201);
    expect(answer.headers.get("Cache-Control")).toBe("no-store");
    expect(answer.body.previousValidUntil).toBe(new Date(clock.now() + DAY).toISOString());
    expect(answer.body.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(answer.body.secret).not.toBe(company.webhookSecret);
    expect(await secretOf(rotate())).not.toBe(answer.body.secret);
  });

  it("uses the injected randomness", async () => {
    const { rotate, clock } = await given();
    const random = { bytes: (length: number) => new Uint8Array(length).fill(7) };
    const { body } = await rotate({ deps: { platformClock: clock, random } });
    expect(body.secret).toBe(`whsec_${btoa("\x07".repeat(32))}`);
  });

  it("signs every attempt with both secrets, newest first, and a library verifies either", async () => {
    const { company, rotate, delivered } = await given();
    const secret = await secretOf(rotate());
    const request = await delivered();
    for (const each of [secret, company.webhookSecret]) {
      expect(new Webhook(each).verify(request.rawBody, request.headers)).toMatchObject({
        type: "transaction.paid",
      });
    }
    expect(signingSecretIndexes(request, [company.webhookSecret, secret])).toEqual([
      secret,
      company.webhookSecret,
    ]);
  });

  it("signs with the replaced secret until the last millisecond of 24 hours", async () => {
    const { clock, company, rotate, delivered } = await given();
    const secret = await secretOf(rotate());
    clock.advance(DAY - 1);
    expect(signingSecretIndexes(await delivered(), [secret, company.webhookSecret])).toHaveLength(
      2,
    );
  });

  it("does not sign with it afterwards", async () => {
    const { clock, company, rotate, delivered } = await given();
    const secret = await secretOf(rotate());
    clock.advance(DAY);
    expect(signingSecretIndexes(await delivered(), [secret, company.webhookSecret])).toEqual([
      secret,
    ]);
  });

  it("can be repeated after its response was lost: every secret is valid", async () => {
    const { company, rotate, delivered } = await given();
    const lost = await secretOf(rotate());
    const secret = await secretOf(rotate());
    const all = [secret, lost, company.webhookSecret];
    expect(signingSecretIndexes(await delivered(), all)).toEqual(all);
  });

  it("does not affect other companies", async () => {
    const [ours, theirs] = [await given(), await given()];
    await secretOf(ours.rotate());
    const request = await theirs.delivered();
    expect(signingSecretIndexes(request, [theirs.company.webhookSecret])).toEqual([
      theirs.company.webhookSecret,
    ]);
  });
});

describe("a rotation without overlap", () => {
  it("ends every earlier secret at once", async () => {
    const { clock, company, rotate, delivered } = await given();
    const second = await secretOf(rotate());
    const answer = await rotate({ body: { overlapHours: 0 } });
    expect(answer.body.previousValidUntil).toBe(new Date(clock.now()).toISOString());
    const all = [answer.body.secret, second, company.webhookSecret];
    expect(signingSecretIndexes(await delivered(), all)).toEqual([answer.body.secret]);
  });

  it("is possible beside five valid secrets", async () => {
    const { rotate, delivered } = await given();
    for (let round = 0; round < 4; round++) await secretOf(rotate());
    const secret = await secretOf(rotate({ body: { overlapHours: 0 } }));
    expect(signingSecretIndexes(await delivered(), [secret])).toEqual([secret]);
  });

  it("is possible for several at once: the last one stored signs, alone", async () => {
    const { rotate, delivered } = await given();
    const rotations = Array.from({ length: 4 }, () => rotate({ body: { overlapHours: 0 } }));
    const secrets = await Promise.all(rotations.map(secretOf));
    expect(signingSecretIndexes(await delivered(), secrets)).toHaveLength(1);
  });

  it("says how long the earlier secrets sign at most", async () => {
    const { clock, company, rotate, delivered } = await given();
    const second = await secretOf(rotate({ body: { overlapHours: 168 } }));
    const third = await secretOf(rotate({ body: { overlapHours: 1 } }));
    clock.advance(DAY / 24 - 1);
    const all = [third, second, company.webhookSecret];
    expect(signingSecretIndexes(await delivered(), all)).toEqual(all);
    clock.advance(1);
    expect(unexpired(await storedOf(company), clock.now())).toEqual([]);
  });

  it.each([-1, 169, 1.5, "1"])("VALIDATION_FAILED: overlapHours %j", async (overlapHours) => {
    const { company, rotate } = await given();
    await expectProblem(await rotate({ body: { overlapHours } }), {
      status: 400,
      code: "VALIDATION_FAILED",
      fields: ["overlapHours"],
    });
    expect(await storedOf(company)).toEqual([]);
  });
});

describe("ending the earlier secrets", () => {
  const PREVIOUS = "/api/v1/webhooks/secret/previous";

  it("leaves only the current one, and is idempotent", async () => {
    const { clock, company, rotate, delivered } = await given();
    const secret = await secretOf(rotate());
    const end = () => call(PREVIOUS, { method: "DELETE", company, deps: { platformClock: clock } });
    const answer = await end();
    await expectDocumented(`DELETE ${PREVIOUS}`, answer);
    expect(answer.body).toEqual({ ended: 1 });
    expect((await end()).body).toEqual({ ended: 0 });
    const all = [secret, company.webhookSecret];
    expect(signingSecretIndexes(await delivered(), all)).toEqual([secret]);
  });

  it("loses no secret that a rotation makes meanwhile", async () => {
    const { clock, company, rotate, delivered } = await given();
    const second = await secretOf(rotate());
    let third = "";
    const overtaken: Interceptor = async (label, run) => {
      if (third === "" && REPLACES.test(label)) {
        third = "now";
        third = await secretOf(rotate());
      }
      return run();
    };
    const world = withD1(env, overtaken);
    await call(PREVIOUS, { method: "DELETE", company, deps: { platformClock: clock }, env: world });
    const all = [third, second, company.webhookSecret];
    expect(signingSecretIndexes(await delivered(), all)).toEqual([third]);
  });
});

describe("concurrent rotations", () => {
  it("all succeed with a valid secret each", async () => {
    const { company, rotate, delivered } = await given();
    const secrets = await Promise.all([secretOf(rotate()), secretOf(rotate())]);
    expect(new Set(secrets).size).toBe(2);
    const signed = signingSecretIndexes(await delivered(), [...secrets, company.webhookSecret]);
    expect(signed.at(-1)).toBe(company.webhookSecret);
    expect(new Set(signed)).toEqual(new Set([...secrets, company.webhookSecret]));
  });

  it("are applied in sequence: a rotation that loses the race restarts", async () => {
    const { company, rotate, delivered } = await given();
    let other: string | undefined;
    const overtaken: Interceptor = async (label, run) => {
      if (other === undefined && REPLACES.test(label)) {
        other = "";
        other = await secretOf(rotate());
      }
      return run();
    };
    const secret = await secretOf(rotate({ env: withD1(env, overtaken) }));
    const all = [secret, other!, company.webhookSecret];
    expect(signingSecretIndexes(await delivered(), all)).toEqual(all);
  });

  it("are distinguished when a response is lost and another rotation came in between", async () => {
    const { company, rotate, delivered } = await given();
    let other: string | undefined;
    const overtaken: Interceptor = async (label, run) => {
      if (other !== undefined || !REPLACES.test(label)) return run();
      other = "";
      await run();
      other = await secretOf(rotate());
      throw new Error(CONNECTION_LOST);
    };
    const secret = await secretOf(rotate({ env: withD1(env, overtaken) }));
    const all = [other!, secret, company.webhookSecret];
    expect(signingSecretIndexes(await delivered(), all)).toEqual(all);
  });
});

describe("a lost response from D1", () => {
  it.each(["before", "after"] as const)(
    "%s the write still leads to one rotation",
    async (when) => {
      const { company, rotate, delivered } = await given();
      const lost = injectFault({ on: REPLACES, when, error: CONNECTION_LOST });
      const secret = await secretOf(rotate({ env: withD1(env, lost.intercept) }));
      expect(lost.injections()).toBe(1);
      const all = [secret, company.webhookSecret];
      expect(signingSecretIndexes(await delivered(), all)).toEqual(all);
      expect(await storedOf(company)).toHaveLength(1);
    },
  );

  it("STORAGE_UNAVAILABLE: after two lost responses; the replaced secret still signs", async () => {
    const { company, rotate, delivered } = await given();
    const lost = injectFault({ on: REPLACES, when: "after", error: CONNECTION_LOST, times: 2 });
    const answer = await rotate({ env: withD1(env, lost.intercept) });
    await expectProblem(answer, { status: 503, code: "STORAGE_UNAVAILABLE", retryAfter: true });
    const secret = await secretOf(rotate());
    const signed = signingSecretIndexes(await delivered(), [secret, company.webhookSecret]);
    expect(signed).toEqual([secret, undefined, company.webhookSecret]);
  });
});

describe("five valid secrets", () => {
  it("INVALID_STATE: are the maximum; a sixth changes nothing", async () => {
    const { company, rotate, delivered } = await given();
    const secrets = [company.webhookSecret];
    for (let round = 0; round < 4; round++) secrets.unshift(await secretOf(rotate()));
    await expectProblem(await rotate(), { status: 409, code: "INVALID_STATE" });
    expect(signingSecretIndexes(await delivered(), secrets)).toEqual(secrets);
  });

  it("become fewer when the oldest expires and is deleted", async () => {
    const { clock, company, rotate, delivered } = await given();
    const secrets: string[] = [];
    for (let round = 0; round < 4; round++) {
      secrets.unshift(await secretOf(rotate()));
      clock.advance(1);
    }
    clock.advance(DAY - 5);
    expect((await rotate()).status).toBe(409);
    clock.advance(1);
    secrets.unshift(await secretOf(rotate()));
    expect(await storedOf(company)).toHaveLength(4);
    const all = [...secrets, company.webhookSecret];
    expect(signingSecretIndexes(await delivered(), all)).toEqual(secrets);
  });
});
