/**
 * Uploads images to Kakao, which accepts only URLs that its upload returned. Each image of this gateway is uploaded once for
 * its kind of bubble, and its URL is reused for `imageReuseMs`; the same content under another name is not uploaded again.
 * Other URLs are passed on unchanged.
 */
import { hash } from 'node:crypto'
import type { FileReference } from '../../../channels/channel.ts'
import type { ConnectorContext, ConnectorFile } from '../connector.ts'
import { toBrandFile } from '../friendtalk.ts'
import { selectImageKind } from '../http/image-kind.ts'
import type { HttpClient } from '../http/http-client.ts'
import { writeForm } from '../http/multipart.ts'
import { UploadCache, type Upload } from '../uploads.ts'
import { parseKakaoResponse, readTextField } from './response.ts'
import type { KakaoOptions } from './options.ts'
import { parseKakaoOutcome, type KakaoSendResult } from './outcome.ts'
import { buildKakaoUrl, type KakaoImageUrls } from './request.ts'

const maxUrlLength = 2_048

/** The outcome, and what the response shows about the account. */
type Failure = Pick<KakaoSendResult, 'outcome' | 'accountRefused' | 'doubtful'>

export interface ResolvedImages {
  readonly imageUrls: KakaoImageUrls
  /** Whether an image was uploaded earlier, so that Kakao can have removed it. */
  readonly reused: boolean
}

const unreadable: Failure = {
  outcome: { kind: 'unreachable', code: 'kakao:files', text: 'file store unavailable' },
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

  /** Returns the URLs at Kakao, or the failure. */
  async resolve(files: readonly FileReference[]): Promise<ResolvedImages | Failure> {
    const imageUrls = new Map<string, string>()
    let reused = false
    for (const file of files) {
      const path = uploadPath(file)
      const found = await this.#uploads.find(file.key, path, (read) => this.#upload(read, path))
      if (found.kind === 'failed') return found.failure
      reused ||= found.kind === 'uploaded' && found.isReused
      imageUrls.set(file.key, found.kind === 'uploaded' ? found.reference : file.key)
    }
    return { imageUrls, reused }
  }

  /** Removes uploads that Kakao refused. */
  invalidate(files: readonly FileReference[]): void {
    for (const file of files) this.#uploads.invalidate(file.key, uploadPath(file))
  }

  async #upload(file: ConnectorFile, path: string): ReturnType<Upload<Failure>> {
    const { imageField, imageReuseMs } = this.#options
    const result = await this.#client.send(kakaoUploadRequest(this.#options, file, path))
    if (result.kind === 'answer' && result.status >= 200 && result.status < 300) {
      const reference = readTextField(parseKakaoResponse(result.body).body, imageField, maxUrlLength + 1)
      if (reference.length <= maxUrlLength && /^https?:\/\/\S+$/.test(reference))
        return { reference, lifetimeMs: imageReuseMs }
    }
    const { outcome, accountRefused, doubtful } = parseKakaoOutcome(this.#options, result, '')
    const account = { accountRefused, doubtful }
    if (outcome.kind === 'throttled') return { failure: { outcome, ...account } }
    if (outcome.kind === 'refused')
      return { failure: { outcome: { ...outcome, cause: 'attachment' }, ...account } }
    // Only the image was possibly sent, not the message.
    const code = outcome.kind === 'accepted' ? 'kakao:no-address' : outcome.code
    const failed = { kind: 'unreachable', code, text: 'image upload failed' } as const
    return { failure: { outcome: failed, ...account } }
  }
}

export function uploadPath(file: Pick<FileReference, 'use' | 'kinds' | 'path'>): string {
  return `image/${selectImageKind(toBrandFile(file), 'default')}`
}

const maxNameLength = 40

export interface UploadRequest {
  readonly method: 'POST'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

export function kakaoUploadRequest(
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
    url: buildKakaoUrl(uploadUrl, 'v2', partnerKey, path),
    headers: { 'content-type': contentType },
    body,
  }
}
