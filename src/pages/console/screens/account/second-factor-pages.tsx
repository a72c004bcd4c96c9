import { renderSVG } from "uqr";
import { raw } from "hono/html";
import type { ConsoleContext } from "../../context.ts";
import { textsOf } from "../../texts.ts";
import { plainPage } from "../../ui/layout.tsx";
import { Field } from "../../ui/parts.tsx";
import { PasskeyButton } from "../../ui/passkey-button.tsx";

/** Asks for the password before an authenticator app is set up or removed, or codes are made anew. */
export function passwordPage(
  c: ConsoleContext,
  options: { does: "setUp" | "remove" | "newCodes"; action: string; isRefused?: boolean },
) {
  const texts = textsOf(c).account;
  const { does, action, isRefused = false } = options;
  const isSetUp = does === "setUp";
  return plainPage(
    c,
    { title: isSetUp ? texts.setUpTitle : texts[does], status: isRefused ? 401 : 200 },
    <>
      {isSetUp ? <p>{texts.setUpWhy}</p> : null}
      <form method="post" action={action}>
        <Field
          label={texts.setUpPassword}
          name="password"
          type="password"
          required
          autocomplete="current-password"
          errors={isRefused ? [texts.wrongPassword] : []}
        />
        <button type="submit" class="primary">
          {isSetUp ? texts.setUpStart : texts[does]}
        </button>
      </form>
      {isSetUp ? (
        <>
          <PasskeyButton does="register" text={texts.addPasskey} next="/console" />
          <form method="post" action="/console/sign-out">
            <button type="submit">{textsOf(c).shell.signOut}</button>
          </form>
        </>
      ) : null}
    </>,
  );
}

/** The secret as QR code and text, and the field for the first code. */
export function secretPage(c: ConsoleContext, options: { uri: string; isRefused?: boolean }) {
  const { account: texts, signIn } = textsOf(c);
  const { uri, isRefused = false } = options;
  const secret = URL.parse(uri)?.searchParams.get("secret") ?? "";
  return plainPage(
    c,
    { title: texts.setUpTitle, status: isRefused ? 401 : 200 },
    <>
      <p>{texts.scan}</p>
      <div class="qr" role="img" aria-label={texts.qr}>
        {raw(renderSVG(uri))}
      </div>
      <p>
        <code>{secret}</code>
      </p>
      <form method="post" action="/console/second-factor/finish">
        <input type="hidden" name="uri" value={uri} />
        <Field
          label={texts.typeCode}
          name="code"
          required
          autocomplete="one-time-code"
          inputmode="numeric"
          errors={isRefused ? [signIn.codeRefused] : []}
        />
        <button type="submit" class="primary">
          {texts.finish}
        </button>
      </form>
    </>,
  );
}

/** The recovery codes, this once. */
export function codesPage(c: ConsoleContext, codes: string[]) {
  const texts = textsOf(c).account;
  return plainPage(
    c,
    { title: texts.codesTitle },
    <>
      <p>{texts.codesWhy}</p>
      <p class="screen-only">{texts.codesPrint}</p>
      <ul>
        {codes.map((code) => (
          <li>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <p>{c.get("session").email}</p>
      <p class="screen-only">
        <a class="button primary" href="/console">
          {texts.continue}
        </a>
      </p>
    </>,
  );
}
