import { crc16 } from "../../../../src/methods/pix/br-code.ts";

/** Field values by id; undefined removes a field. */
export type FieldValues = Record<string, string | undefined>;

export const PIX_GUI = tlv("00", "br.gov.bcb.pix");
export const STATIC_ACCOUNT = PIX_GUI + tlv("01", "fulano@example.com");
export const DYNAMIC_ACCOUNT = PIX_GUI + tlv("25", "pix.example.com/qr/v2/1234");
export const RECURRENCE = PIX_GUI + tlv("25", "pix.example.com/qr/v2/rec/1234");

/** A valid static BR Code with changed fields, in the order of their ids. */
export function brCodeOf(changes: FieldValues): string {
  const fields: FieldValues = {
    "00": "01",
    26: STATIC_ACCOUNT,
    52: "0000",
    53: "986",
    58: "BR",
    59: "Fulano de Tal",
    60: "BRASILIA",
    62: tlv("05", "***"),
    ...changes,
  };
  return withCrc(
    Object.entries(fields)
      .toSorted(([a], [b]) => Number(a) - Number(b))
      .map(([id, value]) => (value === undefined ? "" : tlv(id, value)))
      .join(""),
  );
}

/** The text with its correct CRC. */
export function withCrc(body: string): string {
  return `${body}6304${crc16(`${body}6304`)}`;
}

export function tlv(id: string, value: string): string {
  return id + String(value.length).padStart(2, "0") + value;
}
