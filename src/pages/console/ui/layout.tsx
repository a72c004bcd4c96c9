import { raw } from "hono/html";
import type { Child } from "hono/jsx";
import type { ConsoleContext } from "../context.ts";
import type { Membership } from "../people/session.ts";
import { languageOf, textsOf, type Texts } from "../texts.ts";
import { MENU, MENU_GROUPS, type MenuEntry } from "./menu.ts";

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

/** A page of the signed-in console, with menu, search and heading. */
export function page(c: ConsoleContext, options: PageOptions, content: Child) {
  const texts = textsOf(c);
  const { title, active, actions, status = 200 } = options;
  const person = c.get("person");
  const { memberships } = c.get("session");
  const companyName = memberships.find(
    ({ companyId }) => companyId === person.companyId,
  )?.companyName;
  return c.html(
    <Document language={languageOf(c)} title={title}>
      <a class="skip" href="#content">
        {texts.shell.skip}
      </a>
      <header class="top">
        <a class="brand" href="/console">
          Centavo
        </a>
        <form class="find" action="/console/find" role="search">
          <label class="hidden" for="find">
            {texts.shell.find}
          </label>
          <input id="find" name="q" type="search" placeholder={texts.shell.find} />
        </form>
        <details class="account">
          <summary>
            {person.name}
            <span class="company">{companyName}</span>
          </summary>
          <div class="account-menu">
            <p>
              {person.email}
              <br />
              {texts.roles[person.role]}
            </p>
            <a href="/console/account">{texts.shell.account}</a>
            <CompanySwitch texts={texts} memberships={memberships} chosen={person.companyId} />
            <LanguageSwitch texts={texts} path={c.req.path} />
            <form method="post" action="/console/sign-out">
              <button type="submit">{texts.shell.signOut}</button>
            </form>
          </div>
        </details>
      </header>
      <div class="columns">
        <nav class="menu" aria-label={texts.shell.menu}>
          <ul>
            {MENU_GROUPS.map((name) => (
              <MenuGroup
                name={name}
                entries={MENU.filter((entry) => entry.group === name && entry.isFor(person))}
                texts={texts}
                active={active}
              />
            ))}
          </ul>
        </nav>
        <main id="content" tabindex={-1}>
          <div class="heading">
            <h1>{title}</h1>
            {actions === undefined ? null : <div class="actions">{actions}</div>}
          </div>
          {content}
        </main>
      </div>
    </Document>,
    status,
  );
}

/** A page without menu: sign-in, set-up and errors before it. */
export function plainPage(
  c: ConsoleContext,
  { title, status = 200 }: Pick<PageOptions, "title" | "status">,
  content: Child,
) {
  const texts = textsOf(c);
  return c.html(
    <Document language={languageOf(c)} title={title}>
      <main id="content" class="alone">
        <p class="brand">Centavo</p>
        <h1>{title}</h1>
        {content}
        <LanguageSwitch texts={texts} path={c.req.path} />
      </main>
    </Document>,
    status,
  );
}

function Document(props: { language: string; title: string; children?: Child }) {
  return (
    <>
      {DOCTYPE}
      <html lang={props.language}>
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <meta name="robots" content="noindex" />
          <meta name="color-scheme" content="light dark" />
          <title>{props.title} · Centavo</title>
          <link rel="icon" href="/console/assets/icon.svg" />
          <link rel="stylesheet" href="/console/assets/console.css" />
          <script src="/console/assets/console.js" defer></script>
        </head>
        <body>{props.children}</body>
      </html>
    </>
  );
}

function MenuGroup(props: {
  name: (typeof MENU_GROUPS)[number];
  entries: MenuEntry[];
  texts: Texts;
  active: string | undefined;
}) {
  const { name, entries, texts, active } = props;
  if (entries.length === 0) return null;
  return (
    <li>
      {name === "home" ? null : <span class="menu-group">{texts.menuGroups[name]}</span>}
      <ul>
        {entries.map((entry) => (
          <MenuLink entry={entry} texts={texts} isActive={entry.path === active} />
        ))}
      </ul>
    </li>
  );
}

function MenuLink(props: { entry: MenuEntry; texts: Texts; isActive: boolean }) {
  const { entry, texts, isActive } = props;
  return (
    <li>
      <a href={entry.path} {...(isActive ? { "aria-current": "page" } : {})}>
        {texts.menu[entry.name]}
      </a>
    </li>
  );
}

/** For a person of several companies. */
function CompanySwitch(props: { texts: Texts; memberships: Membership[]; chosen: number }) {
  if (props.memberships.length < 2) return null;
  return (
    <form method="post" action="/console/company">
      <label for="company">{props.texts.shell.company}</label>
      <select id="company" name="company">
        {props.memberships.map(({ companyId, companyName }) => (
          <option value={String(companyId)} selected={companyId === props.chosen}>
            {companyName}
          </option>
        ))}
      </select>
      <button type="submit">{props.texts.shell.switch}</button>
    </form>
  );
}

function LanguageSwitch(props: { texts: Texts; path: string }) {
  return (
    <form class="language" method="post" action="/console/language">
      <input type="hidden" name="back" value={props.path} />
      <button type="submit" name="language" value={props.texts.shell.otherLanguage}>
        {props.texts.shell.otherLanguageName}
      </button>
    </form>
  );
}
