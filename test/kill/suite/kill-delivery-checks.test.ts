import { afterEach, describe, expect, it } from "vitest";
import { Webhook } from "standardwebhooks";
import {
  deliveryProblems,
  type ListedDelivery,
  type Webhooks,
} from "../lib/checks/check-deliveries.ts";
import { openInbox, type DeliveryOutcome, type Inbox } from "../lib/inbox.ts";
import { LOCAL_COMPANIES } from "../../../tools/lib/local-companies.ts";

const SECRETS = LOCAL_COMPANIES.map((company) => company.webhookSecret);
const [OWN_SECRET = "", OTHER_SECRET = ""] = SECRETS;
const PATH = "/webhooks/1";

function outcome(sequence: number, change: Partial<DeliveryOutcome> = {}): DeliveryOutcome {
  return {
    id: `evt_1_${sequence}`,
    type: "withdraw.paid",
    sequence,
    data: { companyId: 1, id: 7 },
    object: "withdraw 1 7",
    acceptedInRun: 1,
    refused: false,
    ...change,
  };
}

function delivery(sequence: number, status = "delivered"): ListedDelivery {
  const url = `http://localhost:1${PATH}`;
  return { id: `dlv_1_${sequence}_endpoint`, eventId: `evt_1_${sequence}`, url, status };
}

function listed(count: number, deliveries: ListedDelivery[]): Webhooks {
  const events = Array.from({ length: count }, (_, index) => ({
    ...outcome(index + 1),
    companySequence: index + 1,
  }));
  return { companyId: 1, events, deliveries };
}

function problemsOf(webhooks: Webhooks, came: DeliveryOutcome[]): string {
  const byId = new Map(came.map((one) => [one.id, one]));
  const none = new Map<string, DeliveryOutcome>();
  return deliveryProblems(webhooks, {
    outcomes: (path) => (path === PATH ? byId : none),
  }).join("\n");
}

it("the delivery checks report nothing when everything is correct", () => {
  const came = [outcome(1, { acceptedInRun: null, refused: true }), outcome(2)];
  expect(problemsOf(listed(2, [delivery(2), delivery(1, "superseded")]), came)).toBe("");
});

describe("the delivery checks report", () => {
  it.each<[string, RegExp, Webhooks, DeliveryOutcome[]]>([
    ["a webhook that never arrived", /^lost: dlv_1_1/, listed(1, [delivery(1)]), []],
    [
      "a webhook that is listed as delivered but was rejected",
      /^lost: dlv_1_1_endpoint is delivered and was never accepted/,
      listed(1, [delivery(1)]),
      [outcome(1, { acceptedInRun: null, refused: true })],
    ],
    [
      "a webhook that is still pending",
      /^lost: .* is pending/,
      listed(1, [delivery(1, "pending")]),
      [outcome(1)],
    ],
    [
      "a webhook that was superseded without an attempt",
      /^lost: .* is superseded/,
      listed(2, [delivery(1, "superseded"), delivery(2)]),
      [outcome(1), outcome(2)],
    ],
    [
      "a webhook that was superseded without a newer event",
      /^lost: .* is superseded/,
      listed(1, [delivery(1, "superseded")]),
      [outcome(1, { refused: true })],
    ],
    [
      "a webhook with another body",
      /^wrong: dlv_1_1_endpoint did not come/,
      listed(1, [delivery(1)]),
      [outcome(1, { data: { companyId: 1, id: 8 } })],
    ],
    [
      "a webhook without a listed delivery",
      /^doubled: evt_1_2 came/,
      listed(2, [delivery(1)]),
      [outcome(1), outcome(2)],
    ],
    [
      "a gap in the company's events",
      /^lost: evt_1_2 is listed as 1/,
      { ...listed(2, []), events: listed(2, []).events.slice(1) },
      [],
    ],
  ])("%s", (_what, expected, webhooks, came) => {
    expect(problemsOf(webhooks, came)).toMatch(expected);
  });
});

describe("the kill tests' receiver", () => {
  let inbox: Inbox;
  afterEach(() => inbox.close());

  /** A post of event `id` with its `sequence`, signed as the service signs it. */
  async function post(id: string, sequence: number, secret = OWN_SECRET, more = {}) {
    const at = new Date();
    const data = { companyId: 1, id: 7, ...more };
    const body = JSON.stringify({ type: "withdraw.paid", sequence, data });
    const headers = {
      // A restart closes the connections of the previous run.
      Connection: "close",
      "webhook-id": id,
      "webhook-timestamp": String(Math.floor(at.getTime() / 1_000)),
      "webhook-signature": new Webhook(secret).sign(id, at, body),
    };
    return (await fetch(inbox.endpointUrl(1), { method: "POST", headers, body })).status;
  }

  it("accepts and counts a repeat that a kill explains", async () => {
    inbox = await openInbox(SECRETS, null);
    await post("evt_1_1", 1);
    inbox.startRun();
    await post("evt_1_1", 1);
    await post("evt_1_2", 2);
    expect(inbox.problems).toEqual([]);
    expect([inbox.postCount(), inbox.repeatCount()]).toEqual([3, 1]);
  });

  it("accepts a repeat of a webhook that it rejected", async () => {
    const answers = [500, 200];
    inbox = await openInbox(SECRETS, async () => answers.shift()!);
    expect(await post("evt_1_1", 1)).toBe(500);
    expect(inbox.outcomes(PATH).get("evt_1_1")).toMatchObject({
      acceptedInRun: null,
      refused: true,
    });
    expect(await post("evt_1_1", 1)).toBe(200);
    expect(inbox.problems).toEqual([]);
  });

  it.each<[string, RegExp, () => Promise<unknown>]>([
    ["a repeat without a kill", /^doubled: .* without a kill/, () => post("evt_1_1", 1)],
    [
      "another body under the same webhook-id",
      /^doubled: two bodies/,
      () => {
        inbox.startRun();
        return post("evt_1_1", 1, OWN_SECRET, { more: 1 });
      },
    ],
    ["another webhook-id of the same event", /^doubled: two webhook-ids/, () => post("evt_1_9", 1)],
    [
      "an older state after a newer one",
      /^wrong: .* came to .* as 1 after 2/,
      async () => {
        await post("evt_1_2", 2);
        inbox.startRun();
        await post("evt_1_1", 1);
      },
    ],
    [
      "an invalid signature",
      /^wrong: the signature of evt_1_2/,
      () => post("evt_1_2", 2, OTHER_SECRET),
    ],
  ])("reports %s", async (_what, expected, spoil) => {
    inbox = await openInbox(SECRETS, null);
    await post("evt_1_1", 1);
    await spoil();
    expect(inbox.problems).toHaveLength(1);
    expect(inbox.problems[0]).toMatch(expected);
  });
});
