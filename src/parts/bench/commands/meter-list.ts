import { findSensors, type Sensor } from '../../../meters/hwmon/sensor.ts';
import { type FoundDevice, findInNetwork } from '../../../meters/mdns/find.ts';
import { meterTypes } from '../../../meters/registry.ts';
import { serialPortFolder } from '../../../meters/serial/ports.ts';
import { command } from '../../../terminal/command.ts';
import { atSpaces, printAnswer, type Terminal } from '../../../terminal/terminal.ts';
import { visible } from '../../../text/plain.ts';
import { type FoundPort, type FoundRapl, findPorts, findRapl } from '../tools/find.ts';

export function meterListCommand(terminal: Terminal) {
  const { stdout, stderr } = terminal;
  return command(
    'list',
    'list the meters of this machine: serial ports and what answers on them, RAPL and its permissions',
  )
    .option('--network', `also ask the local network by mDNS for Shelly and Tasmota plugs, for ${NETWORK_MS / 1000} s`)
    .action(async ({ json: asJson = false, network = false }) => {
      if (network) stderr.write('Asking the local network by mDNS, which every machine in it can hear.\n');
      if (!asJson && stderr.isTTY) stderr.write('Probing every serial port …');
      const sensors = findSensors();
      const others = meterTypes.flatMap(({ found }) => found?.() ?? []);
      const devices = network ? findInNetwork(NETWORK_MS) : null;
      const [ports, rapl, found] = await Promise.all([findPorts(meterTypes), findRapl(), devices]);
      if (!asJson && stderr.isTTY) stderr.write('\r\x1b[K');
      if (asJson) {
        const named = sensors.map(({ chip, name, device, label }) => ({
          meter: `hwmon:${chip}/${name}`,
          device,
          label,
        }));
        printAnswer(terminal, 'meter list', { serial_ports: ports, sensors: named, others, rapl, network: found });
        return;
      }
      const here = [...portLines(ports), '', ...sensorLines(sensors), ...otherLines(others), '', ...raplLines(rapl)];
      stdout.write(atSpaces(stdout, `${[...here, '', ...networkLines(found), '', ...ALWAYS].join('\n')}\n`));
    });
}

/** Time limit of the search, ms: plugs on slow Wi-Fi take a second. */
const NETWORK_MS = 3000;

const UNASKED = [
  'In the network, where joulediff looks only when you name them',
  '  Shelly, Tasmota, Kasa and Tapo plugs, servers, instruments, and whatever reports',
  '  watts as JSON.',
  '  --meter shelly:HOST, tasmota:HOST, kasa:HOST, tapo:HOST, redfish:HOST,',
  '  scpi:HOST or http-json:URL',
  '  joulediff meter list --network asks for Shelly and Tasmota plugs.',
];

/** Lines for devices on the network, with the names that they report. */
function networkLines(found: readonly FoundDevice[] | null): string[] {
  if (found === null) return UNASKED;
  const lines = found.map(({ name, meter }) => `  --meter ${visible(meter)} (${visible(name)})`);
  const none = '  No Shelly and no Tasmota plug answered; many Tasmota plugs have mDNS off.';
  return ['In the network, as answered by mDNS', ...(lines.length === 0 ? [none] : lines)];
}

const ALWAYS = [
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

/** Lines for sensors; if two chips have the same name, with their devices. */
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

/** Lines for meters found by their types (batteries, GPUs, …), each followed by its description. */
const otherLines = (others: readonly string[]): string[] =>
  others.flatMap((name) => {
    const type = meterTypes.find((one) => one.type === name.split(':')[0]);
    return [`  --meter ${visible(name)}`, ...(type === undefined ? [] : [`    ${type.sheet.product}`])];
  });

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
