/**
 * Uploaded files at one host: each content is uploaded there once, however often clients upload it here, and its id is used
 * until it expires there. What is not a file of this gateway is passed on as it is. Used for each message with media.
 */
import { hash } from 'node:crypto'
import type { FileReference } from '../../channels/channel.ts'
import { mediaScheme } from '../../channels/rcs/values.ts'
import { clock } from '../../platform/clock.ts'
import type { ConnectorContext, ConnectorFile, SubmitOutcome } from '../connector.ts'
import { fieldsOf, textOf, type Fields } from '../json.ts'
import { readKoreanTime } from '../korean-time.ts'
import { meaningOf } from '../rcs-codes.ts'
import { UploadCache, type createDigests, type Upload } from '../uploads.ts'
import type { Answer } from './answer.ts'
import type { MaapHost } from './host.ts'
import type { UploadedFiles } from './message.ts'
import { outcomeOf, type OutcomeOptions } from './outcome.ts'
import { fileIdOf, uploadRequest } from './upload-request.ts'

export interface FileOptions extends OutcomeOptions {
  readonly fileIdPrefix: string
  readonly fileLifetimeMs: number
}

/** A message waits at the carrier before the file is read: up to three days. */
const marginMs = 3 * 86_400_000
const maxLifetimeMs = 365 * 86_400_000

const unreadable: SubmitOutcome = {
  kind: 'unreachable',
  code: 'maap:files',
  text: 'the store of files is unavailable',
}

export class HostFiles {
  readonly #host: MaapHost
  readonly #options: FileOptions
  readonly #uploads: UploadCache<SubmitOutcome>

  constructor(
    host: MaapHost,
    context: ConnectorContext,
    options: FileOptions,
    digests: ReturnType<typeof createDigests>,
  ) {
    this.#host = host
    this.#options = options
    this.#uploads = new UploadCache(context, unreadable, digests)
  }

  /**
   * The references at the host, or the outcome of a message whose files cannot be uploaded. `fields` are sent with the
   * file; for other fields it is another upload.
   */
  async resolve(
    files: readonly FileReference[],
    fields: Readonly<Record<string, string>>,
  ): Promise<UploadedFiles | SubmitOutcome> {
    const references = new Map<string, string>()
    const place = JSON.stringify(fields)
    for (const { key } of files) {
      const found = await this.#uploads.find(key, place, (file, digest) => this.#upload(file, digest, fields))
      if (found.kind === 'failed') return found.failure
      if (found.kind === 'uploaded') references.set(key, found.reference)
    }
    return references
  }

  /** The host no longer knows them. True when any of them was uploaded from here. */
  forget(files: readonly FileReference[], fields: Readonly<Record<string, string>>): boolean {
    const place = JSON.stringify(fields)
    return files.map(({ key }) => this.#uploads.forget(key, place)).includes(true)
  }

  async #upload(
    file: ConnectorFile,
    digest: string,
    fields: Readonly<Record<string, string>>,
  ): ReturnType<Upload<SubmitOutcome>> {
    // Of the fields, too: another upload of the same content may begin in the same millisecond.
    const whole = hash('sha256', `${digest} ${JSON.stringify(fields)}`)
    const fileId = fileIdOf(this.#options.fileIdPrefix, whole, clock.date())
    const { contentType, body } = uploadRequest(fileId, file, digest, fields)
    const result = await this.#host.call({ path: '/file', contentType, body })
    if (result.kind === 'answer') {
      const { answer } = result
      const isThere = answer.isSuccess || meaningOf(answer.code, this.#options.codes) === 'duplicate'
      if (isThere) return this.#read(fileId, answer)
    }
    const outcome = outcomeOf(this.#options, { id: '', carrier: undefined, hasOwnAgencyKey: false }, result)
    if (outcome.kind === 'throttled') return { failure: outcome }
    if (outcome.kind === 'refused') return { failure: { ...outcome, cause: 'attachment' } }
    // Only the file was perhaps sent, not the message.
    const code = outcome.kind === 'accepted' ? 'maap:file' : outcome.code
    return { failure: { kind: 'unreachable', code, text: 'a file was not uploaded' } }
  }

  #read(fileId: string, { data }: Answer): { readonly reference: string; readonly lifetimeMs: number } {
    const info = readFileInfo(data)
    const until = info.until ?? clock.now() + this.#options.fileLifetimeMs
    const leftMs = Math.min(until - clock.now(), maxLifetimeMs)
    // Of a short life the last tenth is not used.
    const lifetimeMs = Math.max(leftMs - marginMs, leftMs * 0.9)
    return { reference: `${mediaScheme}${info.fileId ?? fileId}`, lifetimeMs }
  }
}

/** Of the answer to an upload, with or without `fileInfo` around it. */
export function readFileInfo(data: Fields): {
  readonly fileId: string | null
  readonly until: number | null
} {
  const info = 'fileInfo' in data ? fieldsOf(data['fileInfo']) : data
  const fileId = textOf(info['fileId'], 64)
  return {
    fileId: /^[\w.-]+$/.test(fileId) ? fileId : null,
    until: readKoreanTime(info['expiryDate'])?.getTime() ?? null,
  }
}
