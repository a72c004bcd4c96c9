import type { Line, Movement, Observed } from "../observe.ts";

/** A company's balances as the sums of its postings. */
export function balancesOf(lines: Line[]): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const { account, amount } of lines) sums[account] = (sums[account] ?? 0) + amount;
  return sums;
}

/** Accounts without a liability. */
const MAY_BE_NEGATIVE = new Set(["debt"]);

/** The statement is consistent and adds up to the balance, to the centavo. */
export function statementProblems({ companyId, lines, balance }: Observed): string[] {
  const problems: string[] = [];
  const running: Record<string, number> = {};
  let sequence = 0;
  for (const line of lines) {
    if (line.sequence <= sequence) problems.push(`wrong: line ${line.sequence} is out of order`);
    sequence = line.sequence;
    running[line.account] = (running[line.account] ?? 0) + line.amount;
    if (running[line.account] !== line.balance) {
      problems.push(`wrong: line ${sequence} says ${line.balance}, not ${running[line.account]}`);
    }
    if (line.balance < 0 && !MAY_BE_NEGATIVE.has(line.account)) {
      problems.push(`wrong: ${line.account} of company ${companyId} is ${line.balance}`);
    }
  }
  const { available = 0, awaiting = 0, blocked = 0, debt = 0 } = balancesOf(lines);
  const expected = { available, awaiting, credit: available + awaiting + blocked, debt: -debt };
  const seen = { ...balance, available: balance.available + balance.held };
  for (const [name, value] of Object.entries(expected)) {
    const shown = seen[name as keyof typeof seen];
    if (shown !== value) {
      problems.push(`wrong: the balance says ${name} ${shown}, the statement ${value}`);
    }
  }
  return problems;
}

/** Movements by transaction or withdraw. */
export function movementsBy<Key extends "transactionId" | "withdrawId">(
  movements: Movement[],
  key: Key,
): (subject: Movement[Key]) => { of: (...types: string[]) => Movement[] } {
  const bySubject = new Map<Movement[Key], Movement[]>();
  for (const movement of movements) {
    const own = bySubject.get(movement[key]);
    if (own === undefined) bySubject.set(movement[key], [movement]);
    else own.push(movement);
  }
  return (subject) => ({
    of: (...types) =>
      (bySubject.get(subject) ?? []).filter((movement) => types.includes(movement.type)),
  });
}

/** A movement's amount from the outside world (negative: to it). */
export function netExternalAmount(movement: Movement): number {
  return Object.values(movement.postings).reduce((sum, amount) => sum + amount, 0);
}

export function totalExternalAmount(movements: Movement[]): number {
  return movements.reduce((sum, movement) => sum + netExternalAmount(movement), 0);
}
