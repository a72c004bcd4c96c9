import { beforeEach, expect, it, vi } from "vitest";
import { deleteCardsAtHouses } from "../../../../src/api/cards/tasks.ts";
import { beginSavedCard, findSavedCard } from "../../../../src/db/saved-cards.ts";
import {
  env,
  givenCompany,
  type TestCompany,
} from "../../../support/builders/companies/company.ts";
import { erasePayer } from "../../../support/builders/charges/payer-requests.ts";
import { createTransaction } from "../../../support/builders/charges/transaction.ts";
import { call } from "../../../support/builders/requests/api.ts";
import { CARD_REQUEST } from "../../../support/builders/requests/full-request.ts";
import { TestClock } from "../../../support/fakes/clock.ts";
import { FakeAcquirer } from "../../../support/fakes/fake-acquirer.ts";
import { CRASH, withD1 } from "../../../support/faults/faulty-env.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const { amount, paymentMethod, customer } = CARD_REQUEST;

/** A live company whose house keeps cards. */
async function givenHouse() {
  const clock = new TestClock();
  const acquirer = new FakeAcquirer(clock);
  const deps = { providers: () => acquirer.registry(), platformClock: clock };
  const company = await givenCompany({ mode: "live" });
  const save = async (savedCard: string): Promise<string> => {
    acquirer.savedCard = savedCard;
    const card = { token: `token_${savedCard}`, saveCard: true };
    const body = { amount, paymentMethod, customer, card };
    return (await createTransaction(company, body, { deps })).body.data.card.savedCardId;
  };
  const remove = (id: string) =>
    call(`/api/v1/cards/${id}`, { method: "DELETE", company, deps: { platformClock: clock } });
  return {
    clock,
    acquirer,
    company,
    deps,
    save,
    remove,
    run: () => deleteCardsAtHouses(env, deps),
  };
}

beforeEach(async () => {
  // The task takes every company's.
  await env.DB.prepare("DELETE FROM card_deletions").run();
});

async function inLine({ id }: TestCompany): Promise<unknown[]> {
  const { results } = await env.DB.prepare("SELECT id FROM card_deletions WHERE company_id = ?")
    .bind(id)
    .all();
  return results.map((row) => row.id);
}

it("a deleted card is deleted at its house, and nothing of it is left", async () => {
  const { acquirer, company, save, remove, run } = await givenHouse();
  const [first, second] = [await save("house_1"), await save("house_2")];
  expect((await remove(first)).status).toBe(200);
  expect(await inLine(company)).toEqual([first]);

  await run();

  expect(acquirer.deletedCards).toEqual([{ savedCard: "house_1", kept: ["house_2"] }]);
  expect(await inLine(company)).toEqual([]);
  await run();
  expect(acquirer.deletedCards).toHaveLength(1);
  expect((await remove(second)).status).toBe(200);
});

it("an erased payer's cards are deleted at their houses, which are asked until they say so", async () => {
  const { acquirer, clock, company, save, run } = await givenHouse();
  const id = await save("house_1");
  expect((await erasePayer(company, customer.document.number)).status).toBe(200);
  acquirer.onDeleteCard = async () => ({ kind: "unknown" });
  await run();
  await run();
  expect(acquirer.deletedCards).toEqual([{ savedCard: "house_1", kept: [] }]);
  expect(await inLine(company)).toEqual([id]);

  acquirer.onDeleteCard = async () => ({ kind: "deleted" });
  clock.advance(10 * MINUTE_MS);
  await run();

  expect(acquirer.deletedCards).toHaveLength(2);
  expect(await inLine(company)).toEqual([]);
});

it("a card whose charge is on its way while its payer is erased is deleted at its house, once that has answered", async () => {
  const { acquirer, clock, company, save, run } = await givenHouse();
  const charge = acquirer.onCreate;
  acquirer.onCreate = async (order) => {
    const answer = await charge(order);
    expect((await erasePayer(company, customer.document.number)).status).toBe(200);
    // What the house keeps the card by is not known here yet.
    await run();
    expect(acquirer.deletedCards).toEqual([]);
    expect(await inLine(company)).toHaveLength(1);
    return answer;
  };
  expect(await save("house_1")).toBeUndefined();

  clock.advance(1);
  await run();

  expect(acquirer.deletedCards).toEqual([{ savedCard: "house_1", kept: [] }]);
  expect(await inLine(company)).toEqual([]);
});

it("a card of an erased payer that its house never kept is forgotten after a month, and told to nobody", async () => {
  const { acquirer, clock, company, save, run } = await givenHouse();
  const errors = vi.spyOn(console, "error").mockImplementation(() => undefined);
  acquirer.declines = true;
  await save("house_1");
  await erasePayer(company, customer.document.number);
  clock.advance(30 * DAY_MS - 1);
  await run();
  expect(await inLine(company)).toHaveLength(1);

  clock.advance(DAY_MS);
  await run();

  expect(await inLine(company)).toEqual([]);
  expect(errors).not.toHaveBeenCalled();
});

it("a card that an erased payer saves anew stays at its house", async () => {
  const { acquirer, company, save, run } = await givenHouse();
  await save("house_1");
  expect((await erasePayer(company, customer.document.number)).status).toBe(200);
  await save("house_1");

  await run();

  expect(acquirer.deletedCards).toEqual([{ savedCard: "house_1", kept: ["house_1"] }]);
  expect(await inLine(company)).toEqual([]);
});

it("a house that keeps a card for a month is told by people", async () => {
  const { acquirer, clock, company, save, remove, run } = await givenHouse();
  const id = await save("house_1");
  await remove(id);
  const errors = vi.spyOn(console, "error").mockImplementation(() => undefined);
  acquirer.onDeleteCard = () => Promise.reject(new Error("no route to it"));
  clock.advance(29 * DAY_MS);
  await run();
  expect(await inLine(company)).toEqual([id]);
  expect(errors).not.toHaveBeenCalled();

  clock.advance(DAY_MS);
  await run();

  expect(await inLine(company)).toEqual([]);
  expect(errors.mock.calls.flat().join()).toContain("card_left_at_house");
});

it("a card that is being deleted is not kept by a repeat of its charge", async () => {
  const { clock, company, save } = await givenHouse();
  const id = await save("house_1");
  const consent = await findSavedCard(env, company.id, id);
  await erasePayer(company, customer.document.number);
  expect(await inLine(company)).toEqual([id]);

  await beginSavedCard(env, consent!, { seq: 0, nowMs: clock.now() });

  expect(await findSavedCard(env, company.id, id)).toBeNull();
});

it("a card whose charge was cut off before its payer was erased is deleted once the charge is repeated", async () => {
  const { acquirer, clock, company, run, deps } = await givenHouse();
  acquirer.savedCard = "house_1";
  const body = { amount, paymentMethod, customer, card: { token: "token_1", saveCard: true } };
  const crashing = withD1(env, async (label, query) => {
    if (label.includes('insert into "saved_cards"')) throw new Error(CRASH);
    return query();
  });
  const options = { deps, key: "order-1" };
  expect((await createTransaction(company, body, { ...options, env: crashing })).status).toBe(500);
  await erasePayer(company, customer.document.number);
  clock.advance(2 * MINUTE_MS);

  const answer = await createTransaction(company, body, options);

  expect(answer.status, answer.text).toBe(200);
  expect(answer.body.data.card.savedCardId).toBeUndefined();
  expect(await inLine(company)).toHaveLength(1);
  await run();
  expect(acquirer.deletedCards).toEqual([{ savedCard: "house_1", kept: [] }]);
  expect(await inLine(company)).toEqual([]);
});
