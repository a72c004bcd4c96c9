import { COMMON_OPTIONS, type Command, type Option } from "./command.ts";

/** The shells that `completion` knows. */
export const SHELLS = ["bash", "zsh", "fish"] as const;
type Shell = (typeof SHELLS)[number];

/** What may follow some words, by those words: `charges` has `create`, `charges create` has `--amount`. */
type Following = Map<string, string[]>;

/** A script that completes commands, options and their choices. */
export function completionScript(shell: Shell, commands: readonly Command[]): string {
  if (shell === "fish") return fishScript(commands);
  const script = bashScript(followingOf(commands));
  // zsh runs the completions of bash.
  return shell === "zsh" ? `autoload -U +X bashcompinit && bashcompinit\n${script}` : script;
}

function followingOf(commands: readonly Command[]): Following {
  const following: Following = new Map([["", ["--help", "--version"]]]);
  const add = (words: string, ...next: string[]) =>
    following.set(words, [...new Set([...(following.get(words) ?? []), ...next])]);
  for (const { name, options = {}, choices = [] } of commands) {
    const [first = "", second] = name.split(" ");
    add("", first);
    if (second !== undefined) add(first, second);
    add(name, ...choices);
    for (const [option, { choices: values = [] }] of Object.entries({
      ...options,
      ...COMMON_OPTIONS,
    })) {
      add(name, `--${option}`);
      if (values.length > 0) add(`${name} --${option}`, ...values);
    }
  }
  return following;
}

/** Looks for what follows the command and the word before; else for what follows the command. */
function bashScript(following: Following): string {
  const cases = [...following].map(
    ([words, next]) => `    "${words}") echo "${next.join(" ")}" ;;`,
  );
  return `_centavo_next() {
  case "$1" in
${cases.join("\n")}
  esac
}
_centavo() {
  local words="\${COMP_WORDS[*]:1:2}" last="\${COMP_WORDS[COMP_CWORD-1]}" next=""
  if [ "$COMP_CWORD" -lt 3 ]; then words="\${COMP_WORDS[*]:1:$((COMP_CWORD-1))}"; fi
  if [ -z "$(_centavo_next "$words")" ]; then words="\${words%% *}"; fi
  case "$last" in --*) next="$(_centavo_next "$words $last")" ;; esac
  COMPREPLY=($(compgen -W "\${next:-$(_centavo_next "$words")}" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -F _centavo centavo`;
}

function fishScript(commands: readonly Command[]): string {
  const lines = commands.flatMap((command) => {
    const words = command.name.split(" ");
    const last = words.at(-1) ?? "";
    const before = seen(words.slice(0, -1)) || "__fish_use_subcommand";
    const options = Object.entries({ ...command.options, ...COMMON_OPTIONS });
    return [
      `-n "${before}" -a ${last} -d "${command.summary}"`,
      ...(command.choices ?? []).map((choice) => `-n "${seen(words)}" -a ${choice}`),
      ...options.map(
        ([name, option]) => `-n "${seen(words)}" -l ${name} ${valueOf(option)}-d "${option.help}"`,
      ),
    ];
  });
  const twoWords = commands.map(({ name }) => name.split(" ")).filter(({ length }) => length > 1);
  const groups = [...new Set(twoWords.map(([group]) => group))];
  const first = groups.map((group) => `-n "__fish_use_subcommand" -a ${group}`);
  return ["-f", ...first, ...lines].map((line) => `complete -c centavo ${line}`).join("\n");
}

/** That these words stand in the line. */
function seen(words: string[]): string {
  return words.map((word) => `__fish_seen_subcommand_from ${word}`).join("; and ");
}

function valueOf({ value, choices }: Option): string {
  if (choices !== undefined) return `-x -a "${choices.join(" ")}" `;
  return value === undefined ? "" : "-r ";
}
