import { fill, type Texts } from "../../texts.ts";

const DAY_MS = 86_400_000;

/** How long evidence still counts, in words; a dash where nobody says until when. */
export function timeLeft(deadline: string | null, nowMs: number, texts: Texts): string {
  if (deadline === null) return "–";
  const { timeLeft: labels } = texts.disputes;
  const left = Date.parse(deadline) - nowMs;
  if (left <= 0) return labels.over;
  const days = Math.floor(left / DAY_MS);
  if (days === 0) return labels.today;
  return days === 1 ? labels.oneDay : fill(labels.days, { days });
}

/** Whether the API still takes evidence. */
export function takesEvidence(
  { status, deadline }: { status: string; deadline: string | null },
  nowMs: number,
): boolean {
  return status === "open" && (deadline === null || Date.parse(deadline) > nowMs);
}
