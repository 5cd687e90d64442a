/**
 * Uploaded files at the service: each is uploaded there once and its reference is used until it expires. What is not a
 * file of this gateway is passed on as it is: it is a file of the service, or an address anywhere.
 */
import { randomBytes } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { FileReference } from '../../channels/channel.ts'
import { clock } from '../../platform/clock.ts'
import { shareCall } from '../../platform/share-call.ts'
import type { ConnectorContext, ConnectorFile, SubmitOutcome } from '../connector.ts'
import { imageKindOf } from '../image-kind.ts'
import { readOutcome } from './outcome.ts'
import type { UploadedFiles } from './request.ts'
import type { Upstream } from './upstream.ts'

/** References have about 100 characters. */
const maxKnown = 10_000
const maxReferenceLength = 2_048
/** Where the service does not say when a file expires. */
const unknownLifetimeMs = 86_400_000
/** A message waits at the service before the file is read. */
const marginMs = 3_600_000

type Uploaded = { readonly reference: string } | { readonly outcome: SubmitOutcome }

export class UpstreamFiles {
  readonly #upstream: Upstream
  readonly #context: ConnectorContext
  readonly #throttleRetryMs: number
  readonly #known = new LRUCache<string, string>({ max: maxKnown })
  readonly #uploads = new Map<string, Promise<Uploaded>>()

  constructor(upstream: Upstream, context: ConnectorContext, throttleRetryMs: number) {
    this.#upstream = upstream
    this.#context = context
    this.#throttleRetryMs = throttleRetryMs
  }

  /** The references at the service, or the outcome of a submission whose files cannot be uploaded. */
  async resolve(files: readonly FileReference[]): Promise<UploadedFiles | SubmitOutcome> {
    const references = new Map<string, string>()
    for (const file of files) {
      const uploaded = await this.#find(file.key, pathOf(file))
      if ('outcome' in uploaded) return uploaded.outcome
      references.set(file.key, uploaded.reference)
    }
    return references
  }

  /** The service no longer knows them. */
  forget(files: readonly FileReference[]): void {
    for (const file of files) this.#known.delete(`${pathOf(file)} ${file.key}`)
  }

  #find(key: string, path: string): Promise<Uploaded> {
    const id = `${path} ${key}`
    const reference = this.#known.get(id)
    if (reference !== undefined) return Promise.resolve({ reference })
    return shareCall(this.#uploads, id, () => this.#upload(id, key, path))
  }

  async #upload(id: string, key: string, path: string): Promise<Uploaded> {
    let file: ConnectorFile | null
    try {
      file = await this.#context.openFile(key)
    } catch {
      return { outcome: { kind: 'unreachable', code: 'file-store', text: 'a file could not be read' } }
    }
    if (file === null) return { reference: key }
    const { type, body } = multipart(file)
    const call = { method: 'POST', path, headers: { 'content-type': type }, body } as const
    const result = await this.#upstream.call(call)
    const { fileKey, media, imgUrl, expired } = (
      result.kind === 'answer' ? (result.body.data ?? {}) : {}
    ) as Readonly<Record<string, unknown>>
    const reference = path === '/v1/file/MMS' ? fileKey : path === '/v1/file/RCS' ? media : imgUrl
    if (result.kind === 'answer' && result.code === 'A000' && isReference(reference)) {
      this.#known.set(id, reference, { ttl: lifetimeMs(expired) })
      this.#context.onEvent('file-uploaded')
      return { reference }
    }
    const { outcome, link } = readOutcome(result, this.#throttleRetryMs)
    const isCertain = link !== 'foreign' || (await this.#upstream.isAccountAccepted())
    if ((outcome.kind === 'refused' && isCertain) || outcome.kind === 'throttled') return { outcome }
    // Only the file was perhaps sent, not the message.
    return { outcome: { kind: 'unreachable', code: outcomeCode(outcome), text: 'a file was not uploaded' } }
  }
}

function outcomeCode(outcome: SubmitOutcome): string {
  return outcome.kind === 'accepted' ? 'no-reference' : outcome.code
}

function isReference(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= maxReferenceLength
}

/** Without an offset, the time is read as the earliest that it can mean. */
function lifetimeMs(expired: unknown): number {
  if (typeof expired !== 'string' || expired.length > 64) return unknownLifetimeMs
  const plain = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)$/.exec(expired)
  const until = Date.parse(plain === null ? expired : `${plain[1]}T${plain[2]}+14:00`)
  return Number.isNaN(until) ? unknownLifetimeMs : Math.max(1, until - clock.now() - marginMs)
}

/** The service checks an image for its kind of message. */
function pathOf(file: FileReference): string {
  const { use } = file
  if (use === 'MMS' || use === 'RCS') return `/v1/file/${use}`
  return `/v1/file/${use}/${imageKindOf(file, use === 'FRIENDTALK' ? 'FI' : 'default')}`
}

/** The limit of the service is 40. */
const maxNameLength = 40

function multipart({ bytes, contentType, name }: ConnectorFile): {
  readonly type: string
  readonly body: Buffer
} {
  // Not to be known in advance: a file that contains it would end there.
  const boundary = `postern-${randomBytes(16).toString('hex')}`
  const head = [
    `--${boundary}`,
    `Content-Disposition: form-data; name="file"; filename="${name.slice(-maxNameLength)}"`,
    `Content-Type: ${contentType}`,
  ]
  const body = Buffer.concat([
    Buffer.from(`${head.join('\r\n')}\r\n\r\n`),
    bytes,
    Buffer.from(`\r\n--${boundary}--\r\n`),
  ])
  return { type: `multipart/form-data; boundary=${boundary}`, body }
}
