/**
 * Uploads files to the service. Each file is uploaded once and its reference is reused until it expires. References that are not
 * files of this gateway are passed on unchanged: files of the service, or URLs.
 */
import type { FileReference } from '../../../channels/channel.ts'
import { clock } from '../../../platform/time/clock.ts'
import type { ConnectorContext, ConnectorFile, SubmitOutcome } from '../connector.ts'
import { selectImageKind } from '../http/image-kind.ts'
import { writeForm } from '../http/multipart.ts'
import { UploadCache, type Upload } from '../uploads.ts'
import { parseOmniOutcome } from './outcome.ts'
import type { OmniFileReferences } from './request.ts'
import type { Upstream } from './upstream.ts'

const maxReferenceLength = 2_048
/** Lifetime if the service does not state when a file expires. */
const unknownLifetimeMs = 86_400_000
/** Margin for messages that wait at the service before the file is read. */
const marginMs = 3_600_000

const unreadable: SubmitOutcome = { kind: 'unreachable', code: 'omni:files', text: 'file store unavailable' }

export class UpstreamFiles {
  readonly #upstream: Upstream
  readonly #throttleRetryMs: number
  readonly #uploads: UploadCache<SubmitOutcome>

  constructor(upstream: Upstream, context: ConnectorContext, throttleRetryMs: number) {
    this.#upstream = upstream
    this.#throttleRetryMs = throttleRetryMs
    this.#uploads = new UploadCache(context, unreadable)
  }

  /** Returns the references at the service, or the outcome of a submission whose files cannot be uploaded. */
  async resolve(files: readonly FileReference[]): Promise<OmniFileReferences | SubmitOutcome> {
    const references = new Map<string, string>()
    for (const file of files) {
      const path = uploadPath(file)
      const upload: Upload<SubmitOutcome> = (read, digest) => this.#upload(read, digest, path)
      const found = await this.#uploads.find(file.key, path, upload)
      if (found.kind === 'failed') return found.failure
      references.set(file.key, found.kind === 'uploaded' ? found.reference : file.key)
    }
    return references
  }

  /** Removes files that the service no longer has. */
  invalidate(files: readonly FileReference[]): void {
    for (const file of files) this.#uploads.invalidate(file.key, uploadPath(file))
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
      return { reference, lifetimeMs: parseLifetimeMs(expired) }
    const { outcome, link } = parseOmniOutcome(result, this.#throttleRetryMs)
    const isCertain = link !== 'foreign' || (await this.#upstream.isAccountAccepted())
    if ((outcome.kind === 'refused' && isCertain) || outcome.kind === 'throttled') return { failure: outcome }
    // Only the file was possibly sent, not the message.
    return { failure: { kind: 'unreachable', code: outcomeCode(outcome), text: 'file upload failed' } }
  }
}

function outcomeCode(outcome: SubmitOutcome): string {
  return outcome.kind === 'accepted' ? 'omni:no-reference' : outcome.code
}

function isReference(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= maxReferenceLength
}

/** Assumes the earliest possible time if the offset is missing. */
function parseLifetimeMs(expired: unknown): number {
  if (typeof expired !== 'string' || expired.length > 64) return unknownLifetimeMs
  const plain = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)$/.exec(expired)
  const until = Date.parse(plain === null ? expired : `${plain[1]}T${plain[2]}+14:00`)
  return Number.isNaN(until) ? unknownLifetimeMs : Math.max(1, until - clock.now() - marginMs)
}

/** Returns the path by use, because the service validates an image for its kind of message. */
function uploadPath(file: FileReference): string {
  const { use } = file
  if (use === 'MMS' || use === 'RCS') return `/v1/file/${use}`
  return `/v1/file/${use}/${selectImageKind(file, use === 'FRIENDTALK' ? 'FI' : 'default')}`
}

/** Maximum length of file names at the service. */
const maxNameLength = 40
