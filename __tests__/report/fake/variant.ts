export interface FakeVariant {
  readonly name: string;
  readonly meanJ?: number;
  readonly sdJ?: number;
  readonly durationS?: number;
  /** Energies as they are, instead of drawn ones. */
  readonly energiesJ?: readonly number[];
}
