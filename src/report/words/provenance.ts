import type { Findings } from '../../findings/findings.ts';
import { plain } from '../../text/plain.ts';

/** How the numbers came about, for every place where they are shown. `warning` is null only for an instrument. */
export interface Provenance {
  /** One or two words for a heading: `Estimated`, `Emulated`. */
  readonly tag: string | null;
  /** For a subtitle: `estimated by a model, not measured`. */
  readonly short: string;
  /** A sentence or two that stand before the numbers. */
  readonly warning: string | null;
}

export function provenance(findings: Findings): Provenance {
  const { meter } = findings;
  switch (meter.source) {
    case 'measured':
      return { tag: null, short: 'measured', warning: null };
    case 'modelled':
      return {
        tag: 'Estimated, not measured',
        short: 'estimated by a model, not measured',
        warning: `These numbers are estimated by a model (${plain(meter.type, 40)}), not measured. No power meter was read; do not quote them as energy use.`,
      };
    case 'emulated':
      return {
        tag: 'Emulated meter',
        short: 'emulated meter, not a measurement',
        warning: `These numbers come from an emulated meter (${plain(meter.type, 40)}). They show that joulediff works, and say nothing about energy use.`,
      };
    default:
      return {
        tag: 'Unknown source',
        short: 'source of the numbers unknown',
        warning: 'Where these numbers come from is not known to joulediff: they were read from a file.',
      };
  }
}

const OTHER_SOURCES = {
  measured: 'measured',
  modelled: 'estimated by a model, not measured',
  emulated: 'emulated, not a measurement',
} as const;

/** A channel's name beside its numbers: where these are of another kind than those of the verdict, it says so. Plain text with the name as it is. */
export function channelText({ meter: { channel_sources: sources } }: Findings, channel: string): string {
  const source = sources && Object.hasOwn(sources, channel) ? sources[channel] : undefined;
  return source === undefined ? channel : `${channel} (${OTHER_SOURCES[source]})`;
}

/** The same for all of them, as sentences; empty where all are of one kind. */
export function sourcesText({ meter: { channel_sources: sources = {} } }: Findings): string {
  const sentences = Object.entries(sources).map(
    ([channel, source]) => `${plain(channel, 40)} is ${OTHER_SOURCES[source]}.`,
  );
  return sentences.join(' ');
}
