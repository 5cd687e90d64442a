/**
 * Uploads files to one host. Each content is uploaded there once, however often clients upload it here, and its id is reused
 * until it expires. Other references are passed on unchanged.
 */
import { hash } from 'node:crypto'
import type { FileReference } from '../../../channels/channel.ts'
import { mediaScheme } from '../../../channels/rcs/values.ts'
import { clock } from '../../../platform/time/clock.ts'
import type { ConnectorContext, ConnectorFile, SubmitOutcome } from '../connector.ts'
import { toFields, readString, type JsonFields } from '../http/json.ts'
import { readKoreanTime } from '../http/korean-time.ts'
import { findRcsMeaning } from '../rcs-codes.ts'
import { UploadCache, type createDigestCache, type Upload } from '../uploads.ts'
import type { MaapResponse } from './response.ts'
import type { MaapHost } from './host.ts'
import type { MaapFileReferences } from './message.ts'
import { toMaapOutcome, type MaapOutcomeOptions } from './outcome.ts'
import { createMaapFileId, maapUploadRequest } from './upload-request.ts'

export interface FileOptions extends MaapOutcomeOptions {
  readonly fileIdPrefix: string
  readonly fileLifetimeMs: number
}

/**
 * A file is uploaded again this long before it expires: a message can wait at the carrier for three days before its file is
 * read.
 */
const marginMs = 3 * 86_400_000
const maxLifetimeMs = 365 * 86_400_000

const unreadable: SubmitOutcome = { kind: 'unreachable', code: 'maap:files', text: 'file store unavailable' }

export class HostFiles {
  readonly #host: MaapHost
  readonly #options: FileOptions
  readonly #uploads: UploadCache<SubmitOutcome>

  constructor(
    host: MaapHost,
    context: ConnectorContext,
    options: FileOptions,
    digests: ReturnType<typeof createDigestCache>,
  ) {
    this.#host = host
    this.#options = options
    this.#uploads = new UploadCache(context, unreadable, digests)
  }

  /**
   * Returns the references at the host, or the outcome of a message whose files cannot be uploaded. `fields` are sent with the
   * file; different fields cause separate uploads.
   */
  async resolve(
    files: readonly FileReference[],
    fields: Readonly<Record<string, string>>,
  ): Promise<MaapFileReferences | SubmitOutcome> {
    const references = new Map<string, string>()
    const scope = JSON.stringify(fields)
    for (const { key } of files) {
      const found = await this.#uploads.find(key, scope, (file, digest) => this.#upload(file, digest, fields))
      if (found.kind === 'failed') return found.failure
      if (found.kind === 'uploaded') references.set(key, found.reference)
    }
    return references
  }

  /** Removes files that the host no longer has. Returns true if any of them was cached here. */
  invalidate(files: readonly FileReference[], fields: Readonly<Record<string, string>>): boolean {
    const scope = JSON.stringify(fields)
    return files.map(({ key }) => this.#uploads.invalidate(key, scope)).includes(true)
  }

  async #upload(
    file: ConnectorFile,
    digest: string,
    fields: Readonly<Record<string, string>>,
  ): ReturnType<Upload<SubmitOutcome>> {
    // Include the fields: another upload of the same content can begin in the same millisecond.
    const uploadDigest = hash('sha256', `${digest} ${JSON.stringify(fields)}`)
    const fileId = createMaapFileId(this.#options.fileIdPrefix, uploadDigest, clock.date())
    const { contentType, body } = maapUploadRequest(fileId, file, digest, fields)
    const result = await this.#host.call({ path: '/file', contentType, body })
    if (result.kind === 'answer') {
      const { answer } = result
      const isUploaded = answer.isSuccess || findRcsMeaning(answer.code, this.#options.codes) === 'duplicate'
      if (isUploaded) return this.#read(fileId, answer)
    }
    const outcome = toMaapOutcome(
      this.#options,
      { id: '', carrier: undefined, hasOwnAgencyKey: false },
      result,
    )
    if (outcome.kind === 'throttled') return { failure: outcome }
    if (outcome.kind === 'refused') return { failure: { ...outcome, cause: 'attachment' } }
    // Only the file was possibly sent, not the message.
    const code = outcome.kind === 'accepted' ? 'maap:file' : outcome.code
    return { failure: { kind: 'unreachable', code, text: 'file upload failed' } }
  }

  #read(fileId: string, { data }: MaapResponse): { readonly reference: string; readonly lifetimeMs: number } {
    const info = readFileInfo(data)
    const until = info.until ?? clock.now() + this.#options.fileLifetimeMs
    const leftMs = Math.min(until - clock.now(), maxLifetimeMs)
    // Short lifetimes keep a 10 % margin.
    const lifetimeMs = Math.max(leftMs - marginMs, leftMs * 0.9)
    return { reference: `${mediaScheme}${info.fileId ?? fileId}`, lifetimeMs }
  }
}

/** Reads the response to an upload, with or without `fileInfo` around it. */
export function readFileInfo(data: JsonFields): {
  readonly fileId: string | null
  readonly until: number | null
} {
  const info = 'fileInfo' in data ? toFields(data['fileInfo']) : data
  const fileId = readString(info['fileId'], 64)
  return {
    fileId: /^[\w.-]+$/.test(fileId) ? fileId : null,
    until: readKoreanTime(info['expiryDate'])?.getTime() ?? null,
  }
}
