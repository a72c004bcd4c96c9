import { expect } from "vitest";

/** ISO 8601 UTC with milliseconds and `Z`: the one form of a time, but `updateDate`. */
export const aTime = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
export const aTimeWithOffset = expect.stringMatching(
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00$/,
);
export const aUuid = expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
/** BACEN: `E`, ISPB, yyyyMMddHHmm, eleven characters. */
export const anEndToEndId = expect.stringMatching(/^E\d{8}\d{12}[A-Za-z0-9]{11}$/);
/** At least 128 bits, URL-safe. */
export const aSecureId = expect.stringMatching(/^[A-Za-z0-9_-]{22,}$/);
/** A dynamic BR Code: payload format, point of initiation 12, CRC last. */
export const aBrCode = expect.stringMatching(/^000201010212.*br\.gov\.bcb\.pix.*6304[0-9A-F]{4}$/);
