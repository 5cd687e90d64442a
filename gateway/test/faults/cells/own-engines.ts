import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  ensureServices,
  toEnvironment,
  killService,
  startService,
  wipeServices,
} from '../../../../tools/engines/index.ts'
import { onInterrupt } from '../../support/processes/process-cleanup.ts'

const names = ['postgres', 'rabbitmq', 'redis'] as const

/**
 * Separate PostgreSQL, RabbitMQ and Redis of one cell, so that a run can kill the whole cell without effect
 * on others. Their directory is deleted at the end of the run.
 */
export class OwnEngines {
  readonly #directory: string
  /** URLs by setting name. */
  readonly environment: Readonly<Record<string, string>>
  readonly #forget: () => void

  private constructor(directory: string, environment: Readonly<Record<string, string>>) {
    this.#directory = directory
    this.environment = environment
    this.#forget = onInterrupt(() => this.wipe())
  }

  static async start(): Promise<OwnEngines> {
    const directory = mkdtempSync(join(tmpdir(), 'postern-cell-'))
    chmodSync(directory, 0o755) // PostgreSQL runs as another user
    return new OwnEngines(directory, toEnvironment(await within(directory, () => ensureServices({}))))
  }

  /** Kills all engines with SIGKILL. */
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

  /** Calls `open` with the engine URLs in `process.env`. `open` must read them before its first await. */
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

/**
 * Runs `call` on the service set in `directory`. Calls must not overlap, because the set is selected in the
 * environment.
 */
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
