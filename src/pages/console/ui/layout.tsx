import { raw } from "hono/html";
import type { Child } from "hono/jsx";
import { isoTime } from "../../../domain/shared/clock.ts";
import type { ConsoleContext } from "../context.ts";
import { companyModeOf, companyNow, isClockMoved, openMembership } from "../people/company-head.ts";
import { OPERATOR_CHOICE, type Membership } from "../people/session.ts";
import { LocaleContext } from "../../shared/locale.ts";
import { Mark } from "../../shared/look/icon.tsx";
import { FirstErrorContext } from "./first-error.ts";
import { type Locale, localeOf, type Texts, textsOf, useTexts } from "../texts.ts";
import { CompanyBars } from "./company-bars.tsx";
import { CounterHead } from "./counter-head.tsx";
import { Live } from "./live.tsx";
import { has, menuOfOperator, menuOfPerson, newChargePath } from "./menu.ts";
import { Bar, Menu, SectionTabs } from "./navigation.tsx";

const DOCTYPE = raw("<!doctype html>");

interface PageOptions {
  /** The heading and the browser's title. */
  title: string;
  /** The menu entry that is marked as open, by its path. */
  active?: string;
  /** Beside the heading: links and buttons of the page. */
  actions?: Child;
  status?: 200 | 201 | 400 | 401 | 403 | 404 | 409 | 413 | 415 | 422 | 429 | 500 | 503;
}

/** A part of a page, which the script puts in the place of the old one. */
export function fragment(c: ConsoleContext, content: Child) {
  return c.html(<LocaleContext.Provider value={localeOf(c)}>{content}</LocaleContext.Provider>);
}

/** A page of the signed-in console, with menu, search and heading; of a shared counter, the counter's own. */
export function page(c: ConsoleContext, options: PageOptions, content: Child) {
  const texts = textsOf(c);
  const { title, active, actions, status = 200 } = options;
  if (c.get("device") !== undefined) return counterPage(c, options, content);
  const operator = c.get("operator");
  const sections =
    operator === undefined
      ? menuOfPerson(c.get("person"), companyModeOf(c))
      : menuOfOperator(operator);
  const membership = operator === undefined ? openMembership(c) : undefined;
  return c.html(
    <Document locale={localeOf(c)} title={title}>
      <a class="skip" href="#content">
        {texts.shell.skip}
      </a>
      {membership === undefined ? null : <CompanyBars of={membership} clock={clockOf(c)} />}
      <header class="top">
        <a class="brand" href={operator === undefined ? "/console" : "/console/operator"}>
          <Mark />
          Centavo
        </a>
        {operator === undefined && has("transactions:read")(c.get("person")) ? <Find /> : null}
        <AccountMenu c={c} />
      </header>
      <div class="columns">
        <Menu sections={sections} active={active} />
        <main id="content" tabindex={-1}>
          <SectionTabs sections={sections} active={active} />
          <div class="heading">
            <h1>{title}</h1>
            {actions === undefined ? null : <div class="actions">{actions}</div>}
          </div>
          {content}
        </main>
      </div>
      <Bar
        sections={sections}
        active={active}
        newCharge={operator === undefined ? newChargePath(c.get("person")) : null}
      />
      {operator === undefined ? <Live path="/console/live" /> : null}
    </Document>,
    status,
  );
}

/** A page of a shared counter: whose it is, who is at it, and nothing that leads elsewhere. */
function counterPage(c: ConsoleContext, { title, status = 200 }: PageOptions, content: Child) {
  const { company, cashier } = c.get("device")!;
  return c.html(
    <Document locale={localeOf(c)} title={title}>
      <CompanyBars of={company} clock={clockOf(c)} />
      <CounterHead company={company.companyName} cashier={cashier} />
      <main id="content" class="at-counter" tabindex={-1}>
        <h1>{title}</h1>
        {content}
        {cashier === null ? <LanguageSwitch path={c.req.path} /> : null}
      </main>
      {cashier === null ? null : <Live path="/console/cashier/live" />}
    </Document>,
    status,
  );
}

/** A page without menu: sign-in, set-up and errors before it. */
export function plainPage(
  c: ConsoleContext,
  {
    title,
    status = 200,
    back = c.req.path,
  }: Pick<PageOptions, "title" | "status"> & { back?: string },
  content: Child,
) {
  return c.html(
    <Document locale={localeOf(c)} title={title}>
      <main id="content" class="alone">
        <p class="brand">
          <Mark />
          Centavo
        </p>
        <h1>{title}</h1>
        {content}
        <LanguageSwitch path={back} />
      </main>
    </Document>,
    status,
  );
}

function Document(props: { locale: Locale; title: string; children?: Child }) {
  return (
    <LocaleContext.Provider value={props.locale}>
      {DOCTYPE}
      <html lang={props.locale.language}>
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <meta name="robots" content="noindex" />
          <meta name="color-scheme" content="light dark" />
          <title>{props.title} · Centavo</title>
          <link rel="icon" href="/console/assets/icon.svg" />
          <link rel="apple-touch-icon" href="/console/assets/home-screen.png" />
          <link rel="manifest" href="/console/assets/console.webmanifest" />
          <link rel="stylesheet" href="/console/assets/console.css" />
          <script src="/console/assets/console.js" defer></script>
        </head>
        <body>
          <FirstErrorContext.Provider value={{ isFound: false }}>
            {props.children}
          </FirstErrorContext.Provider>
        </body>
      </html>
    </LocaleContext.Provider>
  );
}

/** The time of a company whose clock was moved; null for one that lives by the service's. */
function clockOf(c: ConsoleContext): string | null {
  return isClockMoved(c) ? isoTime(companyNow(c)) : null;
}

function Find() {
  const texts = useTexts();
  return (
    <form class="find" method="post" action="/console/find" role="search">
      <label class="hidden" for="find">
        {texts.shell.find}
      </label>
      <input
        id="find"
        name="q"
        type="search"
        placeholder={texts.shell.find}
        title="Ctrl K"
        aria-keyshortcuts="Control+K"
        autocomplete="off"
        data-live=""
      />
      <div class="find-results" aria-live="polite"></div>
    </form>
  );
}

/** Who acts, and where: in which company, or as an operator of the gateway. */
function actingAs(c: ConsoleContext, texts: Texts) {
  const session = c.get("session");
  const operator = c.get("operator");
  if (operator !== undefined) {
    const role = texts.operatorRoles[operator.role];
    return { name: operator.name, role, place: texts.shell.gateway, chosen: OPERATOR_CHOICE };
  }
  const { role, companyId } = c.get("person");
  const place = openMembership(c)?.companyName;
  return { name: session.name, role: texts.roles[role], place, chosen: String(companyId) };
}

function AccountMenu({ c }: { c: ConsoleContext }) {
  const texts = useTexts();
  const session = c.get("session");
  const { name, role, place, chosen } = actingAs(c, texts);
  return (
    <details class="account">
      <summary>
        {name}
        <span class="company">{place}</span>
      </summary>
      <div class="account-menu">
        <p>
          {session.email}
          <br />
          {role}
        </p>
        <a href="/console/account">{texts.shell.account}</a>
        <CompanySwitch
          memberships={session.memberships}
          isOperator={session.operator !== null}
          chosen={chosen}
        />
        <LanguageSwitch path={c.req.path} />
        <form method="post" action="/console/sign-out">
          <button type="submit">{texts.shell.signOut}</button>
        </form>
      </div>
    </details>
  );
}

/** For a person of several companies, or of one who is an operator too. */
function CompanySwitch(props: { memberships: Membership[]; isOperator: boolean; chosen: string }) {
  const texts = useTexts();
  const { memberships, isOperator, chosen } = props;
  if (memberships.length + (isOperator ? 1 : 0) < 2) return null;
  return (
    <form method="post" action="/console/company">
      <label for="company">{texts.shell.company}</label>
      <select id="company" name="company">
        {memberships.map(({ companyId, companyName }) => (
          <option value={String(companyId)} selected={String(companyId) === chosen}>
            {companyName}
          </option>
        ))}
        {isOperator ? (
          <option value={OPERATOR_CHOICE} selected={chosen === OPERATOR_CHOICE}>
            {texts.shell.operator}
          </option>
        ) : null}
      </select>
      <button type="submit">{texts.shell.switch}</button>
    </form>
  );
}

function LanguageSwitch(props: { path: string }) {
  const texts = useTexts();
  return (
    <form class="language" method="post" action="/console/language">
      <input type="hidden" name="back" value={props.path} />
      <button type="submit" name="language" value={texts.shell.otherLanguage}>
        {texts.shell.otherLanguageName}
      </button>
    </form>
  );
}
