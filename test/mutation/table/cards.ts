import type { Mutant } from "../mutant.ts";

/** Which cards a charge may use, and where a payer's card goes. */
export const cardMutants: Mutant[] = [
  {
    name: "cards-saved-anew-by-an-erased-payer-deleted",
    file: "src/api/cards/tasks.ts",
    text: "const leadKeys = leadKey === null ? [] : [leadKey];",
    replacement: "const leadKeys: string[] = [];",
    tests: ["test/worker/api/cards/deletions.test.ts"],
  },
  {
    name: "cards-saved-of-any-payer",
    file: "src/api/cards/saved.ts",
    text: "if (row === null || row.leadKey !== leadKey) return null;",
    replacement: "if (row === null) return null;",
    tests: ["test/worker/api/cards/saved.test.ts"],
  },
  {
    name: "cards-saved-in-clear",
    file: "src/api/cards/saved.ts",
    text: "const sealed = await seal(configOf(env).secretsKeys, ref, context);",
    replacement: "const sealed = ref;",
    tests: ["test/worker/api/cards/saved.test.ts"],
  },
  {
    name: "cards-charged-at-any-account",
    file: "src/methods/card/method.ts",
    text: 'each !== null && each !== "" && each !== account;',
    replacement: 'each !== null && each !== "" && each === "";',
    tests: [
      "test/worker/api/cards/saved.test.ts",
      "test/worker/api/payment-links/house-cards.test.ts",
    ],
  },
  {
    name: "cards-page-reaches-this-service",
    file: "src/pages/checkout/ui/layout.tsx",
    text: "tokeniserOrigins(house);",
    replacement: "[\"'self'\", ...tokeniserOrigins(house)];",
    tests: ["test/worker/api/payment-links/house-cards.test.ts"],
  },
  {
    name: "card-saved-that-the-link-does-not-offer",
    file: "src/api/payment-links/pay.ts",
    text: "terms.saveCard === true && choice.saveCard",
    replacement: "choice.saveCard",
    tests: ["test/worker/api/payment-links/save-card.test.ts"],
  },
  {
    name: "card-offered-to-be-saved-where-no-house-does",
    file: "src/pages/payment-link/card-page.tsx",
    text: "link.terms.saveCard === true && house.savesCards",
    replacement: "link.terms.saveCard === true",
    tests: ["test/worker/api/payment-links/save-card.test.ts"],
  },
  {
    name: "phone-not-asked-where-the-house-needs-it",
    file: "src/api/payment-links/payer.ts",
    text: "required || requiredBy.some((each) => each === method)",
    replacement: "required",
    tests: ["test/worker/api/payment-links/requirements.test.ts"],
  },
  {
    name: "phone-kept-of-who-pays-otherwise",
    file: "src/api/payment-links/payer.ts",
    text: 'isRequired || !isOfMethod ? fields[name] : ""',
    replacement: "fields[name]",
    tests: ["test/worker/api/payment-links/requirements.test.ts"],
  },
  {
    name: "card-of-a-payer-erased-before-the-consent-kept",
    file: "src/db/saved-cards.ts",
    text: "...deletionOf(db, companyId, isErased, nowMs),",
    replacement: "",
    tests: ["test/worker/api/cards/deletions.test.ts"],
  },
  {
    name: "card-on-its-way-of-an-erased-payer-left-at-its-house",
    file: "src/db/saved-cards.ts",
    text: ".set({ sealed, nextRunAt: 0 })",
    replacement: ".set({ nextRunAt: 0 })",
    tests: ["test/worker/api/cards/deletions.test.ts"],
  },
];
