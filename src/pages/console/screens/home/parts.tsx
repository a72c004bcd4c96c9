import type { Child } from "hono/jsx";
import type { getBalance } from "../../../../api/balance/routes.ts";
import { reaisToCents } from "../../../../domain/shared/money.ts";
import type { RouteBody } from "../../route-types.ts";
import { useLocale, useTexts } from "../../texts.ts";
import { Section } from "../../ui/parts.tsx";
import type { WaitingThing } from "./waiting.ts";

/** The company's money, by what may be done with it. The balance is in reais, as the contract has it. */
export function BalanceCards({ balance }: { balance: RouteBody<typeof getBalance> }) {
  const { money } = useLocale();
  const texts = useTexts();
  const cards: [name: string, reais: number][] = [
    [texts.home.available, balance.accBalance],
    [texts.home.awaiting, balance.accBalanceCreditAwaiting],
    [texts.home.blocked, balance.accBalanceBlocked],
  ];
  if (balance.accBalanceDebt > 0) cards.push([texts.home.debt, balance.accBalanceDebt]);
  return (
    <div class="cards">
      {cards.map(([name, reais]) => (
        <Card name={name}>{money(reaisToCents(reais))}</Card>
      ))}
    </div>
  );
}

/** What needs a person, each with the way to it. */
export function Waiting({ things }: { things: WaitingThing[] }) {
  const texts = useTexts();
  return (
    <Section title={texts.home.needsYou}>
      {things.length === 0 ? (
        <p>{texts.home.nobody}</p>
      ) : (
        <ul>
          {things.map(({ name, path, count, hint }) => (
            <li>
              <a href={path}>
                {texts.home[name]}: {count}
              </a>
              {hint === undefined ? null : <span class="hint"> ({hint})</span>}
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}

/** A named figure. */
export function Card({ name, children }: { name: string; children?: Child }) {
  return (
    <div class="card">
      <p class="hint">{name}</p>
      <p class="amount">{children}</p>
    </div>
  );
}
