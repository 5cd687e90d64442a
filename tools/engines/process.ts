// Manages processes that outlive their script, identified by pid and start time: after a reboot a pid may
// belong to another process, which must never be signalled. Linux only: reads /proc.

import { spawn } from 'node:child_process'
import { closeSync, mkdirSync, openSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { toEngineRoot } from './engine-root.ts'
import { waitForCondition } from './wait-for-condition.ts'

export interface Identity {
  readonly pid: number
  /** Start time in clock ticks since boot, as in /proc/<pid>/stat. */
  readonly started: string
}

export interface LaunchOptions {
  readonly command: string
  readonly args: readonly string[]
  readonly env: NodeJS.ProcessEnv
  readonly cwd: string
  readonly log: string
  readonly pidFile: string
  readonly account?: { readonly uid: number; readonly gid: number } | undefined
}

/** Starts the program in a new session; its output is appended to the log file. */
export function launch(options: LaunchOptions): Identity {
  mkdirSync(dirname(options.log), { recursive: true })
  mkdirSync(dirname(options.pidFile), { recursive: true })
  const log = openSync(options.log, 'a')
  try {
    const { command, args, account, env } = toEngineRoot(options)
    const child = spawn(command, args, {
      cwd: options.cwd,
      env,
      detached: true,
      stdio: ['ignore', log, log],
      ...account,
    })
    // The missing pid below reports a failed spawn, which would be an uncaught error without a listener.
    child.once('error', () => undefined)
    child.unref()
    const identity = child.pid === undefined ? undefined : identify(child.pid)
    if (!identity) throw new Error(`${options.command} could not be started; see ${options.log}`)
    writeFileSync(options.pidFile, JSON.stringify(identity))
    return identity
  } finally {
    closeSync(log)
  }
}

/** Returns the process of a pid file if it still runs. */
export function runningFrom(pidFile: string): Identity | undefined {
  try {
    const identity = JSON.parse(readFileSync(pidFile, 'utf8')) as Identity
    return isAlive(identity) ? identity : undefined
  } catch {
    return undefined
  }
}

export function isAlive(identity: Identity): boolean {
  return identify(identity.pid)?.started === identity.started
}

export function identify(pid: number): Identity | undefined {
  const stat = readStat(pid)
  return stat && stat.state !== 'Z' && stat.state !== 'X' ? { pid, started: stat.started } : undefined
}

/** Signals the process if it is still the same one and waits for its exit. Returns false on timeout. */
export async function signalAndWait(
  identity: Identity,
  signal: NodeJS.Signals,
  timeoutMs: number,
): Promise<boolean> {
  if (!isAlive(identity)) return true
  trySignal(identity.pid, signal)
  return waitForCondition(timeoutMs, () => !isAlive(identity))
}

/** Kills the process and all its descendants with SIGKILL, so that none of them can clean up. */
export async function killTree(root: Identity): Promise<void> {
  const below = descendants(root.pid).flatMap((pid) => identify(pid) ?? [])
  const all = [root, ...below]
  for (const identity of all) if (isAlive(identity)) trySignal(identity.pid, 'SIGKILL')
  await waitForCondition(10_000, () => !all.some(isAlive))
}

export function forget(pidFile: string): void {
  rmSync(pidFile, { force: true })
}

/** Returns every process whose command line (arguments separated by NUL) matches. */
export function findByCommandLine(matches: (commandLine: string) => boolean): Identity[] {
  return allPids().flatMap((pid) => {
    try {
      return matches(readFileSync(`/proc/${pid}/cmdline`, 'utf8')) ? (identify(pid) ?? []) : []
    } catch {
      return [] // exited between listing and reading
    }
  })
}

function descendants(root: number): number[] {
  const parents = allPids().map((pid) => ({ pid, parent: readStat(pid)?.parent }))
  const found: number[] = []
  for (let level = [root]; level.length > 0;) {
    level = parents
      .filter(({ parent }) => parent !== undefined && level.includes(parent))
      .map(({ pid }) => pid)
    found.push(...level)
  }
  return found
}

function trySignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

function allPids(): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
}

function readStat(pid: number): { state: string; parent: number; started: string } | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name in parentheses may contain spaces and parentheses.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    return { state: fields[0] ?? 'X', parent: Number(fields[1]), started: fields[19] ?? '' }
  } catch {
    return undefined
  }
}
