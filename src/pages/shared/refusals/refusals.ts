import type { ProblemCode, Reason } from "../../../domain/shared/problem.ts";
import type { DebitRuleName } from "../../../domain/subscriptions/debit-rules.ts";
import type { ProblemBody } from "../../../http/openapi/openapi.ts";
import type { FieldRule } from "../../../lib/fields/rules.ts";
import { fill, type Language } from "../language.ts";
import type { Locale } from "../locale.ts";
import en from "./en.json";
import ptBr from "./pt-br.json";

/** What a refusal of the API says to a person. */
interface RefusalTexts extends Record<"title" | "fieldsNamed" | "fieldsMarked" | "and", string> {
  problems: Record<ProblemCode, string>;
  /** A second sentence of a problem, with its members. */
  numbers: Partial<Record<ProblemCode, string>>;
  /** In place of the sentence of a problem's code. */
  reasons: Record<Reason, string>;
  rules: Record<FieldRule, string>;
  /** Why a bank refuses a day, with the source, by the rule of the scheme. */
  debitRules: Record<DebitRuleName, string>;
  /** The fields' labels, by the last part of a field's path. */
  fields: Record<string, string>;
  methods: Record<string, string>;
  keyTypes: Record<string, string>;
}

const TEXTS: Record<Language, RefusalTexts> = { "pt-BR": ptBr, en };

/** The rules whose limits are centavos. */
const MONEY_RULES: ReadonlySet<FieldRule> = new Set([
  "minWithdraw",
  "minCentavos",
  "maxCentavos",
  "maxCentavosFor",
  "paymentTooLarge",
]);
type Rules = NonNullable<ProblemBody["rules"]>;

const INDEX = /^\d+$/;
/** An ISO 8601 time, as members of a problem have it. */
const TIME = /^\d{4}-\d\d-\d\dT/;

/** The problem in the words of a person's language: its sentence by `code`, each field's by the rule that it breaks. */
export function refusalIn(locale: Locale, problem: ProblemBody): ProblemBody {
  const { title, problems, numbers, reasons } = TEXTS[locale.language];
  const { code, reason, errors, rules = {} } = problem;
  const sentence = reason === undefined ? problems[code] : reasons[reason];
  const isOfFields = code === "VALIDATION_FAILED" && errors !== undefined;
  return {
    ...problem,
    title,
    detail: isOfFields
      ? namedFields(locale, Object.keys(errors))
      : fill(`${sentence} ${numbers[code] ?? ""}`.trim(), membersOf(locale, problem)),
    ...(errors === undefined ? {} : { errors: errorsIn(locale, Object.keys(errors), rules) }),
  };
}

/** What each refusal begins with. */
export function refusalTitle({ language }: Locale): string {
  return TEXTS[language].title;
}

/** The sentence of a problem's code, where nothing else of it is known; the code itself for one that is none. */
export function sentenceOfCode({ language }: Locale, code: string): string {
  const problems: Record<string, string> = TEXTS[language].problems;
  return problems[code] ?? code;
}

/** What a person has to look at again, by the labels of the fields that have one. */
function namedFields({ language }: Locale, paths: string[]): string {
  const { fields, fieldsNamed, fieldsMarked, and } = TEXTS[language];
  const labels = paths.map((path) => labelOf(fields, path)).filter((label) => label !== undefined);
  const names = [...new Set(labels)];
  if (names.length === 0) return fieldsMarked;
  const last = names.slice(-2).join(and);
  return fill(fieldsNamed, { names: [...names.slice(0, -2), last].join(", ") });
}

function labelOf(fields: Record<string, string>, path: string): string | undefined {
  const name = path.split(".").findLast((part) => !INDEX.test(part)) ?? "";
  return Object.hasOwn(fields, name) ? fields[name] : undefined;
}

/** Amounts as money and times as times; what a sentence does not name stays unused. */
function membersOf(locale: Locale, problem: object): Record<string, string | number> {
  const shown = Object.entries(problem).map(([name, value]: [string, unknown]) => {
    if (typeof value === "number") {
      return [name, name.endsWith("Cents") ? locale.money(value) : value];
    }
    return [name, typeof value === "string" && TIME.test(value) ? locale.dateTime(value) : value];
  });
  return Object.fromEntries(shown) as Record<string, string | number>;
}

/** A sentence for each rule that a field breaks; every field that is wrong has one. */
function errorsIn(locale: Locale, paths: string[], broken: Rules): Record<string, string[]> {
  const entries = paths.map((path): [string, string[]] => {
    const sentences = (broken[path] ?? []).map((each) => sentenceOf(locale, each));
    return [path, sentences.length === 0 ? [TEXTS[locale.language].rules.type] : sentences];
  });
  return Object.fromEntries(entries);
}

function sentenceOf(locale: Locale, { rule, ...values }: Rules[string][number]): string {
  const { rules, debitRules, methods, keyTypes } = TEXTS[locale.language];
  const known: Record<string, string> = debitRules;
  const shown = Object.entries(values).map(([name, value]) => {
    if (typeof value === "number") {
      return [name, MONEY_RULES.has(rule) ? locale.money(value) : value];
    }
    const word = String(value);
    if (name === "why") return [name, known[String(values["debitRule"])] ?? ""];
    if (name === "day") return [name, locale.date(word)];
    if (name === "method") return [name, methods[word] ?? word];
    return [name, name === "type" ? (keyTypes[word] ?? word) : word];
  });
  return fill(rules[rule], Object.fromEntries(shown) as Record<string, string | number>).trim();
}
