/**
 * Images at Kakao: only addresses that its upload returned may be sent. Each image of this gateway is uploaded once for its
 * kind of bubble, and its address is used for `imageReuseMs`; the same octets under another name are not uploaded again.
 * What is not a file of this gateway is passed on as it is. Called by the connector.
 */
import { hash } from 'node:crypto'
import type { FileReference } from '../../channels/channel.ts'
import type { ConnectorContext, ConnectorFile } from '../connector.ts'
import { toBrandFile } from '../friendtalk.ts'
import { imageKindOf } from '../image-kind.ts'
import type { HttpClient } from '../http-client.ts'
import { writeForm } from '../multipart.ts'
import { UploadCache, type Upload } from '../uploads.ts'
import { readAnswer, textIn } from './answer.ts'
import type { KakaoOptions } from './options.ts'
import { readOutcome, type SendResult } from './outcome.ts'
import { addressOf, type Images } from './request.ts'

const maxAddressLength = 2_048

/** The outcome, and what it says of the account. */
type Failure = Pick<SendResult, 'outcome' | 'accountRefused' | 'doubtful'>

export interface ResolvedImages {
  readonly addresses: Images
  /** One was uploaded earlier: Kakao may have removed it. */
  readonly reused: boolean
}

const unreadable: Failure = {
  outcome: { kind: 'unreachable', code: 'kakao:files', text: 'the store of files is unavailable' },
  accountRefused: false,
  doubtful: false,
}

export class KakaoImages {
  readonly #options: KakaoOptions
  readonly #client: HttpClient
  readonly #uploads: UploadCache<Failure>

  constructor(options: KakaoOptions, context: ConnectorContext, client: HttpClient) {
    this.#options = options
    this.#client = client
    this.#uploads = new UploadCache(context, unreadable)
  }

  /** The addresses at Kakao, or why they are missing. */
  async resolve(files: readonly FileReference[]): Promise<ResolvedImages | Failure> {
    const addresses = new Map<string, string>()
    let reused = false
    for (const file of files) {
      const path = uploadPath(file)
      const found = await this.#uploads.find(file.key, path, (read) => this.#upload(read, path))
      if (found.kind === 'failed') return found.failure
      reused ||= found.kind === 'uploaded' && found.isReused
      addresses.set(file.key, found.kind === 'uploaded' ? found.reference : file.key)
    }
    return { addresses, reused }
  }

  /** Kakao has refused them. */
  forget(files: readonly FileReference[]): void {
    for (const file of files) this.#uploads.forget(file.key, uploadPath(file))
  }

  async #upload(file: ConnectorFile, path: string): ReturnType<Upload<Failure>> {
    const { imageField, imageReuseMs } = this.#options
    const result = await this.#client.send(uploadRequest(this.#options, file, path))
    if (result.kind === 'answer' && result.status >= 200 && result.status < 300) {
      const reference = textIn(readAnswer(result.body).body, imageField, maxAddressLength + 1)
      if (reference.length <= maxAddressLength && /^https?:\/\/\S+$/.test(reference))
        return { reference, lifetimeMs: imageReuseMs }
    }
    const { outcome, accountRefused, doubtful } = readOutcome(this.#options, result, '')
    const account = { accountRefused, doubtful }
    if (outcome.kind === 'throttled') return { failure: { outcome, ...account } }
    if (outcome.kind === 'refused')
      return { failure: { outcome: { ...outcome, cause: 'attachment' }, ...account } }
    // Only the image was perhaps sent, not the message.
    const code = outcome.kind === 'accepted' ? 'kakao:no-address' : outcome.code
    const failed = { kind: 'unreachable', code, text: 'an image was not uploaded' } as const
    return { failure: { outcome: failed, ...account } }
  }
}

export function uploadPath(file: Pick<FileReference, 'use' | 'kinds' | 'path'>): string {
  return `image/${imageKindOf(toBrandFile(file), 'default')}`
}

const maxNameLength = 40

export interface UploadRequest {
  readonly method: 'POST'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

export function uploadRequest(
  { uploadUrl, partnerKey }: KakaoOptions,
  file: ConnectorFile,
  path: string,
): UploadRequest {
  const { contentType, body } = writeForm(
    'image',
    { ...file, name: file.name.slice(-maxNameLength) },
    hash('sha256', file.bytes),
  )
  return {
    method: 'POST',
    url: addressOf(uploadUrl, 'v2', partnerKey, path),
    headers: { 'content-type': contentType },
    body,
  }
}
