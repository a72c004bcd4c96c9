import { drizzleAdapter } from "better-auth/adapters/drizzle";
import type { Env } from "../../config.ts";
import { directoryOf } from "../client.ts";
import {
  accounts,
  passkeys,
  sessions,
  twoFactors,
  users,
  verifications,
} from "../schema/people/sessions.ts";

/** better-auth's way to its tables. */
export function authAdapter(env: Env) {
  return drizzleAdapter(directoryOf(env), {
    provider: "sqlite",
    schema: {
      user: users,
      session: sessions,
      account: accounts,
      verification: verifications,
      twoFactor: twoFactors,
      passkey: passkeys,
    },
  });
}
