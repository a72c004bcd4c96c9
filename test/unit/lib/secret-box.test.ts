import { describe, expect, test } from "vitest";
import {
  sealedPrefix,
  isSecretKey,
  keyIdOf,
  parseKeyRing,
  seal,
  unseal,
  type KeyRing,
} from "../../../src/lib/secret-box.ts";

const KEY = toBase64(Uint8Array.from({ length: 32 }, (_, index) => index));
const OTHER_KEY = toBase64(Uint8Array.from({ length: 32 }, (_, index) => index + 1));
const CONTEXT = "webhook-secret:company-1";
const SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

describe("a sealed secret opens again", () => {
  test.each([SECRET, "", "ção 🍕", "x".repeat(10_000)])("%.40s", async (secret) => {
    expect(await unseal([KEY], await seal([KEY], secret, CONTEXT), CONTEXT)).toBe(secret);
  });
});

test("a sealed secret shows nothing of the secret", async () => {
  const sealed = await seal([KEY], SECRET, CONTEXT);
  expect(sealed).not.toContain(SECRET);
  expect(sealed).not.toContain(btoa(SECRET));
});

test("the same secret sealed twice gives two texts", async () => {
  expect(await seal([KEY], SECRET, CONTEXT)).not.toBe(await seal([KEY], SECRET, CONTEXT));
});

describe("a sealed secret cannot be opened", () => {
  test("in another row", async () => {
    const sealed = await seal([KEY], SECRET, CONTEXT);
    await expect(unseal([KEY], sealed, "webhook-secret:company-2")).rejects.toThrow();
  });

  test("under another key", async () => {
    const sealed = await seal([KEY], SECRET, CONTEXT);
    await expect(unseal([OTHER_KEY], sealed, CONTEXT)).rejects.toThrow();
  });

  test("after any one of its bytes changed", async () => {
    const [version, keyId, ...parts] = (await seal([KEY], "short", CONTEXT)).split(".");
    for (const [index, part] of parts.entries()) {
      const bytes = Uint8Array.from(atob(part), (char) => char.charCodeAt(0));
      for (let at = 0; at < bytes.length; at++) {
        const changed = toBase64(bytes.with(at, bytes[at]! ^ 1));
        const sealed = [version, keyId, ...parts.with(index, changed)].join(".");
        await expect(unseal([KEY], sealed, CONTEXT), `byte ${at}`).rejects.toThrow();
      }
    }
  });

  test("after its end was cut off", async () => {
    const sealed = (await seal([KEY], SECRET, CONTEXT)).slice(0, -8);
    await expect(unseal([KEY], sealed, CONTEXT)).rejects.toThrow();
  });

  test("when it names another version", async () => {
    const sealed = (await seal([KEY], SECRET, CONTEXT)).replace("v2.", "v3.");
    await expect(unseal([KEY], sealed, CONTEXT)).rejects.toThrow("not a sealed secret");
  });

  test.each(["", "v1", "v1.", "v2.AAAA.AAAA", "v3.00000000.AAAA.AAAA", SECRET])(
    "when the text is not a sealed secret: %j",
    async (text) => {
      await expect(unseal([KEY], text, CONTEXT)).rejects.toThrow();
    },
  );
});

/** A text as `seal` made it before keys had ids. */
async function sealedWithoutKeyId(key: string): Promise<string> {
  const [, , iv, cipher] = (await seal([key], SECRET, CONTEXT)).split(".");
  return `v1.${iv}.${cipher}`;
}

describe("a ring of keys", () => {
  const RING: KeyRing = [OTHER_KEY, KEY];

  test("seals under its first key, which the text names", async () => {
    const digest = await crypto.subtle.digest("SHA-256", bytesOf(OTHER_KEY));
    const id = Buffer.from(digest).toString("hex").slice(0, 8);
    const sealed = await seal(RING, SECRET, CONTEXT);
    expect(await keyIdOf(OTHER_KEY)).toBe(id);
    expect(sealed).toMatch(new RegExp(`^v2\\.${id}\\.`));
    expect(await unseal([OTHER_KEY], sealed, CONTEXT)).toBe(SECRET);
  });

  test("opens what each of its keys sealed, with and without the key's id", async () => {
    for (const key of RING) {
      expect(await unseal(RING, await seal([key], SECRET, CONTEXT), CONTEXT)).toBe(SECRET);
      expect(await unseal(RING, await sealedWithoutKeyId(key), CONTEXT)).toBe(SECRET);
    }
  });

  test("says which key is missing", async () => {
    const sealed = await seal([KEY], SECRET, CONTEXT);
    const missing = `the key ${await keyIdOf(KEY)}, which is not in SECRETS_KEY`;
    await expect(unseal([OTHER_KEY], sealed, CONTEXT)).rejects.toThrow(missing);
    await expect(unseal([OTHER_KEY], await sealedWithoutKeyId(KEY), CONTEXT)).rejects.toThrow();
  });

  test("knows what its first key sealed", async () => {
    const prefix = await sealedPrefix(RING);
    expect((await seal(RING, SECRET, CONTEXT)).startsWith(prefix)).toBe(true);
    expect((await seal([KEY], SECRET, CONTEXT)).startsWith(prefix)).toBe(false);
    expect((await sealedWithoutKeyId(OTHER_KEY)).startsWith(prefix)).toBe(false);
  });

  test("is one to four different keys, separated by commas", () => {
    const keys = [
      KEY,
      OTHER_KEY,
      ...[2, 3, 4].map((fill) => toBase64(new Uint8Array(32).fill(fill))),
    ];
    expect(parseKeyRing(KEY)).toEqual([KEY]);
    expect(parseKeyRing(`${KEY}, ${OTHER_KEY}`)).toEqual([KEY, OTHER_KEY]);
    expect(parseKeyRing(keys.slice(0, 4).join(","))).toHaveLength(4);
    expect(parseKeyRing(keys.join(","))).toBeNull();
  });

  test.each([
    "",
    ",",
    `${KEY},`,
    `,${KEY}`,
    `${KEY},${KEY}`,
    `${KEY},short`,
    `${KEY};${OTHER_KEY}`,
  ])("is not %j", (text) => {
    expect(parseKeyRing(text)).toBeNull();
  });
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

function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
}

function toBase64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes));
}
