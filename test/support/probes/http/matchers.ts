import { expect } from "vitest";

/** ISO 8601 UTC with milliseconds and `Z`: the format of every time except `updateDate`. */
export const anyTime = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
export const anyTimeWithOffset = expect.stringMatching(
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00$/,
);
export const anyUuid = expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
/** BACEN: `E`, ISPB, yyyyMMddHHmm, eleven characters. */
export const anyEndToEndId = expect.stringMatching(/^E\d{8}\d{12}[A-Za-z0-9]{11}$/);
/** At least 128 bits, URL-safe. */
/** Who paid at the sandbox where the charge names no customer. */
export const UNNAMED_PAYER = {
  payer: { name: null, documentMasked: null, ispb: "00000000" },
  payerMatch: "unknown",
};

export const anySecureId = expect.stringMatching(/^[A-Za-z0-9_-]{22,}$/);
/** A dynamic BR Code: payload format, point of initiation 12, CRC last. */
export const anyBrCode = expect.stringMatching(
  /^000201010212.*br\.gov\.bcb\.pix.*6304[0-9A-F]{4}$/,
);
