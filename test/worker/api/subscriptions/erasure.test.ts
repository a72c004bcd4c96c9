import { expect, it } from "vitest";
import {
  chargesOf,
  givenApproved,
  liveUntil,
  openShop,
  play,
  subscriptionOf,
} from "../../../support/builders/charges/subscriptions.ts";
import { callsTo } from "../../../support/builders/companies/calls.ts";
import { waitUntilDrained } from "../../../support/builders/companies/company.ts";

it("the payer of an ended subscription is erased with the charges; one of a lasting one stays", async () => {
  const shop = await openShop();
  const ended = await givenApproved(shop);
  const lasting = await givenApproved(shop);
  await liveUntil(shop, "2026-12-11");
  await play(shop, ended.id, "payer-cancel");
  const charges = [...(await chargesOf(shop, ended.id)), ...(await chargesOf(shop, lasting.id))];
  const transactionIds = charges.map(({ transactionId }) => transactionId);
  const { id: companyId } = shop.company;

  await callsTo(companyId).erasePayers({ companyId, transactionIds });
  await waitUntilDrained(shop.company);

  expect((await subscriptionOf(shop, ended.id)).customer).toEqual({
    name: "",
    email: "",
    externalRef: "",
    city: null,
    document: { type: "CPF", number: "" },
  });
  expect((await subscriptionOf(shop, lasting.id)).customer.name).toBe("Maria da Silva");
});
