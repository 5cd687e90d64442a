/** A client of the batch endpoints for one account. Repeats requests while the service is busy. */
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { setTimeout as pause } from 'node:timers/promises'
import { AccountClient, type Credentials, type Envelope } from '../../support/processes/account-client.ts'
import { JsonHttp, type HttpResponse } from '../../support/processes/json-http.ts'
import { waitFor } from '../../support/wait.ts'
import { toCsv, type TestList } from './recipients.ts'

export interface Batch {
  readonly batchId: string
  readonly ref?: string
  readonly state: 'open' | 'checking' | 'ready' | 'running' | 'paused' | 'cancelled' | 'ended'
  readonly counts: Readonly<
    Record<'lines' | 'waiting' | 'duplicate' | 'refused' | 'cancelled' | 'messages' | 'open', number>
  >
  readonly codes: Readonly<Record<string, number>>
  readonly outcomes: Readonly<Record<string, number>>
}

export interface ResultRow {
  readonly part: number
  readonly line: number
  readonly ref: string
  readonly msgKey: string
  readonly code: string
  readonly reportCode: string
}

export type BatchAction = 'check' | 'start' | 'pause' | 'resume' | 'cancel'

type BatchResponse = Envelope & { readonly data?: Batch }

const columns = 'part,line,ref,msgKey,code,reportCode,sentAt,reportedAt,parts'
/** The check of the last upload of a large batch may delay a response. */
const timeoutMs = 120_000
/** A connection that was cut counts as an upload in progress until the API detects it. */
const busyMs = 30_000
const retryMs = 200

export class BatchClient {
  /** Client of the other endpoints. */
  readonly account: AccountClient
  readonly url: string
  readonly authorization: string
  readonly #http: JsonHttp

  private constructor(url: string, account: AccountClient, authorization: string) {
    this.url = url
    this.account = account
    this.authorization = authorization
    this.#http = new JsonHttp(url, { connections: 16, timeoutMs })
  }

  static async open(url: string, credentials: Credentials): Promise<BatchClient> {
    const account = new AccountClient(url, credentials)
    const token = await waitFor(
      'the account to be known',
      async () => (await account.login().catch(() => undefined))?.body.data,
      { everyMs: 100 },
    )
    return new BatchClient(url, account, `${token.schema} ${token.token}`)
  }

  close(): void {
    this.account.close()
    this.#http.close()
  }

  async send<Body>(
    method: string,
    path: string,
    headers: Readonly<Record<string, string>> = {},
    body?: string,
  ): Promise<HttpResponse<Body>> {
    const until = performance.now() + busyMs
    for (;;) {
      const response = await this.#http.send<Body>(method, path, {
        headers: { authorization: this.authorization, ...headers },
        ...(body === undefined ? {} : { body }),
      })
      const isBusy = response.httpStatus === 429 || response.httpStatus === 503
      if (!isBusy || performance.now() > until) return response
      await pause(retryMs)
    }
  }

  async create(key: string, body: object): Promise<Batch> {
    const headers = { 'content-type': 'application/json', 'idempotency-key': key }
    return toBatch('POST /v1/batch', await this.send('POST', '/v1/batch', headers, JSON.stringify(body)))
  }

  async upload(batchId: string, part: number, csv: string): Promise<void> {
    const path = `/v1/batch/${batchId}/recipients/${part}`
    const { httpStatus, body } = await this.send<Envelope>('PUT', path, { 'content-type': 'text/csv' }, csv)
    if (body.code !== 'A000')
      throw new Error(`PUT ${path} answered ${httpStatus} ${body.code} ${body.result}`)
  }

  /** Creates a batch and uploads its lines. */
  async createFrom(key: string, list: TestList, body: object): Promise<Batch> {
    const { batchId } = await this.create(key, body)
    for (let part = 1; part <= list.parts.length; part++) await this.upload(batchId, part, toCsv(list, part))
    return this.read(batchId)
  }

  async act(batchId: string, action: BatchAction): Promise<Batch> {
    const path = `/v1/batch/${batchId}/${action}`
    return toBatch(`POST ${path}`, await this.send('POST', path))
  }

  async read(batchId: string): Promise<Batch> {
    const path = `/v1/batch/${batchId}`
    return toBatch(`GET ${path}`, await this.send('GET', path))
  }

  /** Resolves when the batch is in one of the states. Continues while the service is busy or requests fail. */
  untilState(batchId: string, states: readonly Batch['state'][], limitMs: number): Promise<Batch> {
    return waitFor(
      `the batch ${batchId} to be ${states.join(' or ')}`,
      async () => {
        const { body } = await this.send<BatchResponse>('GET', `/v1/batch/${batchId}`).catch(() => ({
          body: undefined,
        }))
        return body?.data !== undefined && states.includes(body.data.state) ? body.data : undefined
      },
      { timeoutMs: limitMs, everyMs: 250 },
    )
  }

  /** Resolves when no message of the batch is open and nothing waits. */
  untilDone(batchId: string, limitMs: number): Promise<Batch> {
    return waitFor(
      `the batch ${batchId} to end`,
      async () => {
        const batch = await this.untilState(batchId, ['ended', 'cancelled'], limitMs)
        return batch.counts.open === 0 ? batch : undefined
      },
      { timeoutMs: limitMs, everyMs: 200 },
    )
  }

  /** Streams the results, so this process stays small as well. */
  async *results(batchId: string): AsyncGenerator<ResultRow> {
    const headers = { authorization: this.authorization }
    const response = await waitFor(
      'the results',
      async () => {
        const found = await fetch(`${this.url}/v1/batch/${batchId}/results`, { headers })
        return found.status === 429 ? undefined : found
      },
      { everyMs: retryMs },
    )
    if (response.status !== 200) throw new Error(`results: ${response.status} ${await response.text()}`)
    const input = Readable.fromWeb(response.body as ReadableStream)
    let isHeader = true
    for await (const text of createInterface({ input, crlfDelay: Infinity })) {
      if (isHeader && text !== columns) throw new Error(`results begin with '${text}', expected '${columns}'`)
      if (!isHeader) yield toRow(text)
      isHeader = false
    }
  }
}

function toBatch(request: string, { httpStatus, body }: HttpResponse<BatchResponse>): Batch {
  if (body.code !== 'A000' || body.data === undefined)
    throw new Error(`${request} answered ${httpStatus} ${body.code} ${body.result}`)
  return body.data
}

function toRow(text: string): ResultRow {
  const [part, line, ref = '', msgKey = '', code = '', reportCode = ''] = text.split(',')
  return { part: Number(part), line: Number(line), ref, msgKey, code, reportCode }
}
