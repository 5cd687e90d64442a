/** Runs nfpm, which writes .deb and .rpm from one description. */
import { execFileSync } from 'node:child_process'
import { goTool } from '../../engines/go-tool.ts'
import { projectRoot } from '../../engines/paths.ts'

/** The last version that builds from public modules only. */
const source = 'github.com/goreleaser/nfpm/v2/cmd/nfpm@v2.45.0'

export function nfpm(args: readonly string[], settings: NodeJS.ProcessEnv): void {
  execFileSync(goTool('nfpm', source), args, {
    cwd: projectRoot,
    env: { ...process.env, ...settings },
    // Redirects all output to standard error: standard output is for the paths of the packages.
    stdio: ['ignore', 2, 'inherit'],
  })
}
