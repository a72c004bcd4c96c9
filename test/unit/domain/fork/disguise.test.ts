import { describe, expect, it } from "vitest";
import { copyRow } from "../../../../src/domain/fork/columns.ts";
import { Disguise } from "../../../../src/domain/fork/disguise.ts";
import { maskDocument } from "../../../../src/domain/access/masks.ts";
import { systemRandom } from "../../../../src/domain/shared/clock.ts";
import { parseDocument } from "../../../../src/domain/shared/document.ts";
import {
  companyIdOfTransactionId,
  createdAtOfTransactionId,
  newPayoutId,
  newTransactionId,
  newUuid,
  parsePayoutId,
} from "../../../../src/domain/shared/ids.ts";
import { parsePixKey } from "../../../../src/domain/shared/pix-key.ts";
import { madeUpCnpj, madeUpCpf } from "../../../../src/domain/fork/made-up.ts";

const KEY = new Uint8Array(32).fill(7);
const COMPANIES = { from: 5, to: 901, newestWithdraw: 40 };
const disguise = new Disguise(KEY, COMPANIES);
const NOW = Date.parse("2026-11-29T12:00:00Z");

describe("ids", () => {
  it("keep their time, get the copy's company, and are the same throughout", () => {
    const id = newTransactionId(5, NOW, systemRandom);
    const copy = disguise.id(id);
    expect(companyIdOfTransactionId(copy)).toBe(901);
    expect(createdAtOfTransactionId(copy)).toBe(NOW);
    expect(copy).not.toContain(id.slice(14, 30));
    const hex = id.replaceAll("-", "");
    const copiedHex = copy.replaceAll("-", "");
    expect(disguise.id(`C${hex}`)).toBe(`C${copiedHex}`);
    expect(disguise.id(`${hex}:2`)).toBe(`${copiedHex}:2`);
    expect(disguise.id(`transaction:${id}`)).toBe(`transaction:${copy}`);
    expect(new Disguise(KEY, COMPANIES).id(id)).toBe(copy);
    expect(new Disguise(new Uint8Array(32), COMPANIES).id(id)).not.toBe(copy);
  });

  it("of payouts keep their withdraw, and show nothing else", () => {
    const id = newPayoutId(5, 17, systemRandom);
    const copy = disguise.id(id);
    expect(parsePayoutId(copy)).toEqual({ companyId: 901, withdrawId: 17 });
    expect(copy.slice(0, 12)).not.toBe(id.slice(0, 12));
  });

  it("of another shape keep it: UUIDs, end-to-end ids, client ids, subjects", () => {
    const uuid = newUuid(systemRandom);
    expect(disguise.id(uuid)).toMatch(
      /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    );
    expect(disguise.id(uuid)).not.toBe(uuid);
    const payment = "E12345678202611291200abcdefghij0";
    expect(disguise.id(payment)).toMatch(/^E12345678202611291200[a-z]{10}\d$/);
    expect(disguise.id(`payment:${payment}`)).toBe(`payment:${disguise.id(payment)}`);
    expect(disguise.id(`${payment}:D1a2`).split(":")[0]).toBe(disguise.id(payment));
    expect(disguise.id("app_local_loja")).toMatch(/^app_[a-z]{5}_[a-z]{4}$/);
    expect(disguise.id("withdraw:7")).toBe("withdraw:7");
    expect(disguise.id("maria")).not.toBe("maria");
    expect(disguise.token("joão 10")).toMatch(/^[a-z]{2}x[a-z] \d{2}$/);
  });

  it("that are known have their own copy, also in a subject", () => {
    const own = new Disguise(KEY, COMPANIES);
    own.know("dispute-of-the-bank-1", "abc:1");
    expect(own.id("dispute-of-the-bank-1")).toBe("abc:1");
    expect(own.id("dispute:dispute-of-the-bank-1")).toBe("dispute:abc:1");
  });
});

describe("payers", () => {
  it.each(["52998224725", "11222333000181", "39053344705", "12ABC34501DE35"])(
    "of document %s get a valid one, whose mask follows from theirs",
    (number) => {
      const copy = disguise.document(number);
      expect(copy).not.toBe(number);
      expect(copy.length).toBe(number.length);
      expect(parseDocument(copy)?.number).toBe(copy);
      expect(disguise.maskedDocument(maskDocument(number))).toBe(maskDocument(copy));
      expect(disguise.name("Maria", number)).toBe(disguise.name("MARIA S", maskDocument(number)));
    },
  );

  it("get valid documents even of equal digits", () => {
    for (let digit = 0; digit <= 9; digit++) {
      const of = (length: number) => String(digit).repeat(length);
      expect(parseDocument(madeUpCpf(of(3), of(6)))).not.toBeNull();
      expect(parseDocument(madeUpCnpj(of(2), of(6)))).not.toBeNull();
    }
  });

  it("have PIX keys of the same type", () => {
    const keys = {
      CPF: "52998224725",
      CNPJ: "11222333000181",
      EMAIL: "maria@loja.com.br",
      PHONE: "+5511987654321",
      EVP: "7d9f0b9e-5c0a-4a8b-9a52-0c6f0a4f1d11",
    } as const;
    for (const [type, value] of Object.entries(keys)) {
      const copy = disguise.pixKey(value);
      expect(copy).not.toBe(value);
      expect(parsePixKey(copy, type as keyof typeof keys)).toMatchObject({ kind: "valid" });
    }
  });

  it("are no one in structures, whatever a new member is called", () => {
    const copy = copyRow(
      { payer: "json", card: "json", note: "text", gone: "left" },
      {
        payer: {
          externalId: "cus-9",
          name: "Maria",
          email: "maria@loja.com.br",
          phone: "11987654321",
          documentNumber: "52998224725",
          documentType: "CPF",
          address: { street: "Rua X", city: "Recife", complement: "" },
          nickname: "Mariazinha 1980",
        },
        card: JSON.stringify({ brand: "visa", lastDigits: "4242", holderName: "MARIA" }),
        note: "Para a Maria",
        gone: "Maria",
      },
      disguise,
    );
    expect(JSON.stringify(copy)).not.toMatch(/maria|52998224725|Rua X|Recife|1980|4242|cus-9/i);
    expect(copy["payer"]).toMatchObject({ documentType: "CPF", address: { complement: "" } });
    expect(JSON.parse(String(copy["card"]))).toMatchObject({ brand: "visa" });
    expect(copy).not.toHaveProperty("gone");
  });
});
