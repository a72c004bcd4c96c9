import { passkey } from "@better-auth/passkey";
import { betterAuth } from "better-auth";
import { APIError } from "better-auth/api";
import { twoFactor } from "better-auth/plugins/two-factor";
import { configOf, publicOrigin } from "../../../config.ts";
import { resetEmail } from "../../../api/emails/password-reset.ts";
import { sendEmail } from "../../../api/emails/send.ts";
import { authAdapter } from "../../../db/people/auth-adapter.ts";
import { endPasswordLinks } from "../../../db/people/sessions.ts";
import { log } from "../../../lib/log.ts";
import type { ConsoleContext } from "../context.ts";
import { authSecrets } from "../../../http/auth/auth-secrets.ts";
import { PASSWORD_MAX, PASSWORD_MIN } from "./password-length.ts";
import { RESET_LINK_SECONDS } from "./reset-token.ts";
import { hashPassword, verifyPassword } from "./passwords.ts";
import { hasSecureCookies } from "./session.ts";

/** A working day; a session is never prolonged. */
const SESSION_SECONDS = 12 * 60 * 60;

/** better-auth for one request. */
export async function makeAuth(c: ConsoleContext) {
  const { env } = c.env.outer;
  const origin = publicOrigin(env, c.req.url);
  return betterAuth({
    appName: "Centavo",
    baseURL: origin,
    basePath: "/console/auth",
    secrets: await authSecrets(configOf(env).secretsKeys),
    database: authAdapter(env),
    telemetry: { enabled: false },
    // Limits its own routes only.
    rateLimit: { enabled: false },
    logger: { level: "error", log: (_, message) => log("error", "sign_in_failed", { message }) },
    session: { expiresIn: SESSION_SECONDS, disableSessionRefresh: true },
    emailAndPassword: {
      enabled: true,
      disableSignUp: true,
      minPasswordLength: PASSWORD_MIN,
      maxPasswordLength: PASSWORD_MAX,
      password: { hash: hashPassword, verify: verifyPassword },
      resetPasswordTokenExpiresIn: RESET_LINK_SECONDS,
      revokeSessionsOnPasswordReset: true,
      onPasswordReset: ({ user }) =>
        endPasswordLinks(env, user.id, c.env.outer.get("deps").platformClock.now()),
      sendResetPassword: ({ user, token }) =>
        sendEmail(env, resetEmail(user.email, `${origin}/console/password-reset/${token}`)),
    },
    // Who reads the database finds no link that works.
    verification: {
      storeIdentifier: { default: "plain", overrides: { "reset-password": "hashed" } },
    },
    advanced: {
      cookiePrefix: "centavo",
      useSecureCookies: hasSecureCookies(c),
      defaultCookieAttributes: { path: "/console", sameSite: "lax", httpOnly: true },
      ipAddress: { ipAddressHeaders: ["cf-connecting-ip"] },
    },
    plugins: [
      twoFactor({ issuer: "Centavo" }),
      passkey({
        rpID: new URL(origin).hostname,
        rpName: "Centavo",
        origin,
        authenticatorSelection: { residentKey: "required", userVerification: "required" },
        authentication: {
          // A passkey signs in alone, so it must be two factors: the device, and who unlocks it.
          afterVerification: async ({ verification }) => {
            if (!verification.authenticationInfo.userVerified) throw new APIError("UNAUTHORIZED");
          },
        },
      }),
    ],
  });
}
