/**
 * Builds programs that are published as Go modules, once. Needs Go 1.21 or later, which fetches the compiler
 * version of a module.
 */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { print, formatElapsed } from './print.ts'

export const toolsFolder = '/var/tmp/postern-tools/bin'

/**
 * Returns the path of a program on PATH, or of one built from `source`, such as
 * `example.org/tool/cmd/tool@v1.2.3`.
 */
export function goTool(name: string, source: string): string {
  const folders = [...(process.env.PATH ?? '').split(':'), toolsFolder]
  const found = folders.map((folder) => join(folder, name)).find((path) => existsSync(path))
  if (found !== undefined) return found
  const from = performance.now()
  print(`building ${name} (some minutes, once)`)
  const built = spawnSync('go', ['install', source], {
    env: { ...process.env, GOBIN: toolsFolder },
    stdio: ['ignore', 'ignore', 'pipe'],
    encoding: 'utf8',
  })
  if (built.status !== 0)
    throw new Error(
      `${name} could not be built; install it, or Go 1.21 or later, and run the command again\n${built.stderr}`,
    )
  print(`${name} built (${formatElapsed(from)})`)
  return join(toolsFolder, name)
}
