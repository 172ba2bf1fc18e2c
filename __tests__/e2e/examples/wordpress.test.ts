// Class: world, compose, long.
import { describe, expect, it } from '@jest/globals';
import { useCompose, withCompose } from '../../executors/compose/plugin.ts';
import { describeExample } from './example.ts';

describe('with Compose', () => {
  if (withCompose === describe.skip) {
    it.skip('examples/wordpress: Docker Compose is not there', () => undefined);
    return;
  }
  useCompose();
  const servers = { 'joulediff.yml': ['nginx'], 'paper.yml': ['apache2', '/usr/lib/apache2/modules/libphp*.so'] };
  for (const [file, programs] of Object.entries(servers)) {
    describeExample(
      'wordpress',
      {
        file,
        programs: [
          ...['/usr/sbin/php-fpm?*', 'mariadbd', 'nginx', 'hey', 'busybox', ...programs],
          '/usr/share/wordpress/wp-content/themes/twentytwentythree',
        ],
        ports: [15307, 18082, 19000],
        small: ['workload.env.REQUESTS=8', 'workload.env.USERS=4', 'workload.env.RATE=2'],
        environment: () => ({ DOCKER_CONFIG: process.env.DOCKER_CONFIG }),
      },
      (runs) => {
        expect(runs.map(({ variant, metric_done }) => [variant, metric_done]).sort()).toEqual([
          ['compose', '8'],
          ['native', '8'],
        ]);
        for (const { metric_latency } of runs) expect(Number(metric_latency)).toBeGreaterThan(0);
      },
    );
  }
});
