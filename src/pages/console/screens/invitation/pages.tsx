import type { PersonRole } from "../../../../domain/access/person-role.ts";
import type { ConsoleContext } from "../../context.ts";
import { PASSWORD_MAX, PASSWORD_MIN } from "../../people/password-length.ts";
import { fill, textsOf, useLocale, useTexts } from "../../texts.ts";
import { plainPage } from "../../ui/layout.tsx";
import { Facts, Field } from "../../ui/parts.tsx";
import { roleSentence } from "../team/role-sentence.ts";

export interface Invited {
  companyName: string;
  email: string;
  role: PersonRole;
}

/** For a link that is used, revoked, over or wrong: all the same. */
export function endedPage(c: ConsoleContext) {
  const texts = textsOf(c).invitation;
  return plainPage(c, { title: texts.ended, status: 404 }, <p>{texts.endedWhy}</p>);
}

/** For an e-mail without an account: name and password. */
export function newPersonPage(
  c: ConsoleContext,
  invited: Invited,
  { name = "", problem }: { name?: string; problem?: "nameMissing" | "passwordLength" } = {},
) {
  const texts = textsOf(c).invitation;
  const lengths = { min: PASSWORD_MIN, max: PASSWORD_MAX };
  const error = (of: typeof problem) =>
    problem !== undefined && problem === of ? [fill(texts[problem], lengths)] : [];
  return plainPage(
    c,
    {
      title: fill(texts.title, { company: invited.companyName }),
      status: problem === undefined ? 200 : 400,
    },
    <>
      <Terms invited={invited} />
      <form method="post" data-once="">
        <Field
          label={texts.name}
          name="name"
          value={name}
          autocomplete="name"
          errors={error("nameMissing")}
          required
        />
        <input type="hidden" name="username" value={invited.email} autocomplete="username" />
        <Field
          label={texts.password}
          name="password"
          type="password"
          autocomplete="new-password"
          hint={fill(texts.passwordLength, lengths)}
          errors={error("passwordLength")}
          required
        />
        <button type="submit" class="primary">
          {texts.join}
        </button>
      </form>
    </>,
  );
}

/** For an e-mail with an account: `isSignedIn` as that person, who joins; else the way to the sign-in. */
export function knownPersonPage(
  c: ConsoleContext,
  invited: Invited,
  { isSignedIn, signIn }: { isSignedIn: boolean; signIn: string },
) {
  const texts = textsOf(c).invitation;
  return plainPage(
    c,
    { title: fill(texts.title, { company: invited.companyName }) },
    <>
      <Terms invited={invited} />
      {isSignedIn ? (
        <form method="post" data-once="">
          <button type="submit" class="primary">
            {texts.join}
          </button>
        </form>
      ) : (
        <>
          <p>{fill(texts.signInFirst, { email: invited.email })}</p>
          <p>
            <a class="button" href={signIn}>
              {texts.signIn}
            </a>
          </p>
        </>
      )}
    </>,
  );
}

function Terms({ invited }: { invited: Invited }) {
  const texts = useTexts();
  const locale = useLocale();
  return (
    <Facts
      of={[
        [texts.invitation.company, invited.companyName],
        [texts.invitation.email, invited.email],
        [texts.invitation.role, texts.roles[invited.role]],
        [texts.invitation.may, roleSentence(invited.role, texts.team, locale)],
      ]}
    />
  );
}
