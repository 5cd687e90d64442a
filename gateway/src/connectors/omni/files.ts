/**
 * Uploaded files at the service: each is uploaded there once and its reference is used until it expires. What is not a
 * file of this gateway is passed on as it is: it is a file of the service, or an address anywhere.
 */
import type { FileReference } from '../../channels/channel.ts'
import { clock } from '../../platform/clock.ts'
import type { ConnectorContext, ConnectorFile, SubmitOutcome } from '../connector.ts'
import { imageKindOf } from '../image-kind.ts'
import { writeForm } from '../multipart.ts'
import { UploadCache, type Upload } from '../uploads.ts'
import { readOutcome } from './outcome.ts'
import type { UploadedFiles } from './request.ts'
import type { Upstream } from './upstream.ts'

const maxReferenceLength = 2_048
/** Where the service does not say when a file expires. */
const unknownLifetimeMs = 86_400_000
/** A message waits at the service before the file is read. */
const marginMs = 3_600_000

const unreadable: SubmitOutcome = {
  kind: 'unreachable',
  code: 'omni:files',
  text: 'the store of files is unavailable',
}

export class UpstreamFiles {
  readonly #upstream: Upstream
  readonly #throttleRetryMs: number
  readonly #uploads: UploadCache<SubmitOutcome>

  constructor(upstream: Upstream, context: ConnectorContext, throttleRetryMs: number) {
    this.#upstream = upstream
    this.#throttleRetryMs = throttleRetryMs
    this.#uploads = new UploadCache(context, unreadable)
  }

  /** The references at the service, or the outcome of a submission whose files cannot be uploaded. */
  async resolve(files: readonly FileReference[]): Promise<UploadedFiles | SubmitOutcome> {
    const references = new Map<string, string>()
    for (const file of files) {
      const path = pathOf(file)
      const upload: Upload<SubmitOutcome> = (read, digest) => this.#upload(read, digest, path)
      const found = await this.#uploads.find(file.key, path, upload)
      if (found.kind === 'failed') return found.failure
      references.set(file.key, found.kind === 'uploaded' ? found.reference : file.key)
    }
    return references
  }

  /** The service no longer knows them. */
  forget(files: readonly FileReference[]): void {
    for (const file of files) this.#uploads.forget(file.key, pathOf(file))
  }

  async #upload(file: ConnectorFile, digest: string, path: string): ReturnType<Upload<SubmitOutcome>> {
    const { contentType, body } = writeForm(
      'file',
      { ...file, name: file.name.slice(-maxNameLength) },
      digest,
    )
    const call = { method: 'POST', path, headers: { 'content-type': contentType }, body } as const
    const result = await this.#upstream.call(call)
    const { fileKey, media, imgUrl, expired } = (
      result.kind === 'answer' ? (result.body.data ?? {}) : {}
    ) as Readonly<Record<string, unknown>>
    const reference = path === '/v1/file/MMS' ? fileKey : path === '/v1/file/RCS' ? media : imgUrl
    if (result.kind === 'answer' && result.code === 'A000' && isReference(reference))
      return { reference, lifetimeMs: lifetimeMs(expired) }
    const { outcome, link } = readOutcome(result, this.#throttleRetryMs)
    const isCertain = link !== 'foreign' || (await this.#upstream.isAccountAccepted())
    if ((outcome.kind === 'refused' && isCertain) || outcome.kind === 'throttled') return { failure: outcome }
    // Only the file was perhaps sent, not the message.
    return { failure: { kind: 'unreachable', code: outcomeCode(outcome), text: 'a file was not uploaded' } }
  }
}

function outcomeCode(outcome: SubmitOutcome): string {
  return outcome.kind === 'accepted' ? 'omni:no-reference' : outcome.code
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
