/**
 * PostgreSQL, RabbitMQ and Redis of one cell's own, so that a run can kill the whole cell and the other one must not notice.
 * Kept in a directory of the run and wiped at its end.
 */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  ensureServices,
  environmentOf,
  killService,
  startService,
  wipeServices,
} from '../../../scripts/services/index.ts'
import { onInterrupt } from '../support/processes/process-cleanup.ts'

const names = ['postgres', 'rabbitmq', 'redis'] as const

export class OwnEngines {
  readonly #directory: string
  /** The URLs, by the names of their settings. */
  readonly environment: Readonly<Record<string, string>>
  readonly #forget: () => void

  private constructor(directory: string, environment: Readonly<Record<string, string>>) {
    this.#directory = directory
    this.environment = environment
    this.#forget = onInterrupt(() => this.wipe())
  }

  static async start(): Promise<OwnEngines> {
    const directory = mkdtempSync(join(tmpdir(), 'postern-cell-'))
    chmodSync(directory, 0o755) // PostgreSQL runs under an account of its own
    return new OwnEngines(directory, environmentOf(await within(directory, () => ensureServices({}))))
  }

  /** `kill -9` of all of them. */
  async kill(): Promise<void> {
    for (const name of names) await within(this.#directory, () => killService(name))
  }

  async startAgain(): Promise<void> {
    for (const name of names) await within(this.#directory, () => startService(name))
  }

  async wipe(): Promise<void> {
    this.#forget()
    await within(this.#directory, () => wipeServices())
    rmSync(this.#directory, { recursive: true, force: true })
  }

  /** Calls `open` with the URLs of these engines in the environment, which it must read before it first waits. */
  open<Opened>(open: () => Promise<Opened>): Promise<Opened> {
    const before = { ...process.env }
    Object.assign(process.env, this.environment)
    try {
      return open()
    } finally {
      for (const name of Object.keys(this.environment)) restore(name, before[name])
    }
  }
}

/** The services library works on the set that the environment names. One call at a time. */
async function within<Result>(directory: string, call: () => Promise<Result>): Promise<Result> {
  const before = process.env.POSTERN_SERVICES_DIR
  process.env.POSTERN_SERVICES_DIR = directory
  try {
    return await call()
  } finally {
    restore('POSTERN_SERVICES_DIR', before)
  }
}

function restore(name: string, value: string | undefined): void {
  if (value === undefined) Reflect.deleteProperty(process.env, name)
  else process.env[name] = value
}
