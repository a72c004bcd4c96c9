import { canSendEmail } from "../../../../api/emails/send.ts";
import type { ConsoleContext } from "../../context.ts";
import { KEPT_FORM, type SealedForm } from "../../kept-form.ts";
import { textsOf } from "../../texts.ts";
import { plainPage } from "../../ui/layout.tsx";
import { Field } from "../../ui/parts.tsx";
import { PasskeyButton } from "../../ui/passkey-button.tsx";

interface Refused {
  /** Why the last attempt was refused; absent for none. */
  refused?: string;
  status?: 200 | 401 | 429;
}

/** E-mail and password, or a passkey. */
export function signInPage(
  c: ConsoleContext,
  { email = "", next, refused, status = 200 }: Refused & { email?: string; next: string },
) {
  const texts = textsOf(c).signIn;
  return plainPage(
    c,
    { title: texts.title, status },
    <>
      <Refusal text={refused} />
      <form method="post" action="/console/sign-in">
        <input type="hidden" name="next" value={next} />
        <Field
          label={texts.email}
          name="email"
          type="email"
          value={email}
          required
          autocomplete="username webauthn"
          inputmode="email"
        />
        <Field
          label={texts.password}
          name="password"
          type="password"
          required
          autocomplete="current-password"
        />
        <button type="submit" class="primary">
          {texts.submit}
        </button>
      </form>
      <PasskeyButton does="sign-in" text={texts.passkey} next={next} />
      <p>
        <a href="/console/password-reset">
          {canSendEmail(c.env.outer.env) ? texts.forgotten : texts.forgottenNoEmail}
        </a>
      </p>
    </>,
  );
}

/** The code after the password. */
export function codePage(
  c: ConsoleContext,
  { next, refused, status = 200 }: Refused & { next: string },
) {
  const texts = textsOf(c).signIn;
  return plainPage(
    c,
    { title: texts.codeTitle, status },
    <>
      <Refusal text={refused} />
      <form method="post" action="/console/sign-in/code">
        <input type="hidden" name="next" value={next} />
        <CodeField label={texts.code} hint={texts.codeHint} />
        <button type="submit" class="primary">
          {texts.codeSubmit}
        </button>
      </form>
      <p>
        <a href="/console/sign-in">{texts.startAgain}</a>
      </p>
    </>,
  );
}

/** The second factor again, or the password of a person without one; with the form that waits for it. */
export function confirmPage(
  c: ConsoleContext,
  { next, kept, refused, status = 200 }: Refused & { next: string; kept?: SealedForm },
) {
  const texts = textsOf(c).signIn;
  const { hasSecondFactor, hasAuthenticator, hasPasskey } = c.get("session");
  return plainPage(
    c,
    { title: texts.confirmTitle, status, ...(kept === undefined ? {} : { back: next }) },
    <>
      <p>{kept === undefined ? texts.confirmWhy : `${texts.confirmWhy} ${texts.confirmKept}`}</p>
      <Refusal text={refused} />
      {hasAuthenticator || !hasSecondFactor ? (
        <form method="post" action="/console/confirm">
          <input type="hidden" name="next" value={next} />
          {kept === undefined ? null : <input type="hidden" name={KEPT_FORM} value={kept.sealed} />}
          {hasAuthenticator ? (
            <CodeField label={texts.code} hint={texts.codeHint} />
          ) : (
            <Field
              label={texts.password}
              name="password"
              type="password"
              required
              autocomplete="current-password"
            />
          )}
          <button type="submit" class="primary">
            {texts.codeSubmit}
          </button>
        </form>
      ) : null}
      {hasPasskey ? (
        <PasskeyButton does="sign-in" text={texts.confirmPasskey} next={next} kept={kept} />
      ) : null}
      <form method="post" action="/console/sign-out">
        <button type="submit">{textsOf(c).shell.signOut}</button>
      </form>
    </>,
  );
}

function CodeField(props: { label: string; hint: string }) {
  return (
    <Field
      label={props.label}
      hint={props.hint}
      name="code"
      required
      autocomplete="one-time-code"
    />
  );
}

function Refusal(props: { text: string | undefined }) {
  if (props.text === undefined) return null;
  return (
    <div class="notice bad" role="alert">
      <p>{props.text}</p>
    </div>
  );
}
