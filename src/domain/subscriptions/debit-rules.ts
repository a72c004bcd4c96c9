/**
 * How sure a rule is: `rule` is BACEN's own text, `manual` what PSPs' manuals say of it, `ours` a stricter choice where they
 * are silent or differ.
 */
export const DEBIT_RULE_MARKS = ["rule", "manual", "ours"] as const;
export type DebitRuleMark = (typeof DEBIT_RULE_MARKS)[number];

/** The rules of Pix Automático, each with its source. IN BCB 513/2024, which has the whole, was not found. */
interface Rule {
  text: string;
  source: string;
  mark: DebitRuleMark;
}

export const DEBIT_RULES = {
  due_date: {
    text: "A cycle is due on the day of the first one, or on the last day of a shorter month.",
    source: "Pix API 2.9.0, rec.calendario (periodicidade)",
    mark: "ours",
  },
  business_day: {
    text: "A debit settles on its due date, or on the next business day of the payer's town.",
    source: "Pix API 2.9.0, cobr.ajusteDiaUtil",
    mark: "rule",
  },
  instruct_from: {
    text: "A debit is ordered at most 10 days before it settles.",
    source: "Manuals of Celcoin, Cielo, EBANX, Woovi (code FCD1)",
    mark: "manual",
  },
  instruct_until: {
    text: "A debit is ordered at least 2 business days before it settles.",
    source: "Manual of Celcoin; Cielo, EBANX and Woovi (code FCD2) have calendar days",
    mark: "manual",
  },
  sent: {
    text: "A debit is ordered 5 days before it settles, earlier where business days are few.",
    source: "Centavo: time to send it again each day",
    mark: "ours",
  },
  cancel_until: {
    text: "The receiver cancels a debit until 22:00 of the day before it settles.",
    source:
      "Manual of Cielo; Pix API 2.9.0, PATCH /cobr/{txid}: before the day of the first attempt",
    mark: "manual",
  },
  payer_cancel_until: {
    text: "The payer cancels a debit until 23:59 of the day before it settles.",
    source: "Manuals of Celcoin and Cielo",
    mark: "manual",
  },
  approval_days: {
    text: "A payer has at most 30 days to answer a request.",
    source: "IN BCB 436/2023, art. 3",
    mark: "rule",
  },
  begins_today: {
    text: "A mandate begins on the day of its creation at the earliest.",
    source: "Pix API 2.9.0, RecOperacaoInvalida (rec.calendario.dataInicial)",
    mark: "rule",
  },
  ends_after_beginning: {
    text: "A mandate does not end before it begins.",
    source: "Pix API 2.9.0, RecOperacaoInvalida (rec.calendario.dataFinal)",
    mark: "rule",
  },
  settles_by_end: {
    text: "The last debit settles by the end of the mandate.",
    source: "Pix API 2.9.0, rec.status EXPIRADA after dataFinal",
    mark: "ours",
  },
  retry_policy: {
    text: "A debit is tried again only where the mandate allows it.",
    source: "Pix API 2.9.0, rec.politicaRetentativa; code IRNT",
    mark: "rule",
  },
  retry_amount: {
    text: "A retry has the same amount.",
    source: "Manuals of Asaas and Celcoin; POST /cobr/{txid}/retentativa/{data} has no amount",
    mark: "manual",
  },
  retry_open: {
    text: "No retry while an attempt is open, or after one was paid.",
    source: "Pix API 2.9.0, CobROperacaoInvalida; codes NIEC, NIPA",
    mark: "rule",
  },
  retry_count: {
    text: "A debit is tried again at most 3 times.",
    source: "Pix API 2.9.0, PERMITE_3R_7D; code QUNT",
    mark: "rule",
  },
  retry_future: {
    text: "A retry is ordered for a future day.",
    source: "Pix API 2.9.0, CobROperacaoInvalida (data)",
    mark: "rule",
  },
  retry_same_day: {
    text: "On the same day the payer's bank alone sends a debit again, after a failure of its systems.",
    source: "IN BCB 614/2025, art. 5, par. 4",
    mark: "rule",
  },
  retry_days_differ: {
    text: "Retries are on different days.",
    source: "Manuals of Asaas and Celcoin; Pix API 2.9.0, CobROperacaoInvalida (data)",
    mark: "manual",
  },
  retry_days: {
    text: "A retry is 1 to 7 calendar days after the due date.",
    source: "Pix API 2.9.0, PERMITE_3R_7D; code DTNT",
    mark: "rule",
  },
  retry_before_next: {
    text: "A retry is before the next cycle, and not after the mandate's end.",
    source: "Manual of Asaas",
    mark: "manual",
  },
  retry_business_day: {
    text: "A retry is on a business day after the day on which the debit settled.",
    source: "Pix API 2.9.0, cobr.ajusteDiaUtil: another day could move beyond the 7 days",
    mark: "ours",
  },
} as const satisfies Record<string, Rule>;

export type DebitRuleName = keyof typeof DEBIT_RULES;
/** A rule about retries. */
export type RetryRuleName = Extract<DebitRuleName, `retry_${string}`>;
export const RETRY_RULE_NAMES = Object.keys(DEBIT_RULES).filter((name) =>
  name.startsWith("retry_"),
) as RetryRuleName[];

/** Why a day or an order is refused: by which rule, with the rule's text and source for people. */
export interface DebitRefusal<Name extends DebitRuleName = DebitRuleName> {
  rule: Name;
  /** Sentences for people: the rule, what is wrong, and the source. */
  detail: string;
  source: string;
}

/** A refusal by a rule; `fault`: a sentence on what is wrong. */
export function refuse<Name extends DebitRuleName>(rule: Name, fault: string): DebitRefusal<Name> {
  const { text, source } = DEBIT_RULES[rule];
  return { rule, detail: `${text} ${fault} Source: ${source}.`, source };
}
