// Class: unit.
import { expect, it } from '@jest/globals';
import { serve } from './fleet.ts';

it('serves pull requests one after the other', () => {
  const jobs = [0, 5, 6].map((pushed, pullRequest) => ({ pullRequest, pushed }));
  expect(serve(jobs, 10)).toEqual({ waits: [10, 15, 24], overtaken: 0, busy: 30 });
});

it('ends what waits or runs for a pull request that is pushed to again', () => {
  const running = [
    { pullRequest: 1, pushed: 0 },
    { pullRequest: 1, pushed: 4 },
  ];
  expect(serve(running, 10)).toEqual({ waits: [10], overtaken: 1, busy: 14 });
  const waiting = [
    { pullRequest: 1, pushed: 0 },
    { pullRequest: 2, pushed: 1 },
    { pullRequest: 2, pushed: 3 },
  ];
  expect(serve(waiting, 10)).toEqual({ waits: [10, 17], overtaken: 1, busy: 20 });
});
