/** The three ways in which an account gets its reports. Each notes a report that comes twice. */
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import type { Envelope, PollAnswer, Report } from '../support/processes/account-client.ts'
import type { HttpAnswer } from '../support/processes/json-http.ts'
import type { SteadyClient } from './steady-client.ts'

abstract class Reader {
  abstract readonly name: string
  readonly keys = new Set<string>()
  readonly findings: string[] = []

  protected take(msgKey: string): void {
    if (this.keys.has(msgKey)) this.findings.push(`${this.name}: ${msgKey} came twice`)
    this.keys.add(msgKey)
  }
}

abstract class PullingReader extends Reader {
  protected readonly steady: SteadyClient
  #stopping = false
  #running: Promise<void> = Promise.resolve()

  constructor(steady: SteadyClient) {
    super()
    this.steady = steady
  }

  start(): void {
    this.#running = this.#run()
  }

  async stop(): Promise<void> {
    this.#stopping = true
    await this.#running
  }

  /** One round; false when there was nothing. */
  protected abstract read(): Promise<boolean>

  async #run(): Promise<void> {
    while (!this.#stopping) {
      try {
        if (!(await this.read())) await pause(50)
      } catch (error) {
        this.findings.push(`${this.name}: ${(error as Error).message}`)
        await pause(200)
      }
    }
  }
}

/** Stores a batch, then deletes it. A batch that comes again before its deletion was answered is the same batch. */
export class Poller extends PullingReader {
  readonly name = 'polling'
  #stored = ''
  #deleted = ''

  protected async read(): Promise<boolean> {
    const { client } = this.steady
    const { body } = await this.steady.ask<PollAnswer>(() => client.poll())
    if (body.data === undefined) throw new Error(`answered ${body.code} ${body.result}`)
    const { reportId, report } = body.data
    if (reportId === '') return false
    if (reportId === this.#deleted)
      this.findings.push(`polling: batch ${reportId} came again after its deletion`)
    if (reportId !== this.#stored) for (const { msgKey } of report) this.take(msgKey)
    this.#stored = reportId
    const answer = await this.steady.ask<Envelope>(() => client.acknowledge(reportId))
    if (answer.body.code !== 'A000') throw new Error(`deleting a batch answered ${answer.body.code}`)
    this.#deleted = reportId
    return true
  }
}

interface StreamAnswer extends Envelope {
  readonly data?: { readonly cursor: string; readonly report: readonly Report[] }
}

/** Follows its own cursor, over the switch too. */
export class StreamReader extends PullingReader {
  readonly name = 'stream'
  #cursor = ''

  protected async read(): Promise<boolean> {
    const place = this.#cursor === '' ? '' : `&cursor=${this.#cursor}`
    const ask = (): Promise<HttpAnswer<StreamAnswer>> =>
      this.steady.client.call('GET', `/v1/report/stream?limit=200${place}`)
    const { body } = await this.steady.ask(ask)
    if (body.data === undefined) throw new Error(`answered ${body.code} ${body.result}`)
    for (const { msgKey } of body.data.report) this.take(msgKey)
    this.#cursor = body.data.cursor
    return body.data.report.length > 0
  }
}

/** An endpoint that acknowledges every push. */
export class WebhookReceiver extends Reader {
  readonly name = 'webhook'
  readonly #server: Server

  private constructor(server: Server) {
    super()
    this.#server = server
  }

  static async start(): Promise<WebhookReceiver> {
    const server = createServer((request, response) => {
      let text = ''
      request.setEncoding('utf8').on('data', (part: string) => (text += part))
      request.on('end', () => {
        const { msgKey } = JSON.parse(text) as { msgKey: string }
        receiver.take(msgKey)
        response.setHeader('content-type', 'application/json').end(JSON.stringify({ msgKey }))
      })
    })
    const receiver = new WebhookReceiver(server)
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    return receiver
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/reports`
  }

  close(): void {
    this.#server.closeAllConnections()
    this.#server.close()
  }
}
