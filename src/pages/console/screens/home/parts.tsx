import type { Child } from "hono/jsx";
import type { getBalance } from "../../../../api/balance/routes.ts";
import { money } from "../../format.ts";
import type { RouteBody } from "../../route-types.ts";
import type { Language, Texts } from "../../texts.ts";
import { Section } from "../../ui/parts.tsx";
import type { WaitingThing } from "./waiting.ts";

/** The company's money, by what may be done with it. The balance is in reais, as the contract has it. */
export function BalanceCards(props: {
  balance: RouteBody<typeof getBalance>;
  texts: Texts;
  language: Language;
}) {
  const { balance, texts, language } = props;
  const cards: [name: string, reais: number][] = [
    [texts.home.available, balance.accBalance],
    [texts.home.awaiting, balance.accBalanceCreditAwaiting],
    [texts.home.blocked, balance.accBalanceBlocked],
  ];
  if (balance.accBalanceDebt > 0) cards.push([texts.home.debt, balance.accBalanceDebt]);
  return (
    <div class="cards">
      {cards.map(([name, reais]) => (
        <Card name={name}>{money(Math.round(reais * 100), language)}</Card>
      ))}
    </div>
  );
}

/** What needs a person, each with the way to it. */
export function Waiting({ things, texts }: { things: WaitingThing[]; texts: Texts }) {
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
