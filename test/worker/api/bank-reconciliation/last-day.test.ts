import { expect, it } from "vitest";
import { businessDayFrom, saoPauloDay } from "../../../../src/domain/shared/business-day.ts";
import { call } from "../../../support/builders/requests/api.ts";
import { runCron } from "../../../support/fakes/cron.ts";
import { givenPsp } from "../../../support/builders/providers/psp.ts";
import { givenTransaction } from "../../../support/builders/charges/transaction.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

const PAYER = {
  customer: { name: "Maria da Silva", document: { type: "CPF", number: "52998224725" } },
  shipping: {
    address: { street: "Rua Um", city: "Sao Paulo", state: "SP", zipCode: "01310100" },
  },
};

const isBusinessDay = (day: string) => businessDayFrom(day) === day;

it("a cobv expires at the end of its due day, as in its registration", async () => {
  const world = await givenPsp({ charge: "cobv" });
  const { company, options, clock, psp, deps } = world;
  // Nine o'clock in Sao Paulo leaves a day and an evening to pay in, if the next day is a business day.
  clock.advance(DAY_MS - (clock.now() % DAY_MS) + 12 * HOUR_MS);
  while (!isBusinessDay(saoPauloDay(clock.now() + DAY_MS))) clock.advance(DAY_MS);
  const createdAt = clock.now();
  const { id, pix } = await givenTransaction(company, PAYER, options);
  expect(psp.requests).toContain(`PUT /cobv/${id.replaceAll("-", "")}`);
  const lastSecond = createdAt + DAY_MS + 15 * HOUR_MS - 1_000;
  expect(Date.parse(pix.expirationDate)).toBe(lastSecond);
  const statusAt = async (time: number) => {
    clock.advance(time - clock.now());
    await runCron(deps, world.env);
    const path = `/api/Transaction/transactionByTransactionId/${id}`;
    return (await call(path, { company })).body.enStatusTransaction;
  };

  expect(await statusAt(createdAt + DAY_MS + MINUTE_MS)).toBe("Awaiting");
  expect(await statusAt(lastSecond + MINUTE_MS)).toBe("Cancelled");
});
