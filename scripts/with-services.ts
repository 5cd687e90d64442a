// `node scripts/with-services.ts [--engines today|next] [--cluster 3] [--standby] [--fast] <command…>`: runs a command with the URLs of real services
// in its environment: those that the caller gives, or those of the project's own services, which it starts. Exits with
// the exit code of the command. Stops the services it started, unless POSTERN_KEEP_SERVICES=1 or another command still
// uses them. With --fast PostgreSQL does not flush to the disk: for suites that are not about durability.

import { spawn } from 'node:child_process'
import { constants, tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { runningNames } from './services/engines.ts'
import type { EngineName } from './services/engine.ts'
import { chooseServices } from './services/choose-services.ts'
import { locked } from './services/lock.ts'
import { projectRoot } from './services/paths.ts'
import { takeRelease } from './services/releases.ts'
import { print } from './services/print.ts'
import { environmentOf, readSet, urlsOf } from './services/service-set.ts'
import { bringDown, bringUp } from './services/up.ts'
import type { Size } from './services/up.ts'
import { enlist, leave } from './services/users.ts'

type Variables = Record<string, string>

// Compiled code is kept between processes, in a folder of the checkout, which no other user can write: a test file that imports the
// server needs 1.2 s of CPU instead of 2.1 s to start, and `npm test` starts 280 files.
const compileCache = { NODE_COMPILE_CACHE: join(projectRoot, 'node_modules/.cache/compiled') }

// Simulated carriers listen on loopback, and tests write the secrets of their routes to temporary files.
const routeSettings = { POSTERN_ROUTE_NETWORKS: '127.0.0.0/8,::1/128', POSTERN_ROUTE_FILES: tmpdir() }

const { size, words } = readSize(process.argv.slice(2))
const [command, ...args] = words

/** Options before the command are ours; all that follows belongs to the command. */
function readSize(given: readonly string[]): { size: Size; words: readonly string[] } {
  const [first, second, ...rest] = given
  if (first === '--standby') {
    const after = readSize(given.slice(1))
    return { ...after, size: { ...after.size, standby: true } }
  }
  if (first === '--fast') {
    const after = readSize(given.slice(1))
    return { ...after, size: { ...after.size, fast: true } }
  }
  if (first === '--engines') {
    takeRelease([first, second ?? ''])
    return readSize(rest)
  }
  if (first !== '--cluster') return { size: {}, words: given }
  const after = readSize(rest)
  return { ...after, size: { ...after.size, cluster: Number(second) } }
}

/** Resolves with the exit code of the command; a signal becomes 128 + its number, as in a shell. */
function run(variables: Variables): Promise<number> {
  if (command === undefined) throw new Error('Usage: node scripts/with-services.ts <command…>')
  const path = [join(projectRoot, 'node_modules/.bin'), process.env.PATH].join(delimiter)
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      stdio: 'inherit',
      env: { ...compileCache, ...routeSettings, ...process.env, ...variables, PATH: path },
    })
    const pass = (signal: NodeJS.Signals) => {
      // A terminal sends Ctrl-C to the command as well; forwarding it would deliver it twice.
      if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal)
    }
    const signals: NodeJS.Signals[] = ['SIGINT', 'SIGTERM', 'SIGHUP']
    // Kept after the command has ended: a second signal must not interrupt the stopping of services.
    for (const signal of signals) process.on(signal, pass)
    child.once('error', reject)
    child.once('exit', (code, signal) => resolve(code ?? 128 + constants.signals[signal!]))
  })
}

async function runWithOwnServices(): Promise<number> {
  const { set, before } = await locked(async () => {
    const earlier = readSet()
    const runningBefore: EngineName[] = earlier ? runningNames(earlier) : []
    const brought = await bringUp(size)
    enlist(brought)
    return { set: brought, before: runningBefore }
  })
  try {
    return await run(environmentOf(urlsOf(set)))
  } finally {
    await locked(async () => {
      const others = leave(set)
      // Read again: the command itself may have added broker nodes.
      const now = readSet()
      const started = now ? runningNames(now).filter((name) => !before.includes(name)) : []
      if (!now || started.length === 0 || process.env.POSTERN_KEEP_SERVICES === '1') return
      if (others > 0) print(`services are left running: ${others} other command(s) use them`)
      else await bringDown(now, started)
    })
  }
}

const own = readSet()
const { given, warning } = chooseServices(process.env, own && environmentOf(urlsOf(own)))
if (warning !== undefined) print(warning)

try {
  process.exitCode = given ? await run({}) : await runWithOwnServices()
} catch (error) {
  print(error instanceof Error ? error.message : String(error))
  process.exitCode = 1
}
