import { scrypt, timingSafeEqual } from "node:crypto";
import { fromBase64, toBase64 } from "../../../lib/base64.ts";

/**
 * What one password costs: 32 MB and 60 ms. In JavaScript, as better-auth has it, this would exceed the platform's limit of
 * CPU time. Only tests change it.
 */
export const PASSWORD_COST = { N: 16_384, r: 16, p: 1, maxmem: 64 * 1_024 * 1_024 };
const SALT_BYTES = 16;
const KEY_BYTES = 64;

/** A password's scrypt as `salt:key`, both in base64. */
export async function hashPassword(password: string): Promise<string> {
  const salt = crypto.getRandomValues(new Uint8Array(SALT_BYTES));
  return `${toBase64(salt)}:${toBase64(await keyOf(password, salt))}`;
}

/** Whether a password has this hash. */
export async function verifyPassword(options: {
  hash: string;
  password: string;
}): Promise<boolean> {
  const [salt = "", key = ""] = options.hash.split(":");
  const expected = fromBase64(key);
  const actual = await keyOf(options.password, fromBase64(salt));
  return actual.length === expected.length && timingSafeEqual(actual, expected);
}

function keyOf(password: string, salt: Uint8Array): Promise<Uint8Array<ArrayBuffer>> {
  return new Promise((resolve, reject) => {
    scrypt(password.normalize("NFKC"), salt, KEY_BYTES, PASSWORD_COST, (error, key) => {
      if (error === null) resolve(Uint8Array.from(key));
      else reject(error);
    });
  });
}
