/** A gateway process of one role that keeps its ports across restarts. */
import { JsonHttp, type HttpResponse } from './json-http.ts'
import { choosePort } from '../../../../tools/engines/free-ports.ts'
import { Program } from './program.ts'
import { readSeries } from './read-series.ts'
import { waitFor } from '../wait.ts'

export type RoleName = 'api' | 'worker' | 'smpp-server' | 'admin' | 'all'

export class Gateway extends Program {
  /** Base URL of the API, if the role has one. */
  readonly url: string
  readonly port: number
  readonly opsPort: number
  readonly #ops: string

  private constructor(options: ConstructorParameters<typeof Program>[0], httpPort: number, opsPort: number) {
    super(options)
    this.url = `http://127.0.0.1:${httpPort}`
    this.port = httpPort
    this.opsPort = opsPort
    this.#ops = `http://127.0.0.1:${opsPort}`
  }

  static async create(
    role: RoleName,
    name: string,
    environment: Readonly<Record<string, string>>,
    directory: string,
    root?: string,
  ): Promise<Gateway> {
    const httpPort = await choosePort()
    const opsPort = await choosePort()
    const ports = { POSTERN_HTTP_PORT: String(httpPort), POSTERN_OPS_PORT: String(opsPort) }
    return new Gateway(
      {
        name,
        script: 'gateway/src/main.ts',
        args: [role],
        environment: { ...environment, ...ports },
        directory,
        ...(root === undefined ? {} : { root }),
      },
      httpPort,
      opsPort,
    )
  }

  /** Resolves when /readyz returns 200. */
  async untilReady(timeoutMs = 60_000): Promise<void> {
    const before = this.unexpectedExits.length
    await waitFor(
      `${this.name} to be ready (log: ${this.logFile})`,
      async () => {
        if (this.unexpectedExits.length > before) throw new Error(this.unexpectedExits.at(-1))
        return this.isReady()
      },
      { timeoutMs, everyMs: 100 },
    )
  }

  async isReady(): Promise<boolean> {
    return (await this.#readyz())?.httpStatus === 200
  }

  /** Returns the checks of /readyz; empty while the process does not respond. */
  async readiness(): Promise<Readonly<Record<string, boolean>>> {
    return (await this.#readyz())?.body.checks ?? {}
  }

  async #readyz(): Promise<HttpResponse<{ readonly checks: Readonly<Record<string, boolean>> }> | undefined> {
    const http = new JsonHttp(this.#ops, { connections: 1, timeoutMs: 2_000 })
    try {
      return await http.send('GET', '/readyz')
    } catch {
      return undefined
    } finally {
      http.close()
    }
  }

  /**
   * Returns the sum of a metric over its series, or over those whose labels contain `label`; 0 while the
   * process does not respond.
   */
  async metric(name: string, label = ''): Promise<number> {
    const series = await this.series(name)
    return [...series].reduce((sum, [labels, value]) => (labels.includes(label) ? sum + value : sum), 0)
  }

  /**
   * Returns the series of a metric by their labels as Prometheus writes them; empty while the process does
   * not respond.
   */
  series(name: string): Promise<ReadonlyMap<string, number>> {
    return readSeries(this.#ops, name)
  }
}
