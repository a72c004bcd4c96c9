import type { ListedDevice } from "../../../../db/people/cashier-devices.ts";
import { fill, useLocale, useTexts } from "../../texts.ts";
import { Field, List, Section } from "../../ui/parts.tsx";

/** The company's shared counters, and the form that makes this browser one. */
export function Devices(props: { devices: ListedDevice[]; isUnnamed: boolean }) {
  const { dateTime } = useLocale();
  const { devices, isUnnamed } = props;
  const { team } = useTexts();
  const timeOf = (at: number) => dateTime(new Date(at).toISOString());
  return (
    <Section title={team.devices}>
      <List
        caption={team.devices}
        rows={devices}
        empty={team.noDevices}
        columns={[
          { heading: team.name, cell: ({ name }) => name },
          {
            heading: team.deviceSince,
            cell: ({ createdAt, createdBy }) =>
              fill(team.deviceBy, { at: timeOf(createdAt), name: createdBy }),
          },
          {
            heading: team.deviceCashier,
            cell: ({ cashier, since }) =>
              cashier === null || since === null
                ? team.nobody
                : fill(team.deviceUsedBy, { name: cashier, at: timeOf(since) }),
          },
          {
            heading: team.action,
            cell: ({ id, name }) => (
              <form method="post" action={`/console/team/devices/${id}/revoke`} data-once="">
                <button type="submit" aria-label={fill(team.endDeviceOf, { name })}>
                  {team.endDevice}
                </button>
              </form>
            ),
          },
        ]}
      />
      <details open={isUnnamed}>
        <summary>{team.useAsCounter}</summary>
        <form class="action" method="post" action="/console/team/devices" data-once="">
          <p>{team.useAsCounterWhat}</p>
          <Field
            label={team.deviceName}
            name="device"
            hint={team.deviceNameHint}
            maxlength={DEVICE_NAME_MAX}
            required
            errors={isUnnamed ? [fill(team.deviceNameWrong, { max: String(DEVICE_NAME_MAX) })] : []}
          />
          <button type="submit">{team.startCounter}</button>
        </form>
      </details>
    </Section>
  );
}

/** The longest name of a shared counter. */
export const DEVICE_NAME_MAX = 40;
