import type { listPasskeys, listSessions } from "../../../../db/people/sessions.ts";
import type { ConsoleContext } from "../../context.ts";
import { PASSWORD_MAX, PASSWORD_MIN } from "../../people/password-length.ts";
import { fill, type Texts, textsOf, useLocale, useTexts } from "../../texts.ts";
import { page } from "../../ui/layout.tsx";
import { DoneNotice, Field, List, Section } from "../../ui/parts.tsx";
import { OwnPin } from "./pin.tsx";
import { PasskeyButton } from "../../ui/passkey-button.tsx";

type SessionRow = Awaited<ReturnType<typeof listSessions>>[number];
type PasskeyRow = Awaited<ReturnType<typeof listPasskeys>>[number];

interface AccountOptions {
  sessions: SessionRow[];
  passkeys: PasskeyRow[];
  /** Why the new password was refused; absent for none. */
  passwordRefused?: string;
  /** Whether the person has a PIN; null for one who has no counter. */
  hasPin: boolean | null;
  isPinRefused?: boolean;
  status?: 200 | 400 | 401;
}

/** A person's own sessions, password, authenticator app and passkeys. */
export function accountPage(c: ConsoleContext, options: AccountOptions) {
  const { account: texts } = textsOf(c);
  const {
    sessions,
    passkeys,
    passwordRefused,
    hasPin,
    isPinRefused = false,
    status = 200,
  } = options;
  const done = doneText(texts, c.req.query("done"));
  return page(
    c,
    { title: texts.title, status },
    <>
      {done === undefined ? null : <DoneNotice>{done}</DoneNotice>}
      <SecondFactor hasAuthenticator={c.get("session").hasAuthenticator} />
      <Passkeys rows={passkeys} />
      <Password refused={passwordRefused} />
      {hasPin === null ? null : <OwnPin hasPin={hasPin} isRefused={isPinRefused} />}
      <Sessions c={c} rows={sessions} />
    </>,
  );
}

function doneText(texts: Texts["account"], done: string | undefined): string | undefined {
  return done !== undefined && Object.hasOwn(texts.done, done)
    ? texts.done[done as keyof typeof texts.done]
    : undefined;
}

function SecondFactor({ hasAuthenticator }: { hasAuthenticator: boolean }) {
  const texts = useTexts().account;
  return (
    <Section title={texts.secondFactor}>
      <p>{hasAuthenticator ? texts.appOn : texts.appOff}</p>
      {hasAuthenticator ? (
        <div class="actions">
          <a class="button" href="/console/second-factor/codes">
            {texts.newCodes}
          </a>
          <a class="button" href="/console/second-factor/remove">
            {texts.remove}
          </a>
        </div>
      ) : (
        <a class="button" href="/console/second-factor">
          {texts.setUp}
        </a>
      )}
    </Section>
  );
}

function Passkeys({ rows }: { rows: PasskeyRow[] }) {
  const texts = useTexts().account;
  const { dateTime } = useLocale();
  return (
    <Section title={texts.passkeys}>
      <List
        caption={texts.passkeys}
        rows={rows}
        empty={<p>{texts.noPasskeys}</p>}
        columns={[
          { heading: texts.name, cell: ({ name }) => name ?? texts.unnamed },
          {
            heading: texts.added,
            cell: ({ createdAt }) => (createdAt === null ? "" : dateTime(createdAt.toISOString())),
          },
          {
            heading: texts.action,
            cell: ({ id }) => (
              <form method="post" action="/console/account/passkeys/remove">
                <input type="hidden" name="id" value={id} />
                <button type="submit">{texts.removePasskey}</button>
              </form>
            ),
          },
        ]}
      />
      <p class="hint" data-without-script="">
        {texts.needsScript}
      </p>
      <div class="after-list">
        <Field label={texts.name} name="passkey-name" />
      </div>
      <PasskeyButton does="register" text={texts.addPasskey} next="/console/account?done=passkey" />
    </Section>
  );
}

function Password({ refused }: { refused: string | undefined }) {
  const texts = useTexts().account;
  return (
    <Section title={texts.password}>
      <form class="action" method="post" action="/console/account/password">
        <Field
          label={texts.current}
          name="current"
          type="password"
          required
          autocomplete="current-password"
        />
        <Field
          label={texts.new}
          name="new"
          type="password"
          required
          autocomplete="new-password"
          hint={fill(texts.passwordHint, { min: PASSWORD_MIN, max: PASSWORD_MAX })}
          errors={refused === undefined ? [] : [refused]}
        />
        <button type="submit" class="primary">
          {texts.change}
        </button>
      </form>
    </Section>
  );
}

function Sessions({ c, rows }: { c: ConsoleContext; rows: SessionRow[] }) {
  const texts = useTexts().account;
  const { dateTime } = useLocale();
  const own = c.get("session").sessionId;
  return (
    <Section title={texts.sessions}>
      <List
        caption={texts.sessions}
        rows={rows}
        empty={<p>{texts.empty}</p>}
        columns={[
          {
            heading: texts.since,
            cell: ({ createdAt }) => dateTime(createdAt.toISOString()),
          },
          { heading: texts.address, cell: ({ ipAddress }) => ipAddress ?? "" },
          { heading: texts.browser, cell: ({ userAgent }) => userAgent ?? "" },
          {
            heading: texts.action,
            cell: ({ id }) =>
              id === own ? (
                texts.thisOne
              ) : (
                <form method="post" action="/console/account/sessions/end">
                  <input type="hidden" name="id" value={id} />
                  <button type="submit">{texts.end}</button>
                </form>
              ),
          },
        ]}
      />
      {rows.length < 2 ? null : (
        <form method="post" action="/console/account/sessions/end-others">
          <button type="submit">{texts.endOthers}</button>
        </form>
      )}
    </Section>
  );
}
