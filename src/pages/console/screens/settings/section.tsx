import { listAllowedPixKeys } from "../../../../api/allowed-pix-keys/routes.ts";
import { getOwnTerms, getSandboxTerms } from "../../../../api/settings/routes.ts";
import { callRoute } from "../../api.ts";
import type { ConsoleContext } from "../../context.ts";
import { localeOf, textsOf, useTexts } from "../../texts.ts";
import { Section } from "../../ui/parts.tsx";
import type { Form } from "../answers.tsx";
import { BrandForm, brandForm } from "./brand.tsx";
import { EmbedForm, embedForm } from "./embed.tsx";
import { policyForm, type Settings } from "./fields.ts";
import { PendingSettings } from "./pending.tsx";
import { PolicyForm, SETTINGS_PATH, type FieldErrors } from "./policy.tsx";
import { TermsTable } from "./read-only.tsx";
import { RemindersForm, remindersForm } from "./reminders.tsx";
import { PixKeys, Retention, TermsForm } from "./sections.tsx";
import { termsForm } from "./terms.ts";

/** The sections in their order, each a page with one form that saves it. */
export const SECTIONS = [
  "withdraws",
  "keys",
  "terms",
  "retention",
  "reminders",
  "brand",
  "embed",
] as const;
export type SettingsSection = (typeof SECTIONS)[number];

/** Keys that the page shows. */
const KEYS_SHOWN = 100;

interface Shown {
  stored: Settings;
  /** What was posted and refused; a form that was posted has no field for an unchecked box. */
  typed: Form | null;
  errors: FieldErrors;
}

/** The sections as links. */
export function SectionTabs({ section }: { section: SettingsSection }) {
  const { sections, tabs } = useTexts().settings;
  return (
    <nav class="tabs" aria-label={sections}>
      {SECTIONS.map((name) => (
        <a
          href={`${SETTINGS_PATH}?section=${name}`}
          {...(name === section ? { "aria-current": "page" as const } : {})}
        >
          {tabs[name]}
        </a>
      ))}
    </nav>
  );
}

/** The form of a section. Reads what only this section shows; throws if the API refuses that. */
export async function sectionContent(c: ConsoleContext, section: SettingsSection, shown: Shown) {
  const { stored, typed, errors } = shown;
  const labels = textsOf(c).settings;
  const { language } = localeOf(c);
  const shared = { errors, idempotencyKey: crypto.randomUUID() };
  switch (section) {
    case "withdraws": {
      const isPolicy = typed !== null && "coolDownHours" in typed;
      return (
        <Section title={labels.policy.title}>
          <PendingSettings pending={stored.pending} mayRefuse />
          <PolicyForm {...shared} form={isPolicy ? typed : policyForm(stored, language)} />
        </Section>
      );
    }
    case "keys":
      return keysSection(c, { ...shared, form: typed ?? {} });
    case "terms":
      return termsSection(c, { ...shared, typed });
    case "retention": {
      const form = { retentionDays: String(stored.retentionDays ?? ""), ...typed };
      return (
        <Section title={labels.retention.title}>
          <Retention {...shared} form={form} />
        </Section>
      );
    }
    case "reminders":
      return (
        <Section title={labels.reminders.title}>
          <RemindersForm {...shared} form={typed ?? remindersForm(stored.reminders)} />
        </Section>
      );
    case "brand":
      return (
        <Section title={labels.brand.title}>
          <BrandForm {...shared} form={{ ...brandForm(stored.brand), ...typed }} />
        </Section>
      );
    case "embed":
      return (
        <Section title={labels.embed.title}>
          <EmbedForm {...shared} form={{ ...embedForm(stored.embedOrigins), ...typed }} />
        </Section>
      );
  }
}

async function keysSection(
  c: ConsoleContext,
  shared: { form: Form; errors: FieldErrors; idempotencyKey: string },
) {
  const keys = await callRoute(c, listAllowedPixKeys, { query: { limit: KEYS_SHOWN } });
  if (!keys.ok) throw refused("allowed PIX keys", keys);
  return (
    <Section title={textsOf(c).settings.keys.title}>
      <PixKeys
        {...shared}
        keys={keys.body.items}
        hasMore={keys.body.hasMore}
        isRevealed={c.req.query("reveal") === "keys"}
      />
    </Section>
  );
}

async function termsSection(
  c: ConsoleContext,
  { typed, ...shared }: { typed: Form | null; errors: FieldErrors; idempotencyKey: string },
) {
  const labels = textsOf(c).settings.terms;
  const [terms, sandbox] = await Promise.all([
    callRoute(c, getOwnTerms),
    callRoute(c, getSandboxTerms),
  ]);
  if (!terms.ok) throw refused("terms", terms);
  const { language } = localeOf(c);
  return (
    <Section title={labels.title}>
      {sandbox.ok ? (
        <TermsForm {...shared} form={{ ...termsForm(sandbox.body, language), ...typed }} />
      ) : (
        <>
          <p>{labels.live}</p>
          <TermsTable terms={terms.body} />
        </>
      )}
    </Section>
  );
}

/** Whoever changes settings may read these, so that a refusal is a fault of ours. */
function refused(what: string, { status }: { status: number }): Error {
  return new Error(`the API answers ${status} for the ${what}`);
}
