import { describe, expect, test } from "vitest";
import { RestoreStep } from "../../../../src/api/operator/restore/schemas.ts";
import { archiveKeyAt } from "../../../../src/db/archive/change-archive.ts";
import { containsCardNumber } from "../../../../src/domain/cards/card-number.ts";
import { providerChargeId } from "../../../../src/domain/charges/transaction.ts";
import { eventId } from "../../../../src/domain/events/delivery.ts";
import { newSlug } from "../../../../src/domain/links/slug.ts";
import { contradictionId } from "../../../../src/domain/reconciliation/contradiction.ts";
import { isoTime, systemRandom } from "../../../../src/domain/shared/clock.ts";
import {
  payerUuidOf,
  newPayoutId,
  newSecureRandom,
  newTransactionId,
  newUuid,
  secureIdOf,
  staticTxidOf,
} from "../../../../src/domain/shared/ids.ts";
import { fieldsOf } from "../../../../src/http/fields/known-fields.ts";

/** Of each kind; `CARD_NUMBER_VALUES=1000000` for the whole run. */
const VALUES = Number(process.env["CARD_NUMBER_VALUES"] ?? 10_000);
const DAY_MS = 86_400_000;
/** 2026-11-21: the values spread over the twenty years after it. */
const START_MS = 1_795_219_200_000;

const companyOf = (index: number) => 1 + (index % 0xff_ffff);
const timeOf = (index: number) => START_MS + ((index * 7_919_993) % (20 * 365 * DAY_MS));
const transactionOf = (index: number) =>
  newTransactionId(companyOf(index), timeOf(index), systemRandom);

/** What a request's body may send back. The cursors of queries are not looked at. */
const KINDS: Record<string, (index: number) => string> = {
  "a transaction": transactionOf,
  "a charge at the PSP (txid)": (index) => providerChargeId(transactionOf(index)),
  "a static code (txid)": () => staticTxidOf(newUuid(systemRandom)),
  "a checkout": (index) => secureIdOf(transactionOf(index), newSecureRandom(systemRandom)),
  "a payout": (index) => newPayoutId(companyOf(index), index + 1, systemRandom),
  "a payer": (index) => payerUuidOf(companyOf(index), index + 1),
  "a link": (index) => newSlug(companyOf(index), systemRandom),
  "an operation": () => newUuid(systemRandom),
  "an event": (index) => eventId(companyOf(index), index + 1),
  "a contradiction": (index) => contradictionId(companyOf(index), index + 1),
  "a withdraw's subject": (index) => `withdraw:${index + 1}`,
  "a dense cursor": (index) => String(index + 1),
  "a time": (index) => isoTime(timeOf(index)),
  "a day": (index) => isoTime(timeOf(index)).slice(0, 10),
  "a time in milliseconds": (index) => String(timeOf(index)),
};

describe("no id, cursor or date that the gateway makes reads as a card number:", () => {
  test.each(Object.entries(KINDS))("%s", (_kind, make) => {
    const read = [];
    for (let index = 0; index < VALUES; index++) {
      const value = make(index);
      if (containsCardNumber(value)) read.push(value);
    }
    expect(read).toEqual([]);
  });
});

test("a restore takes every key of the archive back, though some read as card numbers", () => {
  const root = fieldsOf(RestoreStep);
  const after = root?.kind === "object" ? root.fields.get("after") : undefined;
  expect(after?.cardNumberAllowed).toBe(true);
  let readAsCards = 0;
  for (let index = 0; index < VALUES; index++) {
    const key = `${archiveKeyAt(companyOf(index), timeOf(index))}-${newUuid(systemRandom)}`;
    if (containsCardNumber(key)) readAsCards += 1;
    expect(RestoreStep.safeParse({ after: key }).success, key).toBe(true);
  }
  expect(readAsCards).toBeGreaterThan(0);
});
