import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { defineConfig } from 'vite'

// Generates src/generated, the typed operations of the admin API, which git ignores.
execFileSync(process.execPath, [join(import.meta.dirname, '../gateway/tools/console-types.ts')], {
  stdio: 'inherit',
})

/** The gateway serves the build at `/`; `vite dev` proxies API requests to a running gateway. */
export default defineConfig({
  root: import.meta.dirname,
  build: {
    target: 'es2022',
    outDir: 'dist',
    emptyOutDir: true,
    // Inlined images and fonts would require a weaker content security policy.
    assetsInlineLimit: 0,
    // Ignores "use client" directives, which packages contain for server-side rendering.
    rolldownOptions: {
      onLog: (level, log, otherwise) => {
        if (log.code !== 'MODULE_LEVEL_DIRECTIVE') otherwise(level, log)
      },
    },
    modulePreload: { polyfill: false },
  },
  server: { proxy: { '/admin': 'http://127.0.0.1:8090' } },
})
