import type { z } from "@hono/zod-openapi";
import { publicOrigin } from "../../../config.ts";
import { putSignInLink } from "../../../db/operator/sign-in-links.ts";
import { isoTime } from "../../../domain/shared/clock.ts";
import { audited } from "../../../http/audit.ts";
import type { AppContext } from "../../../http/context.ts";
import { invalidState } from "../../../http/problems.ts";
import { toBase64Url } from "../../../lib/base64.ts";
import { sha256Hex } from "../../../lib/hash.ts";
import { actionOn, existingOperator, give, isSetup } from "./person.ts";
import type { MakeSignInLink } from "./schemas.ts";

const TOKEN_BYTES = 32;
/** A link works for a day. */
const LINK_MS = 24 * 3_600_000;

/**
 * Makes the link by which a person becomes this operator in the console, which only this response shows. Throws 404,
 * and 409 for the set-up key if the operator is no admin or an admin can sign in by now.
 */
export async function makeSignInLink(
  c: AppContext,
  id: string,
  { reason }: z.output<typeof MakeSignInLink>,
) {
  const { platformClock, random } = c.get("deps");
  const nowMs = platformClock.now();
  await existingOperator(c.env, id);
  const token = toBase64Url(random.bytes(TOKEN_BYTES));
  const link = { tokenHash: await sha256Hex(token), expiresAt: nowMs + LINK_MS };
  const expiresAt = isoTime(link.expiresAt);
  const action = actionOn(id, "sign_in_link.create", { after: { expiresAt }, reason });
  return audited(c, action, async () => {
    await give(c, id, "link");
    const operator = await putSignInLink(c.env, id, link, { onlyFirst: isSetup(c), nowMs });
    if (operator === null) {
      await existingOperator(c.env, id);
      throw invalidState(
        "The set-up key makes the link of an admin, while none can sign in",
        "first_operator",
      );
    }
    const { clientId, name, role } = operator;
    const url = `${publicOrigin(c.env, c.req.url)}/console/operator/set-up/${token}`;
    return { clientId, name, role, expiresAt, url };
  });
}
