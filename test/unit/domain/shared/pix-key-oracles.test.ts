import { cnpj as cnpjOracle, cpf as cpfOracle } from "cpf-cnpj-validator";
import { parsePhoneNumberFromString } from "libphonenumber-js/max";
import { isCNPJ, isCPF } from "validation-br";
import { describe, expect, test } from "vitest";
import { parsePixKey, type PixKeyType } from "../../../../src/domain/shared/pix-key.ts";
import { forAll, type Seeded } from "../../../support/builders/requests/property.ts";

const KEYS = 1_000;
const SEED = Math.floor(Math.random() * 2 ** 32);
const DIGITS = "0123456789";
const LOWER = "abcdefghijklmnopqrstuvwxyz";
/** The key forms of DICT (API 1.8.0). */
const DICT: Record<PixKeyType, RegExp> = {
  CPF: /^[0-9]{11}$/,
  CNPJ: /^[A-Z0-9]{12}[0-9]{2}$/,
  PHONE: /^\+[1-9]\d{1,14}$/,
  EMAIL:
    /^[a-z0-9.!#$'*+/=?^_`{|}~-]+@[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/,
  EVP: /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/,
};

const anyCase = (random: Seeded, text: string) =>
  random.pick([text, text.toUpperCase(), text.toLowerCase()]);

/** Generated keys with the verdicts of two independent libraries or texts. */
const KINDS: Record<
  PixKeyType,
  { written: (random: Seeded) => string; validators: ((canonical: string) => boolean)[] }
> = {
  CPF: {
    written: (random) => random.pick([cpfOracle.generate(), random.text(DIGITS, 11)]),
    validators: [isCPF, (key) => cpfOracle.isValid(key) || key === "12345678909"],
  },
  CNPJ: {
    written: (random) =>
      anyCase(random, random.pick([cnpjOracle.generate(), random.text(`${DIGITS}AZ`, 14)])),
    validators: [isCNPJ, (key) => cnpjOracle.isValid(key)],
  },
  PHONE: {
    written: (random) =>
      `+55${random.integer(11, 99)}${random.pick(["9", "9", "7", ""])}${random.text(DIGITS, 8)}`,
    validators: [
      (key) => {
        const phone = parsePhoneNumberFromString(key);
        return phone?.isValid() === true && phone.getType() === "MOBILE";
      },
      // ANATEL's numbering plan: an area code without zeros, nine digits that start with 9.
      (key) => /^\+55[1-9][1-9]9\d{8}$/.test(key),
    ],
  },
  EMAIL: {
    written: (random) => {
      const domain = `${random.text(LOWER, random.integer(1, 20))}.${random.pick(["com", "com.br"])}`;
      return anyCase(
        random,
        `${random.text(`${LOWER}0123456789`, random.integer(1, 70))}@${domain}`,
      );
    },
    validators: [(key) => key.length <= 77, (key) => DICT.EMAIL.test(key)],
  },
  EVP: {
    written: (random) => {
      const hex = (length: number) => random.text("0123456789abcdef", length);
      return anyCase(random, [8, 4, 4, 4, random.pick([12, 12, 12, 11])].map(hex).join("-"));
    },
    validators: [
      (key) => key.length === 36,
      (key) => key.split("-").every((part) => Number.isInteger(Number.parseInt(part, 16))),
    ],
  },
};

describe("1,000 keys of each type get the verdict of other libraries", () => {
  test.each(Object.keys(KINDS) as PixKeyType[])(`%s (seed ${SEED})`, (type) => {
    const { written, validators } = KINDS[type];
    let valid = 0;
    forAll(
      KEYS,
      (random) => {
        const text = written(random);
        const canonical =
          type === "CNPJ" || type === "CPF" ? text.toUpperCase() : text.toLowerCase();
        const isValidForAll =
          validators.every((isValid) => isValid(canonical)) && DICT[type].test(canonical);
        expect(parsePixKey(text, type), text).toEqual(
          isValidForAll ? { kind: "valid", key: { type, value: canonical } } : { kind: "invalid" },
        );
        if (isValidForAll) valid += 1;
      },
      SEED,
    );
    expect(valid).toBeGreaterThan(0);
  });
});
