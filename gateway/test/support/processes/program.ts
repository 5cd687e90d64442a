/**
 * A real process that a test may start, stop, kill and freeze. Its output is appended to one log file. An
 * exit that the test did not request is kept in `unexpectedExits` and is a finding in every test.
 */
import { spawn, type ChildProcess } from 'node:child_process'
import { closeSync, existsSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { forgetExited, killAtExit } from './process-cleanup.ts'

export const projectRoot = join(import.meta.dirname, '../../../..')

// setpriv makes the kernel kill the child when the test itself is killed; without it the child would keep
// running.
const setpriv = '/usr/bin/setpriv'
const prefix = existsSync(setpriv) ? [setpriv, '--pdeathsig', 'KILL', process.execPath] : [process.execPath]

/** Returns the variables that every child gets; the folder of compiled code makes every start faster. */
export function inherited(): NodeJS.ProcessEnv {
  const { PATH, HOME, NODE_COMPILE_CACHE } = process.env
  return { PATH, HOME, ...(NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE }) }
}

export interface ProgramOptions {
  readonly name: string
  /** Path of the script below the root. */
  readonly script: string
  /** The checkout whose script runs; defaults to this one. */
  readonly root?: string
  readonly args: readonly string[]
  readonly environment: Readonly<Record<string, string>>
  /** Folder of its log file. */
  readonly directory: string
}

export class Program {
  readonly name: string
  readonly logFile: string
  /** Exits that the test did not request, as sentences. */
  readonly unexpectedExits: string[] = []
  readonly #options: ProgramOptions
  #root: string
  #child: ChildProcess | undefined
  #ended: Promise<void> = Promise.resolve()
  /** True if the test has requested the exit. */
  #expected = true

  constructor(options: ProgramOptions) {
    this.#options = options
    this.#root = options.root ?? projectRoot
    this.name = options.name
    this.logFile = join(options.directory, `${options.name}.log`)
  }

  get pid(): number | undefined {
    return this.#child?.pid
  }

  get running(): boolean {
    return this.#child !== undefined
  }

  /** Returns true if it exited without a request of the test. */
  get exitedUnexpectedly(): boolean {
    return this.#child === undefined && !this.#expected
  }

  /** Uses the program of another checkout, such as another release, from the next start on. */
  changeRoot(root: string): void {
    this.#root = root
  }

  /** `settings` are additional variables of this start only. */
  start(settings: Readonly<Record<string, string>> = {}): void {
    if (this.#child !== undefined) throw new Error(`${this.name} is already running`)
    const { script, args, environment } = this.#options
    const log = openSync(this.logFile, 'a')
    const [command, ...before] = prefix
    const child = spawn(command!, [...before, join(this.#root, script), ...args], {
      cwd: this.#root,
      env: { ...inherited(), ...environment, ...settings },
      stdio: ['ignore', log, log],
    })
    closeSync(log)
    if (child.pid === undefined) throw new Error(`${this.name} failed to start`)
    const pid = child.pid
    killAtExit(pid)
    this.#child = child
    this.#expected = false
    this.#ended = new Promise((resolve) => {
      child.once('exit', (code, signal) => {
        forgetExited(pid)
        this.#child = undefined
        if (!this.#expected) {
          this.unexpectedExits.push(
            `${this.name} (pid ${pid}) exited unexpectedly: ${signal ?? `exit code ${code}`}`,
          )
        }
        resolve()
      })
    })
  }

  /** Sends SIGKILL; resolves when the process has exited. */
  kill(): Promise<void> {
    return this.#signal('SIGKILL')
  }

  /** Sends SIGTERM; returns false if it had to be killed after the timeout. */
  async stop(timeoutMs = 30_000): Promise<boolean> {
    let late = false
    const timer = setTimeout(() => {
      late = true
      this.#child?.kill('SIGKILL')
    }, timeoutMs)
    await this.#signal('SIGTERM')
    clearTimeout(timer)
    return !late
  }

  /** Sends SIGSTOP: connections stay open, and the process does not respond. */
  freeze(): void {
    this.#child?.kill('SIGSTOP')
  }

  thaw(): void {
    this.#child?.kill('SIGCONT')
  }

  async #signal(signal: NodeJS.Signals): Promise<void> {
    this.#expected = true
    this.#child?.kill(signal)
    await this.#ended
  }
}
