import type { Part } from '../part.ts';

/** Works with many results: over time, from several jobs and machines, for other tools, and from other programs. */
export const fleet: Part = {
  name: 'fleet',
  terminal: async () => (await import('./terminal.ts')).terminal,
  action: {
    modes: {
      publish: async (get, token, env) => {
        const { readGatherInputs } = await import('./action/gather-inputs.ts');
        await (await import('./action/publish.ts')).publishRun({ ...readGatherInputs(get, 'publish'), token }, env);
      },
      gather: async (get, token, env) => {
        const { readGatherInputs } = await import('./action/gather-inputs.ts');
        await (await import('./action/gather.ts')).gather({ ...readGatherInputs(get, 'gather'), token }, env);
      },
      request: async (get, token, env) => {
        const { readGatherInputs } = await import('./action/gather-inputs.ts');
        await (await import('./request/request.ts')).readRequest({ ...readGatherInputs(get, 'request'), token }, env);
      },
    },
    check: async (about, env) => (await import('./checks/tell-check.ts')).checkOfJob(about, env),
    keep: async (request, env) => (await import('./action/keep-history.ts')).keepHistory(request, env),
  },
};
