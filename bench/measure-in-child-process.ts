/**
 * Runs one measurement in a child process, so that it does not inherit the heap of another one, and parses
 * the JSON that it prints.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { projectRoot } from './gateway.ts'

export async function measureInChildProcess<Figures>(
  name: string,
  script: string,
  args: readonly string[],
): Promise<Figures> {
  const child = spawn(process.execPath, [script, ...args], {
    cwd: projectRoot,
    env: { ...process.env, POSTERN_ROUTE_NETWORKS: '127.0.0.0/8' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [output, [code]] = await Promise.all([
    text(child.stdout),
    once(child, 'close') as Promise<[number | null]>,
  ])
  if (code !== 0) throw new Error(`measurement of ${name} exited with code ${code}`)
  return JSON.parse(output) as Figures
}
