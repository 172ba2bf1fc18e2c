import { findSensors, type Sensor } from '../../meters/hwmon/sensor.ts';
import { meterTypes } from '../../meters/registry.ts';
import { serialPortFolder } from '../../meters/serial/ports.ts';
import { type FoundPort, type FoundRapl, findPorts, findRapl } from '../../meters/tools/find.ts';
import { screenJson, visible } from '../../text/plain.ts';
import { command } from '../command.ts';
import { atSpaces, type Terminal } from '../terminal.ts';

export function meterListCommand({ stdout, stderr }: Terminal) {
  return command(
    'list',
    'list the meters of this machine: serial ports and what answers on them, RAPL and its permissions',
  )
    .option('--json', 'print JSON')
    .action(async ({ json: asJson = false }) => {
      if (!asJson && stderr.isTTY) stderr.write('Probing every serial port …');
      const sensors = findSensors();
      const [ports, rapl] = await Promise.all([findPorts(meterTypes), findRapl()]);
      if (!asJson && stderr.isTTY) stderr.write('\r\x1b[K');
      stdout.write(
        asJson
          ? json(ports, rapl, sensors)
          : atSpaces(
              stdout,
              `${[...portLines(ports), '', ...sensorLines(sensors), '', ...raplLines(rapl), '', ...ALWAYS].join('\n')}\n`,
            ),
      );
    });
}

const ALWAYS = [
  'In the network, where joulediff looks only when you name them',
  '  Shelly and Tasmota plugs, and anything that tells watts as JSON.',
  '  --meter shelly:HOST, tasmota:HOST or http-json:URL?pointer=/…&unit=W',
  '',
  'Without a meter',
  '  A model of processor use, to try joulediff with. It does not measure anything.',
  '  --meter estimate',
];

function portLines(ports: readonly FoundPort[]): string[] {
  const lines = ports.flatMap((port) => [
    `  ${visible(port.path)}${port.device === port.path ? '' : ` (${visible(port.device)})`}`,
    `    ${visible(port.detail)}`,
    ...(port.meter === null ? [] : [`    --meter ${visible(port.meter)}`]),
    ...(port.advice === null ? [] : [`    ${visible(port.advice)}`]),
  ]);
  const none = `  There is no serial port in ${serialPortFolder()}. Is the meter connected to this machine?`;
  return ['Serial ports', ...(lines.length === 0 ? [none] : lines)];
}

/** Where two chips have a name, each is told with its device. */
function sensorLines(sensors: readonly Sensor[]): string[] {
  const same = ({ chip, name }: Sensor) => sensors.filter((one) => one.chip === chip && one.name === name).length;
  const lines = sensors.map((sensor) => {
    const { chip, name, device, label } = sensor;
    const which = same(sensor) > 1 ? `?device=${device}` : '';
    return `  --meter ${visible(`hwmon:${chip}/${name}${which}`)}${label === null ? '' : ` (${visible(label)})`}`;
  });
  const none = '  The kernel shows no sensor of power or energy.';
  return ['Sensors of this machine (hwmon)', ...(lines.length === 0 ? [none] : lines)];
}

function raplLines({ root, domains, usable, detail, advice }: FoundRapl): string[] {
  const width = Math.max(0, ...domains.map(({ name }) => name.length));
  return [
    `RAPL, the processor's own counters (${root})`,
    ...domains.map(
      ({ name, path, readable, counted }) =>
        `  ${visible(name).padEnd(width)}  ${readable ? 'readable    ' : 'not readable'}  ${counted ? 'counted    ' : 'not counted'}  ${path.slice(root.length + 1)}`,
    ),
    `  ${visible(detail)}`,
    ...(usable ? ['  --meter rapl'] : []),
    ...(advice === null ? [] : [`  ${visible(advice)}`]),
  ];
}

function json(
  ports: readonly FoundPort[],
  { root, domains, usable, detail, advice }: FoundRapl,
  sensors: readonly Sensor[],
): string {
  const list = {
    schema: 'joulediff/meter-list/1',
    serial_ports: ports,
    sensors: sensors.map(({ chip, name, device, label }) => ({ meter: `hwmon:${chip}/${name}`, device, label })),
    rapl: { root, usable, domains, detail, advice },
  };
  return `${screenJson(JSON.stringify(list, null, 2))}\n`;
}
