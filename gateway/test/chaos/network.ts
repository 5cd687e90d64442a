/** The cables of the stage: from every gateway process to the broker and the database, and from all to the carrier. */
import type { Environment } from '../support/processes/postern-command.ts'
import { Toxiproxy } from './toxiproxy.ts'

export type Engine = 'broker' | 'database' | 'carrier'

export class Network {
  readonly #toxiproxy: Toxiproxy
  readonly #cables = new Map<string, string[]>()
  readonly #cut = new Set<string>()

  private constructor(toxiproxy: Toxiproxy) {
    this.#toxiproxy = toxiproxy
  }

  static async open(directory: string): Promise<Network> {
    return new Network(await Toxiproxy.start(directory))
  }

  /** The environment of a process whose connections all lead through proxies of its own. */
  async wire(process: string, urls: { database: string; brokers: string }): Promise<Environment> {
    const brokers = await Promise.all(
      urls.brokers.split(',').map((url, index) => this.#lead(process, 'broker', url, `-${index + 1}`)),
    )
    return {
      POSTERN_BROKER_URLS: brokers.join(','),
      POSTERN_DATABASE_URL: await this.#lead(process, 'database', urls.database),
    }
  }

  /** The port that leads to the carrier; there is one for all, because one process at a time is bound. */
  async wireCarrier(port: number): Promise<number> {
    const url = await this.#lead('owner', 'carrier', `tcp://127.0.0.1:${port}`)
    return Number(new URL(url).port)
  }

  async cut(process: string, engine: Engine): Promise<void> {
    const cable = `${process}.${engine}`
    this.#cut.add(cable)
    for (const name of this.#cables.get(cable) ?? []) await this.#toxiproxy.silence(name)
  }

  async mend(): Promise<void> {
    const names = [...this.#cut].flatMap((cable) => this.#cables.get(cable) ?? [])
    this.#cut.clear()
    await Promise.all(names.map((name) => this.#toxiproxy.restore(name)))
  }

  close(): Promise<void> {
    return this.#toxiproxy.stop()
  }

  async #lead(process: string, engine: Engine, to: string, suffix = ''): Promise<string> {
    const url = new URL(to)
    const name = `${process}.${engine}${suffix}`
    url.port = String(await this.#toxiproxy.open(name, `${url.hostname}:${url.port}`))
    const cable = `${process}.${engine}`
    this.#cables.set(cable, [...(this.#cables.get(cable) ?? []), name])
    return url.href
  }
}
