import type { getOwnTerms } from "../../../../api/settings/routes.ts";
import { PAYMENT_METHODS } from "../../../../domain/charges/charge-status.ts";
import { FEE_KINDS, type FeeKind } from "../../../../domain/ledger/fees.ts";
import { dateTime, money, percent, whatIsFrozen } from "../../format.ts";
import type { RouteBody } from "../../route-types.ts";
import { fill, type Language, type Texts } from "../../texts.ts";
import { Facts, List, Section } from "../../ui/parts.tsx";
import { PendingSettings } from "./pending.tsx";
import { LIMITS, type Settings } from "./fields.ts";

/** Basis points of the whole. */
const WHOLE = 10_000;

interface Words {
  texts: Texts;
  language: Language;
}

/** Centavos. */
type AgreedTerms = RouteBody<typeof getOwnTerms>;

/** The settings for a role that does not change them. */
export function ReadOnlySettings(props: Words & { settings: Settings; terms: AgreedTerms }) {
  const { settings, terms, texts, language } = props;
  const words = texts.settings;
  const { policy } = words;
  const onOff = (isOn: boolean) => (isOn ? policy.on : policy.off);
  const { enforced, coolDownHours } = settings.allowedPixKeys;
  const { retentionDays: days } = settings;
  return (
    <>
      <p>{words.readOnly}</p>
      <Section title={policy.title}>
        <PendingSettings
          pending={settings.pending}
          mayRefuse={false}
          texts={texts}
          language={language}
        />
        <Facts
          of={[
            [policy.fields.duplicateWithdrawGuard, onOff(settings.duplicateWithdrawGuard)],
            ...LIMITS.map((name): [string, string] => {
              const limit = settings[name];
              return [policy.fields[name], limit === null ? policy.none : money(limit, language)];
            }),
            [policy.fields.enforced, onOff(enforced)],
            [policy.fields.coolDownHours, String(coolDownHours)],
          ]}
        />
      </Section>
      <Section title={words.terms.title}>
        <TermsTable terms={terms} texts={texts} language={language} />
      </Section>
      <Section title={words.retention.title}>
        <p>{days === null ? words.retention.never : fill(words.retention.shown, { days })}</p>
      </Section>
    </>
  );
}

/** Fees and release days as agreed with the operator. */
export function TermsTable({ terms, texts, language }: Words & { terms: AgreedTerms }) {
  const words = texts.settings.terms;
  const released = (kind: FeeKind) => {
    const method = PAYMENT_METHODS.find((each) => each === kind);
    if (method === undefined) return "–";
    const days = terms.releaseDays[method];
    return days === 0 ? words.atOnce : fill(words.inDays, { days });
  };
  return (
    <>
      <List
        caption={words.title}
        rows={FEE_KINDS}
        empty={null}
        columns={[
          { heading: words.kind, cell: (kind) => words.kinds[kind] },
          {
            heading: words.percentOf,
            isNumber: true,
            cell: (kind) => percent(terms.fees[kind].basisPoints / WHOLE, language, 2),
          },
          {
            heading: words.perPayment,
            isNumber: true,
            cell: (kind) => money(terms.fees[kind].fixed, language),
          },
          { heading: words.daysOf, isNumber: true, cell: released },
        ]}
      />
      <Facts
        of={[
          [words.minimumWithdraw, money(terms.minimumWithdraw, language)],
          [words.frozen, terms.frozen ? frozenText(terms.freeze, words, language) : null],
        ]}
      />
    </>
  );
}

/** What is frozen, since when and why; one of before causes were stored says only that it is. */
function frozenText(
  freeze: AgreedTerms["freeze"],
  words: Texts["settings"]["terms"],
  language: Language,
): string {
  if (freeze === null) return words.isFrozen;
  const { since, reason } = freeze;
  const what = whatIsFrozen(freeze, words);
  return fill(words.frozenSince, { what, since: dateTime(since, language), reason });
}
