import { stringify } from 'yaml';
import { visible } from '../../../text/plain.ts';
import { REPOSITORY } from '../../../version.ts';
import type { FolderFacts } from './folder.ts';

/** Command used if no benchmark was found. */
const PLACEHOLDER = './bench.sh';
/** Where the image gets this folder if it holds nothing of it. */
const MOUNT = '/src';

const scalar = (text: string): string => stringify(text, { lineWidth: 0 }).trim();

/** The experiment file, commented. */
export function experimentText(found: FolderFacts): string {
  const { command, meter, suite } = found;
  const run = scalar(command?.run ?? PLACEHOLDER);
  const target = suite?.target == null ? '' : `, target: ${scalar(suite.target)}`;
  const what =
    suite === null
      ? `workload:
  # ${command === null ? 'No benchmark was found: put the command here whose energy you want to know.' : `Found in ${command.where}.`}
  run: ${run}
  # prepare: make build            # before every run, not measured
batch: auto                        # as many executions in a window as the meter needs`
      : `suite: { harness: ${suite.harness}${target} } # found in ${visible(suite.where)}; include: "parse*" chooses some of them`;
  return `# What joulediff measures: joulediff plan shows it, joulediff run does it. All keys: docs/reference/joulediff-yml.md of joulediff.
${what}
${variantsText(found)}
repetitions: 30                    # runs of each variant, in randomized blocks; auto: as many as settle it
# margin: 1%                       # differences up to this don't matter
# ${meter.measured ? 'The meter that answered here.' : 'No meter answered here: auto takes what is there when it runs.'}
meter: ${scalar(meter.measured ? meter.name : 'auto')}
`;
}

function variantsText(found: FolderFacts): string {
  const { compose } = found;
  if (compose === null) return placesText(found);
  const stack = `{ compose: { file: ${scalar(compose)}, service: NAME } }`;
  return `${placesText(found)}\n  # Or in Compose, in a container of the service NAME: stack: ${stack}`;
}

/** Whether the command or the suite is in files of this folder that the image doesn't hold. */
const needsMount = ({ command, suite, dockerfile, copied }: FolderFacts): boolean =>
  (command ?? suite) !== null && dockerfile !== null && !copied;

function placesText(found: FolderFacts): string {
  const { dockerfile, branch, states } = found;
  if (dockerfile !== null) {
    const mount = needsMount(found)
      ? `
    volumes: [".:${MOUNT}"]             # the Dockerfile copies no file of this folder into the image
    workdir: ${MOUNT}`
      : '';
    return `variants:
  native: {}                       # on this machine itself
  container:
    build: { context: ., dockerfile: ${scalar(dockerfile)} }${mount}
  # Or two commits: base: { revision: ${branch ?? 'main'}...HEAD, build: {} }, head: { revision: HEAD, build: {} }`;
  }
  if (states !== null) {
    const { base, worktree } = states;
    const onBranch = base.endsWith('...HEAD');
    const later = onBranch ? '' : `\n  # On a branch: base: { revision: ${branch}...HEAD }, head: { revision: HEAD }`;
    return `variants:
  base: { revision: ${scalar(base)} }${onBranch ? '   # where this branch began' : ''}
  head: ${worktree ? '{}                         # the working tree, with changes that are not committed' : '{ revision: HEAD }'}${later}
  # Or a container: container: { image: debian:12 }`;
  }
  return `variants:                          # two ways of doing the same: change one of them
  before: {}
  after: { env: { VARIANT: after } }
  # Or a container: container: { image: debian:12 }`;
}

/** Workflow file: compares a pull request with its merge base; if there is a Dockerfile, in the image that each builds. */
export function workflowText(found: FolderFacts): string {
  const { command, suite, dockerfile, meter, workflows } = found;
  const mounts = needsMount(found);
  const settings = [
    ...(suite === null ? ['batch=auto'] : []),
    ...(mounts ? ['base', 'head'].map((name) => `variants.${name}.workdir=${MOUNT}`) : []),
  ];
  const inputs = [
    suite === null
      ? `run: ${scalar(command?.run ?? PLACEHOLDER)}${dockerfile === null ? '' : ' # in the image'}`
      : `suite: ${scalar([suite.harness, ...(suite.target === null ? [] : [suite.target])].join(':'))}`,
    ...(dockerfile === null ? [] : [`dockerfile: ${scalar(dockerfile)}`]),
    ...(mounts ? [`volumes: .:${MOUNT}`] : []),
    ...(settings.length === 0 ? [] : ['set: |', ...settings.map((setting) => `  ${setting}`)]),
    'repetitions: auto # as many as settle it, 10 to 60',
    'base: true # to measure what joulediff.yml says, replace the inputs down to this line by config: joulediff.yml',
    `meter: ${scalar(meter.measured ? meter.name : 'auto')}`,
    '# fail-on: 5% # a change that fails the job',
  ];
  const what = dockerfile === null ? 'the commit' : 'the image';
  return `# Does a pull request use more energy than before? Measures ${what} of the pull request against ${what} of its merge base,
# on a self-hosted runner with a power meter, and comments with the difference.
# A self-hosted runner runs the code of the pull request: only for repositories whose contributors you trust.
name: Energy
on: pull_request
permissions:
  contents: read
  pull-requests: write
concurrency: # a new push ends the measurement of the old one
  group: energy-\${{ github.ref }}
  cancel-in-progress: true
jobs:
  energy:
    runs-on: [self-hosted, joulediff]
    timeout-minutes: 240
    steps:
      - uses: actions/checkout@3d3c42e5aac5ba805825da76410c181273ba90b1 # v7.0.1
        with:
          fetch-depth: 0 # the merge base is in the history
          persist-credentials: false # the measured code needs no token
      - uses: ${workflows.startsWith('.forgejo') ? 'https://github.com/' : ''}${REPOSITORY}@v1
        with:
${inputs.map((line) => `          ${line}`).join('\n')}
`;
}
