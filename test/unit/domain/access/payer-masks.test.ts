import { describe, expect, it } from "vitest";
import { maskAddress, maskName } from "../../../../src/domain/access/masks.ts";
import {
  visibleEventData,
  visibleTransaction,
  visibleWithdraw,
} from "../../../../src/domain/access/payer-masks.ts";
import {
  EXAMPLE_TRANSACTION,
  EXAMPLE_WITHDRAW,
} from "../../../../src/domain/events/api-examples.ts";
import { SCOPES, type Scope } from "../../../../src/domain/shared/company.ts";

const WITH = new Set<Scope>(["pii:read"]);
const WITHOUT = new Set(SCOPES.filter((scope) => scope !== "pii:read"));

const payer = {
  externalId: "crm-9",
  name: "Maria da Silva",
  email: "maria@example.com",
  phone: "+5511987654321",
  documentNumber: "12345678909",
  documentType: "CPF",
  address: { street: "Rua das Flores", zipCode: "01310100", city: "São Paulo", state: "SP" },
};

it.each([
  ["Maria da Silva", "M*** d*** S***"],
  ["  Zoé  ", "Z***"],
  ["😀 Li", "😀*** L***"],
  ["", ""],
])("a name %j is shown as %j", (name, shown) => {
  expect(maskName(name)).toBe(shown);
});

it("an address keeps its state and country only", () => {
  expect(maskAddress({ street: "Rua A", complement: "", state: "SP", country: "BR" })).toEqual({
    street: "***",
    complement: "",
    state: "SP",
    country: "BR",
  });
});

describe("a transaction", () => {
  const record = { ...EXAMPLE_TRANSACTION, payer, ip: "203.0.113.7" };

  it("is shown in full with pii:read", () => {
    expect(visibleTransaction(WITH, record)).toBe(record);
  });

  it("is masked with every other scope", () => {
    expect(visibleTransaction(WITHOUT, record)).toEqual({
      ...record,
      ip: "***",
      payer: {
        ...payer,
        email: "m***@example.com",
        phone: "***4321",
        documentNumber: "***.456.789-**",
        address: { street: "***", zipCode: "***", city: "***", state: "SP" },
      },
    });
  });

  it("gets no ip that it has not", () => {
    expect(visibleTransaction(WITHOUT, { payer, ip: null }).ip).toBeNull();
    expect(visibleTransaction(WITHOUT, { payer })).not.toHaveProperty("ip");
  });
});

describe("a withdraw", () => {
  it.each([
    ["CPF", "12345678909", "***.456.789-**"],
    ["EMAIL", "maria@example.com", "m***@example.com"],
    ["PHONE", "+5511987654321", "***4321"],
    ["EVP", "123e4567-e89b-42d3-a456-426614174000", "123e4567-***"],
  ] as const)("to a key of type %s is masked", (pixKeyType, pixKey, shown) => {
    const record = { ...EXAMPLE_WITHDRAW, pixKeyType, pixKey, creditorDocument: "12345678909" };
    expect(visibleWithdraw(WITHOUT, record)).toMatchObject({
      pixKey: shown,
      creditorDocument: "***.456.789-**",
    });
    expect(visibleWithdraw(WITH, record)).toBe(record);
  });

  it("without a key stays without one", () => {
    const preview = { pixKey: null, pixKeyType: null, creditorDocument: "" };
    expect(visibleWithdraw(WITHOUT, preview)).toEqual(preview);
  });
});

describe("an event's data", () => {
  it("are masked by the same rules", () => {
    const data = {
      id: "x",
      ip: "203.0.113.7",
      pixKey: "maria@example.com",
      pixKeyType: "EMAIL",
      creditorDocument: "12345678909",
    };
    expect(visibleEventData(WITHOUT, data)).toEqual({
      id: "x",
      ip: "***",
      pixKey: "m***@example.com",
      pixKeyType: "EMAIL",
      creditorDocument: "***.456.789-**",
    });
    expect(visibleEventData(WITH, data)).toBe(data);
  });

  it("without personal data stay as they are", () => {
    expect(visibleEventData(WITHOUT, { accBalance: 10 })).toEqual({ accBalance: 10 });
  });
});
