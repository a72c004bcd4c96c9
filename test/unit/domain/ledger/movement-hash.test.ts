import { expect, it } from "vitest";
import {
  GENESIS_HASH,
  movementHash,
  type HashedMovement,
} from "../../../../src/domain/ledger/movement-hash.ts";

/** A movement whose fields all differ. */
const MOVEMENT: HashedMovement = {
  sequence: 7,
  createdAt: 1_795_000_000_123,
  type: "charge_paid",
  transactionId: "0f8fad5b-d9cb-469f-a165-70867728950e",
  withdrawId: 12,
  detailsHash: null,
  lines: [
    { account: "provider", amount: -10_000, balance: -25_000 },
    { account: "fees", amount: 150, balance: 320 },
    { account: "available", amount: 9_850, balance: 24_680 },
  ],
};
const PREVIOUS = "a".repeat(64);

it("the hash of a movement is SHA-256 of the documented text, byte by byte", async () => {
  const text =
    `["${PREVIOUS}",7,1795000000123,"charge_paid","0f8fad5b-d9cb-469f-a165-70867728950e",12,` +
    `[["fees",150,320],["available",9850,24680]]]`;
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  const hex = [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0"));
  expect(movementHash(PREVIOUS, MOVEMENT)).toBe(hex.join(""));
});

it("the hash of a ledger's first movement equals an independently computed one", () => {
  const first: HashedMovement = {
    sequence: 1,
    createdAt: 1_795_000_000_000,
    type: "payment_suspended",
    transactionId: null,
    withdrawId: null,
    detailsHash: null,
    lines: [
      { account: "provider", amount: -500, balance: -500 },
      { account: "suspense", amount: 500, balance: 500 },
    ],
  };
  expect(movementHash(GENESIS_HASH, first)).toBe(
    "3f939128378ff8f3215def025f7c8d8273b662a351355d2340bb3ab0ddf57ca3",
  );
});
