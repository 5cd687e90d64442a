/**
 * Uploaded files at one host: each content is uploaded there once, however often clients upload it here, and its id is used
 * until it expires there. What is not a file of this gateway is passed on as it is. Used for each message with media.
 */
import { LRUCache } from 'lru-cache'
import type { FileReference } from '../../channels/channel.ts'
import { mediaScheme } from '../../channels/rcs/values.ts'
import { clock } from '../../platform/clock.ts'
import { shareCall } from '../../platform/share-call.ts'
import type { ConnectorContext, ConnectorFile, SubmitOutcome } from '../connector.ts'
import { objectOf, textOf, type Answer, type Fields } from './answer.ts'
import { meaningOf } from '../rcs-codes.ts'
import type { MaapHost } from './host.ts'
import type { UploadedFiles } from './message.ts'
import { outcomeOf, type OutcomeOptions } from './outcome.ts'
import { readTime } from './time.ts'
import { digestOf, fileIdOf, uploadRequest } from './upload-request.ts'

export interface FileOptions extends OutcomeOptions {
  readonly fileIdPrefix: string
  readonly fileLifetimeMs: number
}

/** Ids and digests have about 100 characters. */
const maxKnown = 10_000
/** A message waits at the carrier before the file is read: up to three days. */
const marginMs = 3 * 86_400_000
const maxLifetimeMs = 365 * 86_400_000
/** How long it is remembered that a key is not of this gateway. */
const foreignMs = 60_000
const foreign = ''

type Uploaded = { readonly reference: string } | { readonly outcome: SubmitOutcome }

/** Digests of our files by key, for all hosts of a connector. */
export function createDigests(): LRUCache<string, string> {
  return new LRUCache({ max: maxKnown })
}

export class HostFiles {
  readonly #host: MaapHost
  readonly #context: ConnectorContext
  readonly #options: FileOptions
  readonly #digests: LRUCache<string, string>
  readonly #references = new LRUCache<string, string>({ max: maxKnown })
  readonly #uploads = new Map<string, Promise<Uploaded>>()

  constructor(
    host: MaapHost,
    context: ConnectorContext,
    options: FileOptions,
    digests: LRUCache<string, string>,
  ) {
    this.#host = host
    this.#context = context
    this.#options = options
    this.#digests = digests
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
    for (const { key } of files) {
      const uploaded = await this.#find(key, fields)
      if ('outcome' in uploaded) return uploaded.outcome
      if (uploaded.reference !== foreign) references.set(key, uploaded.reference)
    }
    return references
  }

  /** The host no longer knows them. True when any of them was uploaded from here. */
  forget(files: readonly FileReference[], fields: Readonly<Record<string, string>>): boolean {
    const deleted = files.map(({ key }) => {
      const digest = this.#digests.get(key)
      return digest !== undefined && this.#references.delete(idOf(digest, fields))
    })
    return deleted.includes(true)
  }

  async #find(key: string, fields: Readonly<Record<string, string>>): Promise<Uploaded> {
    const digest = this.#digests.get(key)
    if (digest === foreign) return { reference: foreign }
    const known = digest === undefined ? undefined : this.#references.get(idOf(digest, fields))
    if (known !== undefined) return { reference: known }
    const id = `${key} ${JSON.stringify(fields)}`
    return shareCall(this.#uploads, id, () => this.#read(key, fields))
  }

  async #read(key: string, fields: Readonly<Record<string, string>>): Promise<Uploaded> {
    let file: ConnectorFile | null
    try {
      file = await this.#context.openFile(key)
    } catch {
      return {
        outcome: { kind: 'unreachable', code: 'maap:files', text: 'the store of files is unavailable' },
      }
    }
    if (file === null) {
      this.#digests.set(key, foreign, { ttl: foreignMs })
      return { reference: foreign }
    }
    const digest = digestOf(file.bytes)
    this.#digests.set(key, digest)
    // The same content under another key.
    const id = idOf(digest, fields)
    const known = this.#references.get(id)
    if (known !== undefined) return { reference: known }
    // Of the fields, too: another upload of the same content may begin in the same millisecond.
    const fileId = fileIdOf(this.#options.fileIdPrefix, digestOf(Buffer.from(id)), clock.date())
    return this.#upload(id, fileId, file, digest, fields)
  }

  async #upload(
    id: string,
    fileId: string,
    file: ConnectorFile,
    digest: string,
    fields: Readonly<Record<string, string>>,
  ): Promise<Uploaded> {
    const { contentType, body } = uploadRequest(fileId, file, digest, fields)
    const result = await this.#host.call({ path: '/file', contentType, body })
    if (result.kind === 'answer') {
      const { answer } = result
      const isThere = answer.isSuccess || meaningOf(answer.code, this.#options.codes) === 'duplicate'
      if (isThere) return this.#keep(id, fileId, answer)
    }
    const outcome = outcomeOf(this.#options, { id: '', carrier: undefined, hasOwnAgencyKey: false }, result)
    if (outcome.kind === 'throttled') return { outcome }
    if (outcome.kind === 'refused') return { outcome: { ...outcome, cause: 'attachment' } }
    // Only the file was perhaps sent, not the message.
    const code = outcome.kind === 'accepted' ? 'maap:file' : outcome.code
    return { outcome: { kind: 'unreachable', code, text: 'a file was not uploaded' } }
  }

  #keep(id: string, fileId: string, { data }: Answer): Uploaded {
    const info = readFileInfo(data)
    const reference = `${mediaScheme}${info.fileId ?? fileId}`
    const until = info.until ?? clock.now() + this.#options.fileLifetimeMs
    const leftMs = Math.min(until - clock.now(), maxLifetimeMs)
    // Of a short life the last tenth is not used.
    const ttl = Math.max(1, Math.floor(Math.max(leftMs - marginMs, leftMs * 0.9)))
    this.#references.set(id, reference, { ttl })
    this.#context.onEvent('file-uploaded')
    return { reference }
  }
}

/** Of the answer to an upload, with or without `fileInfo` around it. */
export function readFileInfo(data: Fields): {
  readonly fileId: string | null
  readonly until: number | null
} {
  const info = 'fileInfo' in data ? objectOf(data['fileInfo']) : data
  const fileId = textOf(info['fileId'], 64)
  return {
    fileId: /^[\w.-]+$/.test(fileId) ? fileId : null,
    until: readTime(info['expiryDate'])?.getTime() ?? null,
  }
}

function idOf(digest: string, fields: Readonly<Record<string, string>>): string {
  return `${digest} ${JSON.stringify(fields)}`
}
