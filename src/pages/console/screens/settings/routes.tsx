import type { Context } from "hono";
import { allowPixKey, deleteAllowedPixKey } from "../../../../api/allowed-pix-keys/routes.ts";
import {
  changeCompanySettings,
  changeSandboxTerms,
  getCompanySettings,
  getOwnTerms,
  refusePendingSetting,
} from "../../../../api/settings/routes.ts";
import { backtestWithdrawPolicy } from "../../../../api/withdraws/backtest/routes.ts";
import { callRoute, type ApiProblem } from "../../api.ts";
import type { ConsoleApp, ConsoleContext, ConsoleEnv } from "../../context.ts";
import { requireMember } from "../../people/require-member.ts";
import { requirePermission } from "../../people/require-scope.ts";
import { requireFreshSecondFactor } from "../../people/require-second-factor.ts";
import type { JsonOf } from "../../../../http/openapi/route-types.ts";
import { textsOf, useTexts } from "../../texts.ts";
import { page } from "../../ui/layout.tsx";
import { DoneNotice, ProblemNotice } from "../../ui/parts.tsx";
import { formOf, may, pageStatus, refusalPage, type Form } from "../answers.tsx";
import { brandOf } from "./brand.tsx";
import { embedOf } from "./embed.tsx";
import { changesOf, policyOf, wholeOf } from "./fields.ts";
import { errorsOf, PolicyConfirm, SETTINGS_PATH, type FieldErrors } from "./policy.tsx";
import { ReadOnlySettings } from "./read-only.tsx";
import { remindersOf } from "./reminders.tsx";
import { sectionContent, SectionTabs, SECTIONS, type SettingsSection } from "./section.tsx";
import { termsOf } from "./terms.ts";

/** Where a page shows what was done, if its word is no section's name. */
const SECTION_OF_DONE: Record<string, SettingsSection> = { key: "keys", keyRemoved: "keys" };

/** The company's settings: withdraw policy, allowed keys, fees and release days, retention, brand, frames. */
export function settingsScreen(app: ConsoleApp): void {
  app.get("/settings", requireMember, requirePermission("balance:read"), (c) =>
    may(c, "settings:write") ? showSettings(c) : showReadOnly(c),
  );
  // Pages that only a form shows: the language switch and the second factor lead back to them by GET.
  app.get("/settings/*", requireMember, requirePermission("settings:write"), (c) =>
    c.redirect(SETTINGS_PATH),
  );
  const change = (path: string, run: (c: ConsoleContext, form: Form) => Promise<Response>) => {
    app.post(
      path,
      requireMember,
      requirePermission("settings:write"),
      requireFreshSecondFactor,
      async (c: Context<ConsoleEnv>) => run(c, await formOf(c)),
    );
  };
  change("/settings/withdraws", tryPolicy);
  change("/settings/withdraws/save", savePolicy);
  change("/settings/pending/:field{[A-Za-z.]+}/refuse", async (c, form) => {
    const params = { field: c.req.param("field") ?? "" };
    const answer = await callRoute(c, refusePendingSetting, { params });
    return answer.ok
      ? done(c, "refused")
      : showSettings(c, { section: "withdraws", form: form, answer });
  });
  change("/settings/pix-keys", async (c, form) => {
    const { pixKey = "" } = form;
    const answer = await callRoute(c, allowPixKey, { json: { pixKey } });
    return answer.ok ? done(c, "key") : showSettings(c, { section: "keys", form, answer });
  });
  change("/settings/pix-keys/:id{\\d+}/remove", async (c, form) => {
    const params = { id: c.req.param("id") ?? "" };
    const answer = await callRoute(c, deleteAllowedPixKey, { params });
    return answer.ok ? done(c, "keyRemoved") : showSettings(c, { section: "keys", form, answer });
  });
  change("/settings/retention", async (c, form) => {
    const retentionDays = wholeOf(form.retentionDays);
    if (retentionDays === undefined) {
      return showSettings(c, { section: "retention", form, unreadable: ["retentionDays"] });
    }
    return save(c, { retentionDays }, form, "retention");
  });
  change("/settings/brand", async (c, form) => save(c, brandOf(form), form, "brand"));
  change("/settings/embed", async (c, form) => save(c, embedOf(form), form, "embed"));
  change("/settings/reminders", async (c, form) => {
    const reminders = remindersOf(form);
    return "unreadable" in reminders
      ? showSettings(c, { section: "reminders", form, ...reminders })
      : save(c, reminders, form, "reminders");
  });
  change("/settings/terms", async (c, form) => {
    const terms = termsOf(form);
    if ("unreadable" in terms) return showSettings(c, { section: "terms", form, ...terms });
    const answer = await callRoute(c, changeSandboxTerms, { json: terms });
    return answer.ok ? done(c, "terms") : showSettings(c, { section: "terms", form, answer });
  });
}

/** A form that is shown again: refused by the API, or with fields that cannot be read. */
interface Again {
  section: SettingsSection;
  form: Form;
  answer?: { status: number; body: ApiProblem };
  unreadable?: string[];
}

async function showSettings(c: ConsoleContext, again?: Again): Promise<Response> {
  const settings = await callRoute(c, getCompanySettings);
  if (!settings.ok) return refusalPage(c, headOf(c), settings);
  const section = again?.section ?? askedSection(c);
  const content = await sectionContent(c, section, {
    stored: settings.body,
    typed: again?.form ?? null,
    errors: errorsIn(again, textsOf(c).settings.unreadable),
  });
  return page(
    c,
    { ...headOf(c), status: statusOf(again) },
    <>
      <SectionTabs section={section} />
      <Notices c={c} again={again} />
      {content}
    </>,
  );
}

/** The section that the address names, or whose form has just been saved; else the first. */
function askedSection(c: ConsoleContext): SettingsSection {
  const { section, reveal, done: saved = "" } = c.req.query();
  const asked = section ?? reveal ?? SECTION_OF_DONE[saved] ?? saved;
  return SECTIONS.find((name) => name === asked) ?? "withdraws";
}

/** For a role that changes nothing here. */
async function showReadOnly(c: ConsoleContext): Promise<Response> {
  const [settings, terms] = await Promise.all([
    callRoute(c, getCompanySettings),
    callRoute(c, getOwnTerms),
  ]);
  if (!settings.ok) return refusalPage(c, headOf(c), settings);
  if (!terms.ok) return refusalPage(c, headOf(c), terms);
  return page(c, headOf(c), <ReadOnlySettings settings={settings.body} terms={terms.body} />);
}

function Notices({ c, again }: { c: ConsoleContext; again: Again | undefined }) {
  const texts = useTexts();
  const labels: Record<string, string> = texts.settings.done;
  const word = c.req.query("done") ?? "";
  if (again?.answer !== undefined) {
    return <ProblemNotice problem={again.answer.body} />;
  }
  if (again !== undefined) {
    return (
      <div class="notice bad" role="alert">
        <p>{texts.settings.notSaved}</p>
      </div>
    );
  }
  return Object.hasOwn(labels, word) ? <DoneNotice>{labels[word]}</DoneNotice> : null;
}

function errorsIn(again: Again | undefined, unreadable: string): FieldErrors {
  const own = (again?.unreadable ?? []).map((name): [string, string[]] => [name, [unreadable]]);
  return { ...errorsOf(again?.answer?.body ?? null), ...Object.fromEntries(own) };
}

function statusOf(again: Again | undefined) {
  if (again === undefined) return 200;
  return again.answer === undefined ? 400 : pageStatus(again.answer);
}

/** Shows what a policy would have stopped. Nothing is saved. */
async function tryPolicy(c: ConsoleContext, form: Form): Promise<Response> {
  const settings = policyOf(form);
  if ("unreadable" in settings)
    return showSettings(c, { section: "withdraws", form, unreadable: settings.unreadable });
  const answer = await callRoute(c, backtestWithdrawPolicy, { json: { settings } });
  if (!answer.ok) return showSettings(c, { section: "withdraws", form, answer });
  const texts = textsOf(c);
  return page(
    c,
    { title: texts.settings.policy.confirm, active: SETTINGS_PATH },
    <PolicyConfirm form={form} backtest={answer.body.data} idempotencyKey={crypto.randomUUID()} />,
  );
}

async function savePolicy(c: ConsoleContext, form: Form): Promise<Response> {
  const body = policyOf(form);
  if ("unreadable" in body)
    return showSettings(c, { section: "withdraws", form, unreadable: body.unreadable });
  const stored = await callRoute(c, getCompanySettings);
  if (!stored.ok) return showSettings(c, { section: "withdraws", form, answer: stored });
  const answer = await callRoute(c, changeCompanySettings, {
    json: changesOf(body, stored.body),
  });
  if (!answer.ok) return showSettings(c, { section: "withdraws", form, answer });
  return done(c, answer.status === 202 ? "waits" : "policy");
}

async function save(
  c: ConsoleContext,
  json: JsonOf<typeof changeCompanySettings>,
  form: Form,
  section: SettingsSection,
): Promise<Response> {
  const answer = await callRoute(c, changeCompanySettings, { json });
  return answer.ok ? done(c, section) : showSettings(c, { section, form, answer });
}

function done(c: ConsoleContext, word: string): Response {
  return c.redirect(`${SETTINGS_PATH}?done=${word}`, 303);
}

const headOf = (c: ConsoleContext) => ({
  title: textsOf(c).settings.title,
  active: SETTINGS_PATH,
});
