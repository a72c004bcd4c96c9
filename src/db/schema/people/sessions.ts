import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";

/**
 * People who sign in to the console, and how. better-auth reads and writes these rows by the names of the fields here
 * (`pages/console/people/better-auth.ts`). Only in `DB`.
 */
export const users = sqliteTable(
  "users",
  {
    /** Person's id, `person_<id>` in the audit trail. */
    id: text("id").primaryKey(),
    /** Its name. */
    name: text("name").notNull(),
    /** E-mail in lower case, to sign in. */
    email: text("email").notNull(),
    /** Always 1: people are invited. */
    emailVerified: integer("email_verified", { mode: "boolean" }).notNull(),
    /** Not used. */
    image: text("image"),
    /** 1 with an authenticator app. */
    twoFactorEnabled: integer("two_factor_enabled", { mode: "boolean" }),
    createdAt: integer("created_at", { mode: "timestamp_ms" }).notNull(),
    updatedAt: integer("updated_at", { mode: "timestamp_ms" }).notNull(),
  },
  (table) => [
    /** Sign-in, and one person per e-mail. */
    uniqueIndex("users_email").on(table.email),
  ],
);

/**
 * Browsers in which a person is signed in, for at most 12 hours. A person's expired ones are deleted at the next proof.
 * Only in `DB`.
 */
export const sessions = sqliteTable(
  "sessions",
  {
    /** The session's id. */
    id: text("id").primaryKey(),
    /** The person. */
    userId: text("user_id").notNull(),
    /** What the cookie holds, with a signature. */
    token: text("token").notNull(),
    /** When it ends. */
    expiresAt: integer("expires_at", { mode: "timestamp_ms" }).notNull(),
    /** Address at sign-in. */
    ipAddress: text("ip_address"),
    /** Browser at sign-in. */
    userAgent: text("user_agent"),
    /** The last proof of a second factor; null if there was none. Ours, not better-auth's. */
    secondFactorAt: integer("second_factor_at"),
    /** Refused proofs since then; the fifth ends the session. Ours, not better-auth's. */
    failedProofs: integer("failed_proofs").notNull().default(0),
    /** When the person signed in. */
    createdAt: integer("created_at", { mode: "timestamp_ms" }).notNull(),
    updatedAt: integer("updated_at", { mode: "timestamp_ms" }).notNull(),
  },
  (table) => [
    /** The session of a request. */
    uniqueIndex("sessions_token").on(table.token),
    /** A person's sessions, newest first. */
    index("sessions_user").on(table.userId, table.createdAt),
  ],
);

/** How a person signs in: always one row, with the password. Written by better-auth. Only in `DB`. */
export const accounts = sqliteTable(
  "accounts",
  {
    /** The row's id. */
    id: text("id").primaryKey(),
    /** The person. */
    userId: text("user_id").notNull(),
    /** The person again. */
    accountId: text("account_id").notNull(),
    /** `credential`. */
    providerId: text("provider_id").notNull(),
    /** Scrypt (N 16,384, r 16, p 1) as `salt:key`, base64. */
    password: text("password"),
    /** Not used. */
    accessToken: text("access_token"),
    /** Not used. */
    refreshToken: text("refresh_token"),
    /** Not used. */
    idToken: text("id_token"),
    /** Not used. */
    accessTokenExpiresAt: integer("access_token_expires_at", { mode: "timestamp_ms" }),
    /** Not used. */
    refreshTokenExpiresAt: integer("refresh_token_expires_at", { mode: "timestamp_ms" }),
    /** Not used. */
    scope: text("scope"),
    createdAt: integer("created_at", { mode: "timestamp_ms" }).notNull(),
    updatedAt: integer("updated_at", { mode: "timestamp_ms" }).notNull(),
  },
  (table) => [
    /** A person's password. */
    index("accounts_user").on(table.userId),
  ],
);

/**
 * Open challenges of minutes: the code after a password, a passkey's. Used once. Written by better-auth. And codes of
 * authenticator apps that were tried (`used-code`, with the person as value): each is tried once in its validity. And
 * counts of a person's refused sign-ins within an hour (`refused-sign-in`, with the count as value). Only in `DB`.
 */
export const verifications = sqliteTable(
  "verifications",
  {
    /** The row's id. */
    id: text("id").primaryKey(),
    /** Name of the challenge. */
    identifier: text("identifier").notNull(),
    /** What it is about. */
    value: text("value").notNull(),
    /** When it ends. */
    expiresAt: integer("expires_at", { mode: "timestamp_ms" }).notNull(),
    createdAt: integer("created_at", { mode: "timestamp_ms" }).notNull(),
    updatedAt: integer("updated_at", { mode: "timestamp_ms" }).notNull(),
  },
  (table) => [
    /** A challenge, newest first. */
    index("verifications_identifier").on(table.identifier, table.createdAt),
    /** Deletes the expired. */
    index("verifications_expires_at").on(table.expiresAt),
  ],
);

/** Authenticator apps, one per person. Written by better-auth. Only in `DB`. */
export const twoFactors = sqliteTable(
  "two_factors",
  {
    /** The row's id. */
    id: text("id").primaryKey(),
    /** The person. */
    userId: text("user_id").notNull(),
    /** TOTP secret, encrypted under a key derived from `SECRETS_KEY`. */
    secret: text("secret").notNull(),
    /** Unused recovery codes, encrypted so. */
    backupCodes: text("backup_codes").notNull(),
    /** 1 after the first code. */
    verified: integer("verified", { mode: "boolean" }),
    /** Wrong codes in a row at sign-in. */
    failedVerificationCount: integer("failed_verification_count"),
    /** No code is accepted until then; set by the tenth. */
    lockedUntil: integer("locked_until", { mode: "timestamp_ms" }),
  },
  (table) => [
    /** A person's app. */
    index("two_factors_user").on(table.userId),
  ],
);

/** Passkeys. Written by better-auth. Only in `DB`. */
export const passkeys = sqliteTable(
  "passkeys",
  {
    /** The row's id. */
    id: text("id").primaryKey(),
    /** The person. */
    userId: text("user_id").notNull(),
    /** Given by the person. */
    name: text("name"),
    /** Public key (COSE), base64. */
    publicKey: text("public_key").notNull(),
    /** The authenticator's name for it. */
    credentialID: text("credential_id").notNull(),
    /** Signatures, if the authenticator counts. */
    counter: integer("counter").notNull(),
    /** `singleDevice` or `multiDevice`. */
    deviceType: text("device_type").notNull(),
    /** 1 if it is synchronised. */
    backedUp: integer("backed_up", { mode: "boolean" }).notNull(),
    /** How it is reached, separated by commas. */
    transports: text("transports"),
    /** Model of the authenticator. */
    aaguid: text("aaguid"),
    createdAt: integer("created_at", { mode: "timestamp_ms" }),
  },
  (table) => [
    /** A person's passkeys. */
    index("passkeys_user").on(table.userId),
    /** The passkey of a sign-in. */
    uniqueIndex("passkeys_credential").on(table.credentialID),
  ],
);
