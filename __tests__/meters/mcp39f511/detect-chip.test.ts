// Class: system.
import { describe, expect, it } from '@jest/globals';
import { type Chip, ONE_CHANNEL_CHIP, otherChip, TWO_CHANNEL_CHIP } from '../../../src/meters/mcp39f511/chips.ts';
import { detectChip, type Verdict } from '../../../src/meters/mcp39f511/detect-chip.ts';
import { McpEmulator, type McpOptions } from '../../../src/meters/mcp39f511/emulator.ts';
import { Block } from '../../../src/meters/mcp39f511/outputs.ts';
import { frameOf, READS, type ReadName } from '../../../src/meters/mcp39f511/reply.ts';

/** What is thought of an emulated chip when it is named as one of the two; `change` may alter what is read. */
function judge(
  chip: Chip,
  named: Chip,
  powerW: number,
  more: Partial<McpOptions> = {},
  change: (name: ReadName, data: Uint8Array) => void = () => {},
  refusesOther = false,
): Verdict {
  const meter = new McpEmulator({
    chip: chip.type,
    energyJ: (from, to) => (Number(to - from) / 1e9) * powerW,
    originNs: 0n,
    seed: 1,
    latencyNs: 0n,
    ...more,
  });
  const read = (name: ReadName) => {
    const data = meter.receive(frameOf(name), 5_000_000_000n).slice(2, -1);
    change(name, data);
    return new Block(READS[name].address, data);
  };
  const evidence = { named: read(named.settings), other: read(otherChip(named).settings), powers: read('powers') };
  return detectChip(named, refusesOther ? { ...evidence, other: null } : evidence);
}

/** Puts settings of the other chip where a chip has something else, as chance may. */
const twins = (name: ReadName, data: Uint8Array) => {
  if (name === 'settingsOfTwoChannels') data.set([4, 0], 0);
  if (name === 'settingsOfTwoChannels') data.set([18, 12, 19], 6);
  if (name === 'settingsOfOneChannel') data.set([18, 12, 19], 0);
  if (name === 'settingsOfOneChannel') data.set([4, 0], 0x9e - 0x82);
};

describe.each([
  ['MCP39F511N', TWO_CHANNEL_CHIP, ONE_CHANNEL_CHIP],
  ['MCP39F511', ONE_CHANNEL_CHIP, TWO_CHANNEL_CHIP],
])('an %s', (_, chip, other) => {
  it.each([
    0, 0.5, 42.5, 3000, -40,
  ])('is known at %d W when it is named so, and refused when it is named as the other', (powerW) => {
    expect(judge(chip, chip, powerW)).toBe('named');
    expect(judge(chip, other, powerW)).toBe('other');
  });

  it('is known at a range that other software changed', () => {
    const state = { powerRange: 6 };
    expect(judge(chip, chip, 42.5, { state })).toBe('named');
    expect(judge(chip, other, 42.5, { state })).toBe('other');
  });

  it('is told by its powers where chance has put the settings of both', () => {
    const secondJ = (from: bigint, to: bigint) => Number(to - from) / 5e7;
    expect(judge(chip, chip, 42.5, { secondJ }, twins)).toBe('named');
    expect(judge(chip, other, 42.5, { secondJ }, twins)).toBe('other');
  });

  it('can not be told without load then, which is said and not guessed', () => {
    expect(judge(chip, chip, 0, {}, twins)).toBe('either');
    expect(judge(chip, other, 0, {}, twins)).toBe('either');
  });

  it("is doubtful when its powers contradict each other and are not the other chip's either", () => {
    const broken = (name: ReadName, data: Uint8Array) => {
      if (name === 'powers') data.fill(0x77);
    };
    expect(judge(chip, chip, 42.5, {}, broken)).toBe('doubtful');
  });

  it('is known without what it has no registers for', () => {
    expect(judge(chip, chip, 0, {}, undefined, true)).toBe('named');
    expect(judge(chip, other, 0, {}, undefined, true)).toBe('neither');
  });

  it('is neither with ranges of zero, as a chip that has lost its settings', () => {
    const state = { voltageRange: 0, currentRange: 0, powerRange: 0 };
    expect(judge(chip, chip, 42.5, { state })).toBe('neither');
    expect(judge(chip, chip, 42.5, { state: { powerRange: 255 } })).toBe('neither');
    expect(judge(chip, chip, 42.5, { state: { accumulation: 9 } })).toBe('neither');
  });
});
