import { expect, it } from "vitest";
import { PagarMeClient, type ApiCall } from "../../../../src/providers/pagarme/client.ts";
import { TestClock } from "../../../support/fakes/clock.ts";

const ORDER: ApiCall = { method: "POST", path: ["orders"], body: { code: "1" } };

/** A client whose house answers so, and what the house got. */
function given(answer: () => Response) {
  const got: Request[] = [];
  const client = new PagarMeClient({
    config: { baseUrl: "https://pagarme.test/core/v5" },
    openSecret: async () => "sk_1",
    fetch: async (request) => {
      got.push(request);
      return answer();
    },
    clock: new TestClock(),
  });
  return { client, got };
}

it("a call has the key as a name without a password, and the id of its order", async () => {
  const { client, got } = given(() => Response.json({}));
  await client.call({ ...ORDER, idempotencyKey: "charge_1" });
  await client.call({ method: "GET", path: ["orders", "or_1"] });

  const [order, look] = got as [Request, Request];
  expect(order.url).toBe("https://pagarme.test/core/v5/orders");
  expect(order.headers.get("Authorization")).toBe(`Basic ${btoa("sk_1:")}`);
  expect(order.headers.get("idempotency-key")).toBe("charge_1");
  expect(look.headers.get("idempotency-key")).toBeNull();
});

it.each([
  [400, "refused"],
  [412, "refused"],
  [422, "refused"],
  [404, "not_found"],
  [401, "unknown"],
  [429, "unknown"],
  [500, "unknown"],
])("its own words with HTTP %i are: %s", async (status, kind) => {
  const { client } = given(() => Response.json({ message: "No." }, { status }));
  expect((await client.call(ORDER)).kind).toBe(kind);
});

it.each([200, 404, 422])("a proxy's page with HTTP %i says nothing", async (status) => {
  const { client } = given(() => new Response("<h1>Page</h1>", { status }));
  expect(await client.call(ORDER)).toEqual({ kind: "unknown" });
});
