/**
 * `npm run suite -- security [name …] [--short]`: runs attacks against real processes with the settings
 * of compose.yaml, one file each. Every attack prints its figures; the command exits with 0 if the gateway
 * withstood all of them. `--short` shortens the floods and runs three attacks at a time, the longest first,
 * without checking their durations; attacks that depend on time run alone before them.
 */
import { spawn } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'

const helpers = [
  'attack.ts',
  'every-channel.ts',
  'login-client.ts',
  'outcome.ts',
  'receiver.ts',
  'run.ts',
  'running-installation.ts',
  'search-stores.ts',
]
/** Run alone, because beside other attacks customers wait too long for tokens, and images are rejected. */
const alone = ['login-flood', 'file-filling']
/** Run first after those that run alone, because they take longer than the others. */
const long = ['rotation', 'canaries', 'redis-filling', 'wrong-tls', 'listener-tls']
const folder = import.meta.dirname
const attacks = readdirSync(folder)
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && !helpers.includes(file))
  .map((file) => file.slice(0, -3))

const given = process.argv.slice(2)
const isShort = given.includes('--short')
const selected = given.filter((name) => name !== '--short')
const unknown = selected.filter((name) => !attacks.includes(name))
if (unknown.length > 0)
  throw new Error(`unknown attack: ${unknown.join(', ')}; choose from ${attacks.join(', ')}`)

const all = [...new Set([...long, ...attacks])]
const chosen = selected.length > 0 ? selected : all
for (const attack of alone) if (chosen.includes(attack)) await run(attack)
const waiting = chosen.filter((attack) => !alone.includes(attack))
await Promise.all(Array.from({ length: isShort ? 3 : 1 }, runWaiting))

async function runWaiting(): Promise<void> {
  for (let attack = waiting.shift(); attack !== undefined; attack = waiting.shift()) await run(attack)
}

/** Prints the output of the attack when it has ended. */
function run(attack: string): Promise<void> {
  const began = performance.now()
  const child = spawn(process.execPath, [join(folder, `${attack}.ts`)], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...(isShort ? { POSTERN_SHORT_ATTACKS: 'yes' } : {}) },
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
  return new Promise((resolve) => {
    child.on('close', (status) => {
      const seconds = Math.round((performance.now() - began) / 1000)
      process.stdout.write(
        `${attack}\n${output}${attack}: ${status === 0 ? 'held' : 'BROKEN'} after ${seconds} s\n`,
      )
      if (status !== 0) process.exitCode = 1
      resolve()
    })
  })
}
