import type { ConsoleContext } from "../../context.ts";
import { PASSWORD_MAX, PASSWORD_MIN } from "../../people/password-length.ts";
import { fill, textsOf } from "../../texts.ts";
import { plainPage } from "../../ui/layout.tsx";
import { Field } from "../../ui/parts.tsx";

/** Where a person asks for the link; or what to do where the service sends no e-mails. */
export function askPage(c: ConsoleContext, { canSend }: { canSend: boolean }) {
  const { passwordReset: texts, signIn } = textsOf(c);
  return plainPage(
    c,
    { title: texts.title },
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
      <BackToSignIn text={texts.back} />
    </>,
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
