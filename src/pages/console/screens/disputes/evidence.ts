import type { Form } from "../answers.tsx";
import type { Dispute } from "./dispute.ts";

/** The fields of a proof of delivery that the form asks for. */
export const DELIVERY_FIELDS = ["carrier", "trackingCode", "deliveredAt", "receivedBy"] as const;

/** What the form shows: what was sent before. A person who sees masks gets empty fields instead of them. */
export function evidenceForm({ evidence }: Dispute, seesPersonalData: boolean): Form {
  const form: Form = { links: (evidence?.links ?? []).join("\n") };
  if (!seesPersonalData) return form;
  form.text = evidence?.text ?? "";
  for (const field of DELIVERY_FIELDS) form[field] = textOf(evidence?.delivery?.[field]);
  return form;
}

/**
 * The form as the API's evidence. What a person could read replaces the earlier whole, with the proof's fields
 * that the form does not have; an empty field of one who could not is left as it is.
 */
export function evidenceBody(form: Form, known: Dispute, seesPersonalData: boolean) {
  const { text = "", links = "" } = form;
  const typed = DELIVERY_FIELDS.map((field) => [field, form[field]?.trim() ?? ""] as const);
  const filled = Object.fromEntries(typed.filter(([, value]) => value !== ""));
  const sentLinks = { links: links.split(/\s+/).filter((link) => link !== "") };
  if (!seesPersonalData) {
    return {
      ...sentLinks,
      ...(text === "" ? {} : { text }),
      ...(Object.keys(filled).length === 0 ? {} : { delivery: filled }),
    };
  }
  const others = Object.entries(known.evidence?.delivery ?? {}).filter(
    ([field]) => !isAsked(field),
  );
  return { ...sentLinks, text, delivery: { ...Object.fromEntries(others), ...filled } };
}

function isAsked(field: string): boolean {
  return (DELIVERY_FIELDS as readonly string[]).includes(field);
}

function textOf(value: unknown): string {
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}
