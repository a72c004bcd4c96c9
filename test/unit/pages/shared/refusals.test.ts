import { expect, it } from "vitest";
import { PROBLEMS, REASONS } from "../../../../src/domain/shared/problem.ts";
import { FIELD_RULES, type FieldRule } from "../../../../src/lib/fields/rules.ts";
import { LOCALES } from "../../../../src/pages/shared/locale.ts";
import { refusalIn, sentenceOfCode } from "../../../../src/pages/shared/refusals/refusals.ts";
import en from "../../../../src/pages/shared/refusals/en.json";
import ptBr from "../../../../src/pages/shared/refusals/pt-br.json";

const WORDS_MAX = 15;
const ENGLISH = /\b(?:the|must|is|are|not|this|please|with|of|and|cannot|your)\b/i;
const PLACE = /\{(\w+)\}/g;
const PROBLEM = {
  type: "about:blank",
  title: "Unprocessable Content",
  status: 422,
  detail: "In English.",
  instance: "/api",
  traceId: "0af7651916cd43dd8448eb211c80319c",
};

it("each text exists in both languages, and no other", () => {
  for (const texts of [ptBr, en]) {
    expect(Object.keys(texts.problems).toSorted()).toEqual(Object.keys(PROBLEMS).toSorted());
    expect(Object.keys(texts.reasons).toSorted()).toEqual(REASONS.toSorted());
    expect(Object.keys(texts.rules).toSorted()).toEqual(Object.keys(FIELD_RULES).toSorted());
  }
  for (const part of ["fields", "numbers", "methods", "keyTypes"] as const) {
    expect(Object.keys(ptBr[part])).toEqual(Object.keys(en[part]));
  }
});

it("a sentence of a rule names no value that the rule lacks, and no centavos", () => {
  for (const { rules } of [ptBr, en]) {
    for (const [rule, sentence] of Object.entries(rules)) {
      const known = FIELD_RULES[rule as FieldRule].match(PLACE) ?? [];
      for (const place of sentence.match(PLACE) ?? []) expect(known, rule).toContain(place);
      expect(sentence).not.toContain("centavos");
    }
  }
});

it("sentences are short, and the Portuguese ones Portuguese", () => {
  for (const { rules, problems, reasons } of [ptBr, en]) {
    for (const text of [rules, problems, reasons].flatMap((part) => Object.values(part))) {
      for (const sentence of text.split(". ")) {
        expect(sentence.split(" ").length, sentence).toBeLessThanOrEqual(WORDS_MAX);
      }
    }
  }
  for (const part of [ptBr.rules, ptBr.problems, ptBr.numbers, ptBr.reasons, ptBr.fields]) {
    for (const text of Object.values(part)) expect(text).not.toMatch(ENGLISH);
  }
});

/** Values of a rule that are no words of a language. */
const WORDLESS: Record<string, string | number> = {
  min: 1,
  max: 2,
  day: "2026-11-21",
  method: "PIX",
  type: "CPF",
  currency: "BRL",
  examples: "203.0.113.0/24",
};

it("no problem, reason or rule lets a sentence of the API through", () => {
  const english = "must not be shown";
  const shownOf = (problem: Partial<Parameters<typeof refusalIn>[1]>) => {
    const asSent = { ...PROBLEM, title: english, detail: english, code: "FORBIDDEN" as const };
    const { title, detail, errors } = refusalIn(LOCALES["pt-BR"], { ...asSent, ...problem });
    return JSON.stringify({ title, detail, errors });
  };
  const shown = [
    ...Object.keys(PROBLEMS).map((code) => shownOf({ code: code as keyof typeof PROBLEMS })),
    ...REASONS.map((reason) => shownOf({ reason })),
    ...Object.entries(FIELD_RULES).map(([rule, sentence]) => {
      const places = [...sentence.matchAll(PLACE)].map(([, name = ""]) => name);
      const values = places.map((name): [string, string | number] => [
        name,
        WORDLESS[name] ?? english,
      ]);
      return shownOf({
        code: "VALIDATION_FAILED",
        errors: { field: [english] },
        rules: { field: [{ rule: rule as FieldRule, ...Object.fromEntries(values) }] },
      });
    }),
  ];
  for (const text of shown) expect(text).not.toContain(english);
});

it("says each field's rule with its numbers, amounts as reais", () => {
  const shown = refusalIn(LOCALES["pt-BR"], {
    ...PROBLEM,
    code: "VALIDATION_FAILED",
    errors: { amount: ["x"], "customer.document.number": ["x", "y"], "items.0": ["z"] },
    rules: {
      amount: [{ rule: "minCentavos", min: 1000 }],
      "customer.document.number": [{ rule: "document" }, { rule: "maxLength", max: 20 }],
      "items.0": [],
    },
  });
  expect(shown.title).toBe("Nada foi feito.");
  expect(shown.detail).toBe("Confira: Valor e Documento.");
  expect(shown.errors).toEqual({
    amount: ["O valor precisa ser de no mínimo R$\u00a010,00."],
    "customer.document.number": ["O CPF ou CNPJ não é válido.", "Escreva no máximo 20 caracteres."],
    "items.0": ["O formato está incorreto."],
  });
});

it("fields without a label are only marked", () => {
  const errors = { clientId: ["is required"] };
  const problem = { ...PROBLEM, code: "VALIDATION_FAILED" as const, errors };
  expect(refusalIn(LOCALES.en, problem).detail).toBe("Please check the marked fields.");
});

it("says a problem by its code, with its members", () => {
  const shown = refusalIn(LOCALES["pt-BR"], {
    ...PROBLEM,
    code: "INSUFFICIENT_BALANCE",
    availableCents: 700,
    requiredCents: 1_000,
  });
  expect(shown.detail).toBe(
    "O saldo disponível não cobre o valor. Disponível: R$\u00a07,00; necessário: R$\u00a010,00.",
  );
  expect(sentenceOfCode(LOCALES.en, "SERVICE_PAUSED")).toContain("paused");
  expect(sentenceOfCode(LOCALES.en, "NO_CODE")).toBe("NO_CODE");
});

it("a reason stands in place of the code's sentence", () => {
  const problem = { ...PROBLEM, code: "FORBIDDEN" as const, reason: "requester" as const };
  expect(refusalIn(LOCALES.en, problem).detail).toBe(en.reasons.requester);
});

it("a member that is a time is shown as one", () => {
  const shown = refusalIn(LOCALES.en, {
    ...PROBLEM,
    code: "SPENDING_LIMITS_ENDED",
    endedAt: "2026-11-21T12:00:00.000Z",
  });
  expect(shown.detail).toContain("They ended at 11/21/26, 9:00");
});
