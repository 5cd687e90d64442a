/**
 * The gateway as its packages have it: JavaScript. Sources are stripped of their types by a program in WebAssembly, after which every access
 * to a buffer takes longer for as long as the process lives, which no operator has.
 */
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { stage } from '../scripts/package/stage.ts'
import type { CleanupStack } from './cleanup-stack.ts'
import { projectRoot } from './gateway.ts'

/** Its entry point, in a folder below the repository, whose dependencies it uses; the stack removes it. */
export function stagePacked(stack: CleanupStack): string {
  const folder = join(projectRoot, `.bench-packed-${process.pid}`)
  stack.use({ stop: () => rm(folder, { recursive: true, force: true }) })
  stage('gateway', folder)
  return join(folder, 'dist/main.js')
}
