import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { defineConfig } from 'vite'

// The operations of the admin API with their types: src/generated, which is not in git.
execFileSync(process.execPath, [join(import.meta.dirname, '../gateway/tools/console-types.ts')], {
  stdio: 'inherit',
})

/** The gateway serves what this builds at `/`; during `vite dev` the API is that of a running gateway. */
export default defineConfig({
  root: import.meta.dirname,
  build: {
    target: 'es2022',
    outDir: 'dist',
    emptyOutDir: true,
    // Inlined images and fonts would need a weaker policy.
    assetsInlineLimit: 0,
    // Packages mark what runs in a browser for frameworks that also render on a server.
    rolldownOptions: {
      onLog: (level, log, otherwise) => {
        if (log.code !== 'MODULE_LEVEL_DIRECTIVE') otherwise(level, log)
      },
    },
    modulePreload: { polyfill: false },
  },
  server: { proxy: { '/admin': 'http://127.0.0.1:8090' } },
})
