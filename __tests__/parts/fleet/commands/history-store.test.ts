// Class: unit.
import { describe, expect, it } from '@jest/globals';
import { webAddress } from '../../../../src/parts/fleet/commands/history-store.ts';

describe('the web address of a remote', () => {
  it.each([
    ['https://github.com/octo/demo.git', 'https://github.com/octo/demo'],
    ['https://mona:secret@github.com/octo/demo/', 'https://github.com/octo/demo'],
    ['http://gitea.test:3000/octo/demo', 'http://gitea.test:3000/octo/demo'],
    ['git@github.com:octo/demo.git', 'https://github.com/octo/demo'],
    ['ssh://git@gitea.test:2222/octo/demo.git', 'https://gitea.test/octo/demo'],
    ['/srv/git/demo.git', null],
    ['../demo', null],
    ['file:///srv/git/demo.git', null],
    ['ext::sh -c touch% /tmp/x', null],
    ['', null],
  ])('of %j is %j', (remote, address) => {
    expect(webAddress(remote)).toBe(address);
  });
});
