// `node tools/engines/with-services.ts [--engines today|next] [--cluster 3] [--standby] [--fast] <command…>`:
// runs a command with the URLs of real services in its environment: those of the caller, or those of the
// project's own services, which it starts. Exits with the exit code of the command. Stops the services it
// started, unless POSTERN_KEEP_SERVICES=1 or another command still uses them. With --fast PostgreSQL does not
// flush to the disk, for suites that are not about durability.

import { spawn } from 'node:child_process'
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { constants, tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { runningNames } from './engines.ts'
import type { EngineName } from './engine.ts'
import { chooseServices } from './choose-services.ts'
import { locked } from './lock.ts'
import { projectRoot } from './paths.ts'
import { identify, runningFrom } from './process.ts'
import { extractRelease } from './releases.ts'
import { print } from './print.ts'
import { toEnvironment, readSet, createUrls } from './service-set.ts'
import { bringDown, bringUp } from './up.ts'
import type { ServiceSet } from './service-set.ts'
import type { ServiceSetOptions } from './up.ts'

type Variables = Record<string, string>

// Compiled code is shared between processes in a folder of the checkout that no other user can write; it
// nearly halves the start of a test file that imports the server.
const compileCache = { NODE_COMPILE_CACHE: join(projectRoot, 'node_modules/.cache/compiled') }

// Simulated carriers listen on loopback, and tests write the secrets of their routes to temporary files.
const routeSettings = { POSTERN_ROUTE_NETWORKS: '127.0.0.0/8,::1/128', POSTERN_ROUTE_FILES: tmpdir() }

const { options, words } = readOptions(process.argv.slice(2))
const [command, ...args] = words

/** Options before the command belong to this program; the rest belongs to the command. */
function readOptions(words: readonly string[]): { options: ServiceSetOptions; words: readonly string[] } {
  const [first, second, ...rest] = words
  if (first === '--standby') {
    const after = readOptions(words.slice(1))
    return { ...after, options: { ...after.options, standby: true } }
  }
  if (first === '--fast') {
    const after = readOptions(words.slice(1))
    return { ...after, options: { ...after.options, fast: true } }
  }
  if (first === '--engines') {
    extractRelease([first, second ?? ''])
    return readOptions(rest)
  }
  if (first !== '--cluster') return { options: {}, words }
  const after = readOptions(rest)
  return { ...after, options: { ...after.options, cluster: Number(second) } }
}

/** Resolves with the exit code of the command; a signal becomes 128 + its number, as in a shell. */
function run(variables: Variables): Promise<number> {
  if (command === undefined) throw new Error('Usage: node tools/engines/with-services.ts <command…>')
  const path = [join(projectRoot, 'node_modules/.bin'), process.env.PATH].join(delimiter)
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      stdio: 'inherit',
      env: { ...compileCache, ...routeSettings, ...process.env, ...variables, PATH: path },
    })
    const pass = (signal: NodeJS.Signals) => {
      // A terminal sends Ctrl-C to the command as well; forwarding it would send it twice.
      if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal)
    }
    const signals: NodeJS.Signals[] = ['SIGINT', 'SIGTERM', 'SIGHUP']
    // Handlers stay after the command has ended: a second signal must not interrupt the stopping of services.
    for (const signal of signals) process.on(signal, pass)
    child.once('error', reject)
    child.once('exit', (code, signal) => resolve(code ?? 128 + constants.signals[signal!]))
  })
}

async function runWithOwnServices(): Promise<number> {
  const { set, before } = await locked(async () => {
    const earlier = readSet()
    const runningBefore: EngineName[] = earlier ? runningNames(earlier) : []
    const brought = await bringUp(options)
    registerUser(brought)
    return { set: brought, before: runningBefore }
  })
  try {
    return await run(toEnvironment(createUrls(set)))
  } finally {
    await locked(async () => {
      const others = unregisterUser(set)
      // Read the set again: the command may have added broker nodes.
      const now = readSet()
      const started = now ? runningNames(now).filter((name) => !before.includes(name)) : []
      if (!now || started.length === 0 || process.env.POSTERN_KEEP_SERVICES === '1') return
      if (others > 0) print(`services are left running: ${others} other command(s) use them`)
      else await bringDown(now, started)
    })
  }
}

/** Commands that use a set are files: the command that started it must not stop it while others use it. */
const userFile = ({ paths }: ServiceSet): string => join(paths.users, String(process.pid))

/** Call with the lock held. */
function registerUser(set: ServiceSet): void {
  mkdirSync(set.paths.users, { recursive: true })
  writeFileSync(userFile(set), JSON.stringify(identify(process.pid)))
}

/**
 * Unregisters this command and returns the number of other users of the set, without killed processes. Call
 * with the lock held.
 */
function unregisterUser(set: ServiceSet): number {
  rmSync(userFile(set), { force: true })
  const files = readdirSync(set.paths.users).map((name) => join(set.paths.users, name))
  const others = files.filter((file) => runningFrom(file))
  for (const file of files) if (!others.includes(file)) rmSync(file, { force: true })
  return others.length
}

const ownSet = readSet()
const { external, warning } = chooseServices(process.env, ownSet && toEnvironment(createUrls(ownSet)))
if (warning !== undefined) print(warning)

try {
  process.exitCode = external ? await run({}) : await runWithOwnServices()
} catch (error) {
  print(error instanceof Error ? error.message : String(error))
  process.exitCode = 1
}
