import type { ConsoleContext } from "../../context.ts";
import { PASSWORD_MAX, PASSWORD_MIN } from "../../people/password-length.ts";
import { fill, textsOf, useTexts } from "../../texts.ts";
import { plainPage } from "../../ui/layout.tsx";
import { Field } from "../../ui/parts.tsx";

interface AskPage {
  canSend: boolean;
  email?: string;
  /** The field of the recovery form that was refused. */
  refused?: "code" | "password";
}

/** Where a person asks for the link, or gives a recovery code; with what to do where the service sends no e-mails. */
export function askPage(c: ConsoleContext, { canSend, email = "", refused }: AskPage) {
  const { passwordReset: texts, signIn } = textsOf(c);
  const status = refused === undefined ? 200 : refused === "code" ? 401 : 400;
  return plainPage(
    c,
    { title: texts.title, status },
    <>
      <p>{canSend ? texts.how : texts.noEmail}</p>
      {canSend ? (
        <form method="post" action="/console/password-reset" data-once="">
          <Field
            label={signIn.email}
            name="email"
            type="email"
            inputmode="email"
            autocomplete="username"
            required
          />
          <button type="submit" class="primary">
            {texts.send}
          </button>
        </form>
      ) : null}
      <RecoveryForm email={email} refused={refused} isPrimary={!canSend} />
      <BackToSignIn text={texts.back} />
    </>,
  );
}

function RecoveryForm(props: {
  refused: AskPage["refused"] | undefined;
  email: string;
  isPrimary: boolean;
}) {
  const { passwordReset: texts, signIn, invitation } = useTexts();
  const { email, refused, isPrimary } = props;
  const length = fill(invitation.passwordLength, { min: PASSWORD_MIN, max: PASSWORD_MAX });
  return (
    <section>
      <h2>{texts.byCode}</h2>
      <p>{texts.byCodeHow}</p>
      <form method="post" action="/console/password-reset/recovery" data-once="">
        <Field
          label={signIn.email}
          name="email"
          id="recovery-email"
          type="email"
          inputmode="email"
          autocomplete="username"
          value={email}
          required
        />
        <Field
          label={texts.code}
          name="code"
          autocomplete="off"
          errors={refused === "code" ? [texts.codeRefused] : []}
          required
        />
        <Field
          label={texts.password}
          name="password"
          type="password"
          autocomplete="new-password"
          hint={length}
          errors={refused === "password" ? [length] : []}
          required
        />
        <button type="submit" class={isPrimary ? "primary" : ""}>
          {texts.save}
        </button>
      </form>
    </section>
  );
}

/** The same whether the e-mail is known or not. */
export function askedPage(c: ConsoleContext) {
  const texts = textsOf(c).passwordReset;
  return plainPage(
    c,
    { title: texts.title },
    <>
      <p role="status">{texts.asked}</p>
      <BackToSignIn text={texts.back} />
    </>,
  );
}

/** For a link that is used, over or wrong: all the same. */
export function endedLinkPage(c: ConsoleContext) {
  const texts = textsOf(c).passwordReset;
  return plainPage(
    c,
    { title: texts.title, status: 404 },
    <>
      <p>{texts.ended}</p>
      <p>
        <a href="/console/password-reset">{texts.again}</a>
      </p>
    </>,
  );
}

/** The new password of an open link. */
export function newPasswordPage(c: ConsoleContext, { isWrong = false } = {}) {
  const { passwordReset: texts, invitation } = textsOf(c);
  const length = fill(invitation.passwordLength, { min: PASSWORD_MIN, max: PASSWORD_MAX });
  return plainPage(
    c,
    { title: texts.title, status: isWrong ? 400 : 200 },
    <>
      <p>{texts.effect}</p>
      <form method="post" data-once="">
        <Field
          label={texts.password}
          name="password"
          type="password"
          autocomplete="new-password"
          hint={length}
          errors={isWrong ? [length] : []}
          required
        />
        <button type="submit" class="primary">
          {texts.save}
        </button>
      </form>
    </>,
  );
}

function BackToSignIn({ text }: { text: string }) {
  return (
    <p>
      <a href="/console/sign-in">{text}</a>
    </p>
  );
}
