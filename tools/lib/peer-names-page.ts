/** The names that peers use for our fields, which a body or a query is refused for. */
import { FOREIGN_NAME_LIST } from "../../src/http/fields/foreign-names.ts";

/** The text of `docs/generated/peer-names.md`. */
export function peerNamesPage(): string {
  const rows = FOREIGN_NAME_LIST.map(
    ({ name, peer, ours }) =>
      `- \`${name}\` (${peer}): ${ours.map((own) => `\`${own}\``).join(", ")}`,
  );
  return `# Names of peers

Written by \`npm run docs:names\` from the code. A request that has one of these names where ours would stand is a 400
that names ours. Where there are several, the peer's meaning is wider.

${rows.join("\n")}
`;
}
