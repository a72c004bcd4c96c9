import type { CashierDevice } from "../../../db/people/cashier-devices.ts";
import { ROLES_THAT_MANAGE_PEOPLE } from "../../../domain/access/person.ts";
import { Mark } from "../../shared/look/icon.tsx";
import { useTexts } from "../texts.ts";

/** Above each page of a shared counter: whose it is, who is at it, and how the next one comes to it. */
export function CounterHead(props: { company: string; cashier: CashierDevice["cashier"] }) {
  const { company, cashier } = props;
  const labels = useTexts().cashier;
  return (
    <header class="top counter-head">
      <a class="brand" href="/console/cashier">
        <Mark />
        {company}
      </a>
      {cashier === null ? null : (
        <>
          <p class="at">{cashier.name}</p>
          <form method="post" action="/console/cashier/device/leave">
            <button type="submit">{labels.switch}</button>
          </form>
          {ROLES_THAT_MANAGE_PEOPLE.has(cashier.role) ? (
            <details class="end-device">
              <summary>{labels.endDevice}</summary>
              <form method="post" action="/console/cashier/device/end" data-once="">
                <p>{labels.endDeviceWhat}</p>
                <button type="submit" class="danger">
                  {labels.endDevice}
                </button>
              </form>
            </details>
          ) : null}
        </>
      )}
    </header>
  );
}
