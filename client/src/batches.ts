import { sleep } from './abortable.ts'
import type { Caller, CallOptions, ResponseData } from './call.ts'
import { parseFields, splitLines } from './csv.ts'
import type * as types from './generated/types.ts'

export interface CreateBatchOptions extends CallOptions {
  /** Defaults to a new key per call. Set it to find the same batch from another process. */
  readonly idempotencyKey?: string | undefined
}

export interface UploadOptions extends CallOptions {
  /** Number of the first uploaded part. Default 1. Set it to add a second source to the same batch. */
  readonly firstPart?: number | undefined
}

export interface UploadFileOptions extends UploadOptions {
  readonly format: 'csv' | 'ndjson'
}

export interface UploadedLines {
  readonly parts: number
  readonly lines: number
}

export interface WaitOptions extends CallOptions {
  /** Interval between two requests. Default 2,000. */
  readonly intervalMs?: number | undefined
}

/** Result of one uploaded line. */
export interface BatchResult {
  readonly part: number
  readonly line: number
  readonly ref: string | undefined
  /** Absent if no message was created. */
  readonly msgKey: string | undefined
  /** `A000` if a message was created; otherwise why not. Absent while the line waits. */
  readonly code: string | undefined
  /** Set once the message has its final report. */
  readonly reportCode: string | undefined
  readonly sentAt: string | undefined
  readonly reportedAt: string | undefined
  readonly parts: number | undefined
}

type FileChunks = AsyncIterable<Uint8Array | string> | Iterable<Uint8Array | string>
type Recipients = AsyncIterable<types.BatchRecipient> | Iterable<types.BatchRecipient>

/** A part holds up to this many lines and characters, so that it stays below 16 MiB in any script. */
const maxPartLines = 10_000
const maxPartLength = 4_000_000

/** Defined here: the document for clients lacks operations whose request or response is not JSON. */
const uploadRecipients = { method: 'PUT', path: '/v1/batch/{batchId}/recipients/{part}' } as const
const downloadResults = { method: 'GET', path: '/v1/batch/{batchId}/results' } as const

const contentTypes = { csv: 'text/csv', ndjson: 'application/x-ndjson' } as const

/** Sends one flow to up to a million recipients. */
export class Batches {
  readonly #caller: Caller

  constructor(caller: Caller) {
    this.#caller = caller
  }

  create(
    batch: types.BatchRequest,
    { idempotencyKey = crypto.randomUUID(), ...options }: CreateBatchOptions = {},
  ): Promise<types.Batch> {
    const headers = { 'idempotency-key': idempotencyKey }
    return this.#caller.callForData('createBatch', { body: batch, headers }, options)
  }

  /**
   * Uploads recipients in parts, and reads them only as fast as they are accepted. The same recipients in the
   * same order make the same parts: an interrupted upload can be repeated from the beginning.
   */
  upload(batchId: string, recipients: Recipients, options: UploadOptions = {}): Promise<UploadedLines> {
    return this.#upload(batchId, toJsonLines(recipients), { ...options, format: 'ndjson' })
  }

  /** Uploads a file of any size, such as a stream of CSV with a header line, in parts as `upload` does. */
  uploadFile(batchId: string, content: FileChunks, options: UploadFileOptions): Promise<UploadedLines> {
    const lines = splitLines(decode(content), { quotes: options.format === 'csv' })
    return this.#upload(batchId, lines, options)
  }

  /** Checks every line without sending anything. See `waitUntilChecked`. */
  check(batchId: string, options?: CallOptions): Promise<types.Batch> {
    return this.#caller.callForData('checkBatch', { path: { batchId } }, options)
  }

  /** Starts the batch, after a check if lines were uploaded since the last one. */
  start(batchId: string, options?: CallOptions): Promise<types.Batch> {
    return this.#caller.callForData('startBatch', { path: { batchId } }, options)
  }

  pause(batchId: string, options?: CallOptions): Promise<types.Batch> {
    return this.#caller.callForData('pauseBatch', { path: { batchId } }, options)
  }

  resume(batchId: string, options?: CallOptions): Promise<types.Batch> {
    return this.#caller.callForData('resumeBatch', { path: { batchId } }, options)
  }

  /** Cancels the batch permanently. Submitted messages still receive their reports. */
  cancel(batchId: string, options?: CallOptions): Promise<types.Batch> {
    return this.#caller.callForData('cancelBatch', { path: { batchId } }, options)
  }

  /** Cancels all batches and scheduled messages with exactly this reference, or counts them with `dryRun`. */
  cancelByRef(
    ref: string,
    { dryRun = false, ...options }: CallOptions & { readonly dryRun?: boolean } = {},
  ): Promise<ResponseData<'cancelByRef'>> {
    return this.#caller.callForData('cancelByRef', { body: { ref, dryRun } }, options)
  }

  get(batchId: string, options?: CallOptions): Promise<types.Batch> {
    return this.#caller.callForData('showBatch', { path: { batchId } }, options)
  }

  /** Lists batches, newest first, and requests pages as needed. */
  async *list(
    filter: { readonly state?: types.Batch['state'] | undefined; readonly ref?: string | undefined } = {},
    options?: CallOptions,
  ): AsyncGenerator<types.Batch, void> {
    let after: string | undefined
    do {
      const page = await this.#caller.callForData('listBatches', { query: { ...filter, after } }, options)
      yield* page.batches
      after = page.next
    } while (after !== undefined)
  }

  /** Yields a result for every uploaded line, in order of part and line. */
  async *results(batchId: string, options?: CallOptions): AsyncGenerator<BatchResult, void> {
    const chunks = this.#caller.download(downloadResults, { batchId }, options)
    let names: readonly string[] | undefined
    for await (const line of splitLines(chunks, { quotes: true })) {
      const fields = parseFields(line)
      if (names === undefined) names = fields
      else yield toResult(names, fields)
    }
  }

  /** Polls while the batch is being checked. */
  waitUntilChecked(batchId: string, options?: WaitOptions): Promise<types.Batch> {
    return this.#wait(batchId, ({ state }) => state !== 'checking', options)
  }

  /**
   * Polls until the batch has ended, or is cancelled and all reports have arrived. A paused batch ends only
   * after it is resumed; use `signal` to stop waiting.
   */
  waitUntilEnded(batchId: string, options?: WaitOptions): Promise<types.Batch> {
    return this.#wait(
      batchId,
      ({ state, counts }) => state === 'ended' || (state === 'cancelled' && counts.open === 0),
      options,
    )
  }

  async #wait(
    batchId: string,
    isDone: (batch: types.Batch) => boolean,
    { intervalMs = 2_000, ...options }: WaitOptions = {},
  ): Promise<types.Batch> {
    for (;;) {
      const batch = await this.get(batchId, options)
      if (isDone(batch)) return batch
      await sleep(intervalMs, options.signal)
    }
  }

  async #upload(
    batchId: string,
    source: AsyncIterable<string>,
    { format, firstPart = 1, ...options }: UploadFileOptions,
  ): Promise<UploadedLines> {
    let part = firstPart
    let lines = 0
    for await (const text of toParts(source, format === 'csv')) {
      const content = new Blob([text], { type: contentTypes[format] })
      const { data } = await this.#caller.upload(uploadRecipients, { batchId, part }, content, options)
      lines += (data as types.BatchPartData).lines
      part++
    }
    return { parts: part - firstPart, lines }
  }
}

async function* toJsonLines(recipients: Recipients): AsyncGenerator<string, void> {
  for await (const recipient of recipients) yield `${JSON.stringify(recipient)}\n`
}

async function* decode(chunks: FileChunks): AsyncGenerator<string, void> {
  const decoder = new TextDecoder()
  for await (const chunk of chunks)
    yield typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true })
  yield decoder.decode()
}

/** Groups lines. Each part of CSV begins with the header line. */
async function* toParts(lines: AsyncIterable<string>, hasHeader: boolean): AsyncGenerator<string, void> {
  let header = ''
  let part: string[] = []
  let length = 0
  for await (const line of lines) {
    if (hasHeader && header === '') {
      header = line
      continue
    }
    if (part.length === maxPartLines || (part.length > 0 && length + line.length > maxPartLength)) {
      yield header + part.join('')
      part = []
      length = 0
    }
    part.push(line)
    length += line.length
  }
  if (part.length > 0) yield header + part.join('')
}

function toResult(names: readonly string[], fields: readonly string[]): BatchResult {
  const row = new Map(names.map((name, index) => [name, fields[index]]))
  const read = (name: string): string | undefined => row.get(name) || undefined
  const parts = read('parts')
  return {
    part: Number(read('part')),
    line: Number(read('line')),
    ref: read('ref'),
    msgKey: read('msgKey'),
    code: read('code'),
    reportCode: read('reportCode'),
    sentAt: read('sentAt'),
    reportedAt: read('reportedAt'),
    parts: parts === undefined ? undefined : Number(parts),
  }
}
