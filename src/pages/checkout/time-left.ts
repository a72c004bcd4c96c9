/**
 * A time in seconds in words of the language, rounded down: "14 minutos". The checkout's script has its text, so it
 * names nothing outside of it.
 */
export function leftInWords(seconds: number, language: string): string {
  let unit = "second";
  let size = 1;
  if (seconds >= 60) [unit, size] = ["minute", 60];
  if (seconds >= 7_200) [unit, size] = ["hour", 3_600];
  if (seconds >= 172_800) [unit, size] = ["day", 86_400];
  const format = new Intl.NumberFormat(language, { style: "unit", unit, unitDisplay: "long" });
  return format.format(Math.floor(seconds / size));
}
