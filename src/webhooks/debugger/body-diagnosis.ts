import type { VerificationError } from "./causes.ts";

/** The replacement characters that a decoder writes for a truncated character. */
const CUT_CHARACTER = /\uFFFD{1,3}$/;
const BYTE_ORDER_MARK = "\uFEFF";

/** The way in which a received body differs from the signed one; null if they are equal. */
export function checkBody(sent: string, received: string): VerificationError | null {
  if (received === sent) return null;
  const prefix = [received, received.replace(CUT_CHARACTER, "")].find((text) =>
    sent.startsWith(text),
  );
  if (prefix !== undefined) {
    return {
      cause: "truncated_body",
      detail: `Only the first ${bytesIn(prefix)} of ${bytesIn(sent)} bytes arrived. Read the request body to its end, and raise any size limit.`,
    };
  }
  if (isSameJson(sent, received)) {
    return {
      cause: "reserialised_body",
      detail: `The body has the same JSON in other bytes (${differenceOf(sent, received)}): verify the raw body before any code parses or serialises it.`,
    };
  }
  return {
    cause: "changed_body",
    detail:
      received === asLatin1(sent)
        ? "The body was read as Latin-1: read it as bytes, or as UTF-8."
        : `The body differs from the sent body from character ${firstDifference(sent, received) + 1} on. Verify the raw body of this request, read as UTF-8, with the credentials of the environment that sent it.`,
  };
}

function differenceOf(sent: string, received: string): string {
  if (received === BYTE_ORDER_MARK + sent) return "a byte order mark before it";
  if (received.trim() === sent) return "white space around it";
  return "it was parsed and written again";
}

/** Whether two texts are the same JSON, apart from white space, order of fields and escapes. */
function isSameJson(sent: string, received: string): boolean {
  try {
    return isSameValue(JSON.parse(sent), JSON.parse(received.replace(BYTE_ORDER_MARK, "")));
  } catch {
    return false;
  }
}

/** Recurses over the sent value, whose depth is known, so that a received one cannot exhaust the stack. */
function isSameValue(sent: unknown, received: unknown): boolean {
  if (typeof sent !== "object" || sent === null) return sent === received;
  if (typeof received !== "object" || received === null) return false;
  if (Array.isArray(sent) !== Array.isArray(received)) return false;
  const names = Object.keys(sent);
  return (
    names.length === Object.keys(received).length &&
    names.every(
      (name) =>
        Object.hasOwn(received, name) &&
        isSameValue(
          (sent as Record<string, unknown>)[name],
          (received as Record<string, unknown>)[name],
        ),
    )
  );
}

function asLatin1(text: string): string {
  return Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join("");
}

function bytesIn(text: string): number {
  return new TextEncoder().encode(text).length;
}

function firstDifference(left: string, right: string): number {
  let index = 0;
  while (index < left.length && left[index] === right[index]) index++;
  return index;
}
