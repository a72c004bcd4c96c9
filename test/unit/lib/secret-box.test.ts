import { describe, expect, test } from "vitest";
import { isSecretKey, seal, unseal } from "../../../src/lib/secret-box.ts";

const KEY = toBase64(Uint8Array.from({ length: 32 }, (_, index) => index));
const OTHER_KEY = toBase64(Uint8Array.from({ length: 32 }, (_, index) => index + 1));
const CONTEXT = "webhook-secret:company-1";
const SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

describe("a sealed secret opens again", () => {
  test.each([SECRET, "", "ção 🍕", "x".repeat(10_000)])("%.40s", async (secret) => {
    expect(await unseal(KEY, await seal(KEY, secret, CONTEXT), CONTEXT)).toBe(secret);
  });
});

test("a sealed secret shows nothing of the secret", async () => {
  const sealed = await seal(KEY, SECRET, CONTEXT);
  expect(sealed).not.toContain(SECRET);
  expect(sealed).not.toContain(btoa(SECRET));
});

test("the same secret sealed twice gives two texts", async () => {
  expect(await seal(KEY, SECRET, CONTEXT)).not.toBe(await seal(KEY, SECRET, CONTEXT));
});

describe("a sealed secret cannot be opened", () => {
  test("in another row", async () => {
    const sealed = await seal(KEY, SECRET, CONTEXT);
    await expect(unseal(KEY, sealed, "webhook-secret:company-2")).rejects.toThrow();
  });

  test("under another key", async () => {
    const sealed = await seal(KEY, SECRET, CONTEXT);
    await expect(unseal(OTHER_KEY, sealed, CONTEXT)).rejects.toThrow();
  });

  test("after any one of its bytes changed", async () => {
    const [version, ...parts] = (await seal(KEY, "short", CONTEXT)).split(".");
    for (const [index, part] of parts.entries()) {
      const bytes = Uint8Array.from(atob(part), (char) => char.charCodeAt(0));
      for (let at = 0; at < bytes.length; at++) {
        const changed = toBase64(bytes.with(at, bytes[at]! ^ 1));
        const sealed = [version, ...parts.with(index, changed)].join(".");
        await expect(unseal(KEY, sealed, CONTEXT), `byte ${at}`).rejects.toThrow();
      }
    }
  });

  test("after its end was cut off", async () => {
    const [version, iv, cipher] = (await seal(KEY, SECRET, CONTEXT)).split(".");
    const sealed = `${version}.${iv}.${cipher!.slice(0, -8)}`;
    await expect(unseal(KEY, sealed, CONTEXT)).rejects.toThrow();
  });

  test("when it names another version", async () => {
    const sealed = (await seal(KEY, SECRET, CONTEXT)).replace("v1.", "v2.");
    await expect(unseal(KEY, sealed, CONTEXT)).rejects.toThrow("not a sealed secret");
  });

  test.each(["", "v1", "v1.", "v2.AAAA.AAAA", SECRET])(
    "when the text is not a sealed secret: %j",
    async (text) => {
      await expect(unseal(KEY, text, CONTEXT)).rejects.toThrow();
    },
  );
});

describe("a key is 32 bytes in base64", () => {
  test("and such a key is accepted", () => {
    expect(isSecretKey(KEY)).toBe(true);
  });

  test.each([
    ["nothing", ""],
    ["31 bytes", toBase64(new Uint8Array(31))],
    ["33 bytes", toBase64(new Uint8Array(33))],
    ["16 bytes", toBase64(new Uint8Array(16))],
    ["32 characters that are no base64", "!".repeat(32)],
    ["hex", "ab".repeat(32)],
  ])("%s is not a key", (_fault, key) => {
    expect(isSecretKey(key)).toBe(false);
  });
});

function toBase64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes));
}
