import { SCOPES_OF_PERSON_ROLE } from "../../../../domain/access/person.ts";
import type { PersonRole } from "../../../../domain/access/person-role.ts";
import { DEFAULT_ROLE_LIMITS } from "../../../../domain/exits/refund-policy.ts";
import { SCOPES } from "../../../../domain/shared/company.ts";
import { fill, type Locale, type Texts } from "../../texts.ts";

/** What a role may do, in one sentence, read from the table that decides it. */
export function roleSentence(
  role: PersonRole,
  texts: Texts["team"],
  { language, money }: Locale,
): string {
  const scopes = SCOPES_OF_PERSON_ROLE[role];
  const list = new Intl.ListFormat(language, { type: "conjunction" });
  const may = list.format(
    SCOPES.filter((scope) => scopes.includes(scope)).map((s) => texts.may[s]),
  );
  const limit = DEFAULT_ROLE_LIMITS[role]?.refundDailyLimit ?? null;
  const ending = limit === null ? "." : fill(texts.upTo, { amount: money(limit) });
  return fill(texts.mayAll, { may }) + ending;
}
