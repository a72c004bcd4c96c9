/** What is known of each PSP's Pix API, from sources, and what `npm run psp-check` tries. */
import { PSP_POINTS } from "../../src/domain/psp/profiles/psp-points.ts";
import {
  CERTIFICATE_WAYS,
  type Fact,
  type PspProfile,
} from "../../src/domain/psp/profiles/psp-profile.ts";
import { PSP_PROFILES } from "../../src/domain/psp/profiles/psp-profiles.ts";

const UNKNOWN = "?";

/** The text of `docs/generated/psps.md`. */
export function pspsPage(): string {
  const profiles: [string, PspProfile][] = Object.entries(PSP_PROFILES);
  return `# PSPs

Written by \`npm run docs:psps\` from \`src/domain/psp/profiles/\`. Facts are what public sources say; \`?\` is what none
says. [providers.md](../providers.md#check-a-psp) says how to find out what is so.

${matrix(profiles)}

${profiles.map(([name, profile]) => section(name, profile)).join("\n\n")}

## What is tried

${Object.entries(PSP_POINTS)
  .map(([name, demanded]) => `- \`${name}\`: ${demanded}`)
  .join("\n")}
`;
}

function matrix(profiles: [string, PspProfile][]): string {
  const rows = profiles.map(([name, profile]) => {
    return [
      `[${profile.title}](#${name})`,
      profile.calledForReal ? "yes" : "no",
      code(profile.tokenClient.value),
      code(profile.tokenBody.value),
      yesNo(profile.mtls.value),
      profile.payouts === null ? "no" : "yes",
    ];
  });
  const head = ["PSP", "called for real", "tokenClient", "tokenBody", "mTLS", "payouts"];
  return [head, head.map(() => "---"), ...rows].map((row) => `| ${row.join(" | ")} |`).join("\n");
}

function section(name: string, profile: PspProfile): string {
  const { test, production, payouts } = profile;
  const lines = [
    line("Test", test, ({ baseUrl, tokenUrl }) => `\`${baseUrl}\`, token \`${tokenUrl}\``),
    line(
      "Production",
      production,
      ({ baseUrl, tokenUrl }) => `\`${baseUrl}\`, token \`${tokenUrl}\``,
    ),
    line("tokenClient", profile.tokenClient, code),
    line("tokenBody", profile.tokenBody, code),
    line(
      "Scopes",
      profile.scope,
      (scope) => (scope === "" ? "none" : `\`${scope}\``),
      "all that the gateway uses",
    ),
    line("Headers", profile.headers, names, "none beyond the standard"),
    line("Query", profile.query, names, "none"),
    line("mTLS", profile.mtls, yesNo),
    line("Certificate", profile.certificate, (way) => CERTIFICATE_WAYS[way]),
    line("Webhook", profile.webhook, (text) => text),
    line("Pix Automático, webhookrec and webhookcobr", profile.automatic, yesNo),
    line("Payouts", payouts, ({ production: origin }) => `\`${origin}\``, "none"),
    ...profile.faults.map((fault) => line("Differs", fault, ({ what }) => what)),
  ];
  return `## ${name}\n\n${lines.join("\n")}`;
}

function line<Value>(
  label: string,
  fact: Fact<Value> | null,
  wordsOf: (value: Value) => string,
  otherwise = UNKNOWN,
): string {
  if (fact === null) return `- ${label}: ${otherwise}`;
  const { name, date } = fact.source;
  return `- ${label}: ${wordsOf(fact.value)} (${name}, ${date})`;
}

function names(list: string[]): string {
  return list.map(code).join(", ");
}

function code(text: string): string {
  return `\`${text}\``;
}

function yesNo(holds: boolean): string {
  return holds ? "yes" : "no";
}
