import type { Environment } from '../../support/processes/postern-command.ts'
import { Toxiproxy } from './toxiproxy.ts'

export type Engine = 'broker' | 'database' | 'carrier'

/** Connections that can be cut: from each gateway process to the broker, the database and the carrier. */
export class Network {
  readonly #toxiproxy: Toxiproxy
  readonly #connections = new Map<string, string[]>()
  readonly #cut = new Set<string>()

  private constructor(toxiproxy: Toxiproxy) {
    this.#toxiproxy = toxiproxy
  }

  static async open(directory: string): Promise<Network> {
    return new Network(await Toxiproxy.start(directory))
  }

  /** Returns the environment of a process with a separate proxy for each connection. */
  async connect(process: string, urls: { database: string; brokers: string }): Promise<Environment> {
    const brokers = await Promise.all(
      urls.brokers.split(',').map((url, index) => this.#openProxy(process, 'broker', url, `-${index + 1}`)),
    )
    return {
      POSTERN_BROKER_URLS: brokers.join(','),
      POSTERN_DATABASE_URL: await this.#openProxy(process, 'database', urls.database),
    }
  }

  /** Returns the proxy port of the carrier. Processes share it, because only one is bound at a time. */
  async connectCarrier(port: number): Promise<number> {
    const url = await this.#openProxy('owner', 'carrier', `tcp://127.0.0.1:${port}`)
    return Number(new URL(url).port)
  }

  async cut(process: string, engine: Engine): Promise<void> {
    const connection = `${process}.${engine}`
    this.#cut.add(connection)
    for (const name of this.#connections.get(connection) ?? []) await this.#toxiproxy.silence(name)
  }

  async restoreAll(): Promise<void> {
    const names = [...this.#cut].flatMap((connection) => this.#connections.get(connection) ?? [])
    this.#cut.clear()
    await Promise.all(names.map((name) => this.#toxiproxy.restore(name)))
  }

  close(): Promise<void> {
    return this.#toxiproxy.stop()
  }

  async #openProxy(process: string, engine: Engine, to: string, suffix = ''): Promise<string> {
    const url = new URL(to)
    const name = `${process}.${engine}${suffix}`
    url.port = String(await this.#toxiproxy.open(name, `${url.hostname}:${url.port}`))
    const connection = `${process}.${engine}`
    this.#connections.set(connection, [...(this.#connections.get(connection) ?? []), name])
    return url.href
  }
}
