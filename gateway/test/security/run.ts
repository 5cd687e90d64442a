/**
 * `npm run security [-- name …] [-- --short]`: attacks against real processes, one file each. Every attack prints its figures;
 * the command exits with 0 when the gateway held against all of them. `--short` leaves out those that flood for a while or
 * start engines of their own.
 */
import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'

const helpers = ['attack.ts', 'login-client.ts', 'outcome.ts', 'receiver.ts', 'run.ts', 'search-stores.ts']
const long = ['canaries', 'credential-stuffing', 'login-flood', 'redis-filling', 'rotation', 'wrong-tls']
const folder = import.meta.dirname
const attacks = readdirSync(folder)
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && !helpers.includes(file))
  .map((file) => file.slice(0, -3))

const given = process.argv.slice(2)
const short = attacks.filter((name) => !long.includes(name))
const wanted = given.includes('--short') ? short : given
const unknown = wanted.filter((name) => !attacks.includes(name))
if (unknown.length > 0)
  throw new Error(`there is no attack ${unknown.join(', ')}; there are ${attacks.join(', ')}`)

for (const attack of wanted.length > 0 ? wanted : attacks) {
  process.stdout.write(`${attack}\n`)
  const began = performance.now()
  const { status } = spawnSync(process.execPath, [join(folder, `${attack}.ts`)], { stdio: 'inherit' })
  process.stdout.write(
    `${attack}: ${status === 0 ? 'held' : 'BROKEN'} after ${Math.round((performance.now() - began) / 1000)} s\n`,
  )
  if (status !== 0) process.exitCode = 1
}
