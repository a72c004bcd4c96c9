import { describe, expect, test } from "vitest";
import { deliveryId, eventId, parseDeliveryId } from "../../../../src/domain/events/delivery.ts";
import { MAX_COMPANY_ID } from "../../../../src/domain/shared/ids.ts";
import { forAll } from "../../../support/builders/requests/property.ts";

test("a delivery id contains its company, event and target", () => {
  forAll(300, (random) => {
    const ref = {
      companyId: random.integer(1, MAX_COMPANY_ID),
      companySequence: random.integer(1, 10 ** 12),
      target: random.pick(["postback", "endpoint"] as const),
    };
    expect(parseDeliveryId(deliveryId(ref))).toEqual(ref);
  });
});

test("the two targets of one event have different delivery ids", () => {
  const ref = { companyId: 1, companySequence: 1 };
  const postback = deliveryId({ ...ref, target: "postback" });
  expect(postback).not.toBe(deliveryId({ ...ref, target: "endpoint" }));
});

test("an event id separates company and event, with any digits", () => {
  const ids = [eventId(1, 11), eventId(11, 1), eventId(1, 1), eventId(11, 11), eventId(111, 1)];
  expect(new Set(ids).size).toBe(ids.length);
});

test("an event id contains no full stop, because that separates the signed parts", () => {
  expect(eventId(16_777_215, 123_456_789)).toMatch(/^[A-Za-z0-9_]+$/);
});

describe("a text of another form is not a delivery id", () => {
  test.each([
    [""],
    ["evt_1_1"],
    ["dlv_1_1"],
    ["dlv_1_1_"],
    ["dlv_1_1_email"],
    ["dlv_1_1_postback_"],
    ["dlv_1_1_POSTBACK"],
    ["DLV_1_1_postback"],
    ["dlv__1_postback"],
    ["dlv_1__postback"],
    ["dlv_-1_1_postback"],
    ["dlv_1.5_1_postback"],
    ["dlv_1e3_1_postback"],
    ["dlv_0x1_1_postback"],
    ["dlv_1_1_postback\n"],
    [" dlv_1_1_postback"],
    ["dlv_123456789_1_postback"],
    ["dlv_1_1234567890123456_postback"],
    ["dlv_１_1_postback"],
    ["dlv_1_1_postback'; DROP TABLE deliveries"],
  ])("%j", (text) => {
    expect(parseDeliveryId(text)).toBeNull();
  });
});
