const TIME_ZONE = "America/Sao_Paulo";
const SAO_PAULO_DAY = new Intl.DateTimeFormat("en-CA", {
  timeZone: TIME_ZONE,
  year: "numeric",
  month: "2-digit",
  day: "2-digit",
});
const SAO_PAULO_TIME = new Intl.DateTimeFormat("en-GB", {
  timeZone: TIME_ZONE,
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
});

/** The calendar day (`YYYY-MM-DD`) in Brazil's business time zone. */
export function saoPauloDay(epochMs: number): string {
  return SAO_PAULO_DAY.format(epochMs);
}

/** The last second of a day (`YYYY-MM-DD`) in Brazil's business time zone, epoch milliseconds. */
export function endOfDay(day: string): number {
  const asUtc = Date.parse(`${day}T23:59:59.000Z`);
  const near = asUtc + msBehindUtc(asUtc);
  // The offset may change between the two: use the one of that second.
  return asUtc + msBehindUtc(near);
}

/** The offset of São Paulo behind UTC at a time, milliseconds. */
function msBehindUtc(epochMs: number): number {
  const clock = `${saoPauloDay(epochMs)}T${SAO_PAULO_TIME.format(epochMs)}.000Z`;
  return epochMs - Date.parse(clock);
}
