// esbuild only strips the types; the type checker is run on its own.
import { transformSync } from 'esbuild';

export default {
  process(code, filename) {
    const out = transformSync(code, {
      loader: 'ts',
      format: 'esm',
      target: 'node24',
      sourcefile: filename,
      sourcemap: 'inline',
    });
    return { code: out.code };
  },
};
