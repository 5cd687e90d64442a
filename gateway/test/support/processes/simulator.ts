/** A simulated carrier as a separate process, and a client of its control interface. */
import { readFile } from 'node:fs/promises'
import type { CarrierStats } from '../../../../simulator/src/shared/running-carrier.ts'
import type { Duplicate, RecordedSubmission, SmscStats } from '../../../../simulator/src/smsc.ts'
import { JsonHttp } from './json-http.ts'
import type { Environment } from './postern-command.ts'
import { Program } from './program.ts'
import { waitFor } from '../wait.ts'

/** Meaning of the simulator's `err` codes, as in the `errors` option of a route. */
export const simulatorErrors = { '001': 'no-subscriber', '003': 'phone-off', '006': 'spam' } as const

interface ReadyLine {
  readonly port: number
  readonly controlPort: number
}

export interface SimulatorOptions {
  /** Name of the process and its log. */
  readonly name: string
  readonly args: readonly string[]
  readonly directory: string
  readonly environment?: Environment
}

/** `Stats` and `Recorded` are the responses of its control port. */
export abstract class SimulatedCarrier<Stats, Recorded> extends Program {
  #ready: ReadyLine | undefined
  #control: JsonHttp | undefined

  constructor(carrier: string, { name, args, directory, environment = {} }: SimulatorOptions) {
    super({
      name,
      script: 'simulator/src/main.ts',
      args: [carrier, '--port', '0', '--control-port', '0', ...args],
      environment,
      directory,
    })
  }

  get port(): number {
    if (this.#ready === undefined) throw new Error(`${this.name} is not ready yet`)
    return this.#ready.port
  }

  async untilReady(): Promise<void> {
    const line = await waitFor(
      `${this.name} to be ready (log: ${this.logFile})`,
      async () => (await readFile(this.logFile, 'utf8')).split('\n').find((text) => text.includes('"ready"')),
      { timeoutMs: 60_000 },
    )
    this.#ready = JSON.parse(line) as ReadyLine
    this.#control = new JsonHttp(`http://127.0.0.1:${this.#ready.controlPort}`, { connections: 2 })
  }

  stats(): Promise<Stats> {
    return this.request('GET', '/stats')
  }

  /** Returns all accepted submissions; fails if the simulator has dropped some of them. */
  async submissions(): Promise<readonly Recorded[]> {
    const response = await this.request<{ submissions: Recorded[]; dropped: number }>(
      'GET',
      '/submissions?limit=1000000',
    )
    if (response.dropped > 0)
      throw new Error(
        `${this.name} has dropped ${response.dropped} recorded submissions; raise --record-limit`,
      )
    return response.submissions
  }

  async duplicates(): Promise<readonly Duplicate[]> {
    return (await this.request<{ duplicates: Duplicate[] }>('GET', '/duplicates?ignore=ref')).duplicates
  }

  async disconnect(): Promise<void> {
    await this.request('POST', '/disconnect')
  }

  async pause(): Promise<void> {
    await this.request('POST', '/pause')
  }

  async resume(): Promise<void> {
    await this.request('POST', '/resume')
  }

  closeControl(): void {
    this.#control?.close()
  }

  protected async request<Body>(method: string, path: string): Promise<Body> {
    if (this.#control === undefined) throw new Error(`${this.name} is not ready yet`)
    return (await this.#control.send<Body>(method, path)).body
  }
}

export class Simulator extends SimulatedCarrier<SmscStats, RecordedSubmission> {
  constructor(options: SimulatorOptions) {
    super('smsc', options)
  }

  /** Keeps receipts until `releaseReceipts`. */
  async holdReceipts(): Promise<void> {
    await this.request('POST', '/hold')
  }

  async releaseReceipts(): Promise<void> {
    await this.request('POST', '/release')
  }
}

export type HttpCarrierName = 'mm7' | 'kakao' | 'maap' | 'rbm'

export class HttpSimulator extends SimulatedCarrier<CarrierStats, { readonly to: string }> {
  get url(): string {
    return `http://127.0.0.1:${this.port}`
  }
}
