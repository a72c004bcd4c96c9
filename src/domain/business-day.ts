const SAO_PAULO_DAY = new Intl.DateTimeFormat("en-CA", {
  timeZone: "America/Sao_Paulo",
  year: "numeric",
  month: "2-digit",
  day: "2-digit",
});

/** The calendar day (`YYYY-MM-DD`) in Brazil's business time zone. */
export function saoPauloDay(epochMs: number): string {
  return SAO_PAULO_DAY.format(epochMs);
}
