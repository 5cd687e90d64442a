/**
 * A client of the load: keeps one bind up over all servers, submits on request, and records responses and
 * receipts.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { statuses, statusName } from '../../../src/carriers/smpp/status.ts'
import { SmppClient, submitBody } from '../../support/smpp/client.ts'

/** Observations of all binds of the load. */
export class BindTally {
  /** Maps ids with a response of status 0 to their account. */
  readonly answered = new Map<string, string>()
  /** How often each receipt arrived. */
  readonly receipts = new Map<string, number>()
  readonly refusals = new Map<string, number>()
  readonly answerMs: number[] = []
  readonly rebindMs: number[] = []
  unanswered = 0
  /** Binds whose connection ended. */
  lost = 0
  misdirected = 0

  refuse(status: string): void {
    this.refusals.set(status, (this.refusals.get(status) ?? 0) + 1)
  }
}

const window = 50
const retryMs = 100

export class LoadBind {
  readonly #systemId: string
  readonly #password: string
  readonly #ports: readonly number[]
  readonly #tally: BindTally
  #next: number
  #client: SmppClient | null = null
  #open = 0
  #stopped = false
  #lostAt: number | null = null
  #number = 0

  constructor(systemId: string, password: string, ports: readonly number[], first: number, tally: BindTally) {
    this.#systemId = systemId
    this.#password = password
    this.#ports = ports
    this.#next = first
    this.#tally = tally
  }

  get ready(): boolean {
    return this.#client !== null && this.#open < window
  }

  /** Binds, trying the next server after each failure. */
  async start(): Promise<void> {
    while (!this.#stopped) {
      const port = this.#ports[this.#next++ % this.#ports.length]!
      const client = await SmppClient.connect(port, { answer: () => 0 }).catch(() => null)
      if (client !== null) {
        client.answer = ({ shortMessage }) =>
          this.#receive(client, Buffer.from(shortMessage).toString('latin1'))
        const status = await client
          .bind(this.#systemId, this.#password)
          .catch(() => statuses.ESME_RUNKNOWNERR)
        if (status === statuses.ESME_ROK) return this.#use(client)
        if (status !== statuses.ESME_RUNKNOWNERR) this.#tally.refuse(`bind ${statusName(status)}`)
        await client.close()
      }
      await pause(retryMs)
    }
  }

  submit(): void {
    const client = this.#client!
    this.#open += 1
    const started = performance.now()
    const text = `load ${this.#systemId} ${++this.#number}`
    client.submit(submitBody({ shortMessage: Buffer.from(text) })).then(
      ({ status, id }) => {
        this.#open -= 1
        this.#tally.answerMs.push(performance.now() - started)
        if (status === statuses.ESME_ROK) this.#tally.answered.set(id, this.#systemId)
        else this.#tally.refuse(statusName(status))
      },
      () => {
        this.#open -= 1
        this.#tally.unanswered += 1
      },
    )
  }

  async stop(): Promise<void> {
    this.#stopped = true
    await this.#client?.close()
  }

  #use(client: SmppClient): void {
    this.#client = client
    if (this.#lostAt !== null) this.#tally.rebindMs.push(performance.now() - this.#lostAt)
    this.#lostAt = null
    client.socket.once('close', () => {
      this.#client = null
      this.#tally.lost += 1
      this.#lostAt = performance.now()
      void this.start()
    })
    // The connection may have closed since the response.
    if (client.closed) client.socket.emit('close')
  }

  #receive(client: SmppClient, text: string): number {
    client.deliveries.length = 0
    const id = /^id:(\S+) .* stat:DELIVRD /.exec(text)?.[1] ?? text
    this.#tally.receipts.set(id, (this.#tally.receipts.get(id) ?? 0) + 1)
    const accountName = this.#tally.answered.get(id)
    if (accountName !== undefined && accountName !== this.#systemId) this.#tally.misdirected += 1
    return statuses.ESME_ROK
  }
}
