import { describe, expect, it } from "vitest";
import { isFiscalKey } from "../../../../src/domain/charges/fiscal-key.ts";

/** Keys of published documents: an NFC-e of Amazonas and an NF-e of Rio de Janeiro. */
const NFC_E = "13181017921427000125650010000000309887251170";
const NF_E = "33150308370779000149550010001100931002410775";

describe("a fiscal key", () => {
  it.each([
    ["an NFC-e's, whose check digit is 0", NFC_E],
    ["an NF-e's", NF_E],
    [
      "one whose remainder is 1, for which the manual has the check digit 0",
      "33150308370779000149550010001100930000000130",
    ],
    ["one of an issuer whose CNPJ has letters", "35261112ABC34501DE35550010000001231000001235"],
  ])("is %s", (_what, key) => {
    expect(isFiscalKey(key)).toBe(true);
  });

  it.each([
    ["another check digit", `${NF_E.slice(0, -1)}6`],
    ["another digit", NF_E.replace("3315", "3316")],
    ["two digits exchanged", NF_E.replace("3315", "3351")],
    ["a digit less", NF_E.slice(1)],
    ["a digit more", `${NF_E}0`],
    ["spaces", NF_E.replaceAll(/(\d{4})/g, "$1 ").trim()],
    ["a letter outside the CNPJ", "A" + NF_E.slice(1)],
    ["small letters", "35261112abc34501de35550010000001231000001235"],
    ["zeros only", "0".repeat(44)],
    ["nothing", ""],
  ])("has no %s", (_what, key) => {
    expect(isFiscalKey(key)).toBe(false);
  });
});
