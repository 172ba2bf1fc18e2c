import { makeContainerExecutor } from './container/executor.ts';
import type { MakeExecutor } from './executor.ts';
import { makeNativeExecutor } from './native/executor.ts';

/** The executor of a variant: a new kind of place is one line here. */
export const makeExecutor: MakeExecutor = (variant, environment) => {
  switch (variant.kind) {
    case 'native':
      return makeNativeExecutor(variant, environment);
    case 'container':
      return makeContainerExecutor(variant, environment);
  }
};
