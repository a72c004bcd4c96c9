import { expect, it } from "vitest";
import {
  hashPassword,
  PASSWORD_COST,
  verifyPassword,
} from "../../../../src/pages/console/people/passwords.ts";

/** `scrypt(password, bytes 0 to 15, n=16384, r=16, p=1, dklen=64)` of Python's hashlib. */
const OF_PYTHON =
  "AAECAwQFBgcICQoLDA0ODw==:IF+ojOuJDjO5XY/K2clfblebh50jP4mPL0uILFTwxcoABCZU5DmFpuc1NvFXfFVxR6SfjfBo/dyi8CGC3Rpfag==";
const PASSWORD = "a long enough password";

it("a password's hash is scrypt of 32 MB", async () => {
  expect(128 * PASSWORD_COST.N * PASSWORD_COST.r).toBe(32 * 1_024 * 1_024);
  expect(await verifyPassword({ hash: OF_PYTHON, password: PASSWORD })).toBe(true);
  expect(await verifyPassword({ hash: OF_PYTHON, password: `${PASSWORD}.` })).toBe(false);
});

it("a password's hash has its own salt", async () => {
  const [first, second] = [await hashPassword(PASSWORD), await hashPassword(PASSWORD)];
  expect(first).not.toBe(second);
  expect(await verifyPassword({ hash: second, password: PASSWORD })).toBe(true);
});
