import type { Findings } from '../../findings/findings.ts';
import { plain } from '../../text/plain.ts';
import { blocksText, meterText, provenance } from '../words.ts';
import type { FrameText } from './frame.ts';

/** Title and provenance of a chart of these findings. */
export function frameText(findings: Findings, what: string, caption: string): FrameText {
  const { tag, short } = provenance(findings);
  const { seed, complete } = findings.experiment;
  return {
    title: `${plain(findings.experiment.name, 200)}: ${what}`,
    warning: tag === null ? null : `${short.charAt(0).toUpperCase()}${short.slice(1)}`,
    subtitle: [
      findings.meter.source === 'measured' ? `Measured by ${meterText(findings)}` : `Meter: ${meterText(findings)}`,
      `${blocksText(findings)}${complete ? '' : ' (partial experiment)'}`,
      ...(seed === null ? [] : [`seed ${seed}`]),
    ].join(' · '),
    caption,
  };
}
