/** A page that is shown in the documentation, with the names of its pictures' files. */
interface Pictured {
  title: string;
  files: readonly string[];
}

/** The Markdown of a page of pictures: a line for each screen, its pictures in `columns`. */
export function picturesPage(
  command: string,
  columns: readonly string[],
  screens: readonly Pictured[],
): string {
  const lines = [
    ["screen", ...columns],
    ["---", ...columns.map(() => "---")],
    ...screens.map(({ title, files }) => [title, ...files.map((file) => `![](../images/${file})`)]),
  ];
  const table = lines.map((cells) => `| ${cells.join(" | ")} |`).join("\n");
  return `# Pictures\n\nWritten by \`npm run ${command}\`.\n\n${table}\n`;
}
