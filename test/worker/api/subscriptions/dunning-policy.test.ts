import { expect, it } from "vitest";
import { givenLiveWorld, send } from "../../../support/builders/charges/live-subscriptions.ts";
import {
  openShop,
  SUBSCRIPTION,
  SUBSCRIPTIONS,
} from "../../../support/builders/charges/subscriptions.ts";
import { givenSavedCard } from "../../../support/fakes/card-house.ts";

const PAYER = {
  name: "Maria da Silva",
  document: { number: "12345678909" },
  email: "maria@example.com",
};

const fieldsOf = ({ body, status }: { body: any; status: number }) => [
  status,
  body.code,
  Object.keys(body.errors ?? {}),
];

it("a card or a boleto that cannot be charged is refused at once", async () => {
  const shop = await openShop();
  const { savedCardId, house } = await givenSavedCard(shop, PAYER);
  const ask = (change: object) =>
    shop.send(SUBSCRIPTIONS, { body: { ...SUBSCRIPTION, customer: PAYER, ...change } });
  const unknown = ["dunning.savedCardId"];
  expect(fieldsOf(await ask({ dunning: { savedCardId: "card_0" } }))).toEqual([
    400,
    "VALIDATION_FAILED",
    unknown,
  ]);
  const other = { name: "Ana", document: { number: "52998224725" } };
  expect(fieldsOf(await ask({ customer: other, dunning: { savedCardId } }))).toEqual([
    400,
    "VALIDATION_FAILED",
    unknown,
  ]);
  const boleto = { link: "event", method: "BOLETO" };
  expect(fieldsOf(await ask({ dunning: { ...boleto, days: 1 } }))).toEqual([
    400,
    "VALIDATION_FAILED",
    ["dunning.days"],
  ]);
  const large = await ask({ amount: 1_000_000_000_000, dunning: boleto });
  expect([large.status, large.body.code]).not.toEqual([201, undefined]);
  house.isGone = true;
  expect(fieldsOf(await ask({ dunning: { savedCardId } }))).toEqual([
    422,
    "PROVIDER_NOT_CONFIGURED",
    [],
  ]);
  house.isGone = false;
  const made = await ask({ dunning: boleto });
  expect([made.status, made.body.data.dunning.method]).toEqual([201, "BOLETO"]);
  const path = `${SUBSCRIPTIONS}/${made.body.data.id}`;
  const change = (dunning: object) => shop.send(path, { body: { dunning }, method: "PATCH" });
  expect(fieldsOf(await change({ savedCardId: "card_0" }))).toEqual([
    400,
    "VALIDATION_FAILED",
    unknown,
  ]);
  expect((await change({ savedCardId })).body.data.dunning).toMatchObject({
    savedCardId,
    link: "none",
  });
});

it("a live company without an account for boletos is told so", async () => {
  const world = await givenLiveWorld();
  const dunning = { link: "event", method: "BOLETO" };
  const refused = await send(world, SUBSCRIPTIONS, { ...SUBSCRIPTION, dunning });
  expect([refused.status, refused.body.code]).toEqual([422, "PROVIDER_NOT_CONFIGURED"]);
  const made = await send(world, SUBSCRIPTIONS, { ...SUBSCRIPTION, dunning: { link: "event" } });
  expect(made.status, made.text).toBe(201);
});
