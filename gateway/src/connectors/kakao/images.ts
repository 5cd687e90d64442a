/**
 * Images at Kakao: only addresses that its upload returned may be sent. Each image of this gateway is uploaded once for its
 * kind of bubble, and its address is used for `imageReuseMs`; the same octets under another name are not uploaded again.
 * What is not a file of this gateway is passed on as it is. Called by the connector.
 */
import { createHash, hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { shareCall } from '../../platform/share-call.ts'
import type { FileReference } from '../../channels/channel.ts'
import type { ConnectorContext, ConnectorFile, SubmitOutcome } from '../connector.ts'
import { imageKindOf } from '../image-kind.ts'
import type { HttpClient } from '../http-client.ts'
import { readAnswer, textIn } from './answer.ts'
import type { KakaoOptions } from './options.ts'
import { readOutcome } from './outcome.ts'
import { addressOf, type Images } from './request.ts'

/** Addresses have about 100 characters. */
const maxKnown = 10_000
const maxAddressLength = 2_048

type Uploaded =
  | { readonly address: string; readonly reused: boolean }
  | {
      readonly outcome: SubmitOutcome
      readonly accountRefused: boolean
      readonly doubtful: boolean
    }

export interface ResolvedImages {
  readonly addresses: Images
  /** One was uploaded earlier: Kakao may have removed it. */
  readonly reused: boolean
}

export class KakaoImages {
  readonly #options: KakaoOptions
  readonly #context: ConnectorContext
  readonly #client: HttpClient
  /** By the path of the upload and the key of the file. */
  readonly #byKey: LRUCache<string, string>
  /** By the path of the upload and the digest of the octets. */
  readonly #byContent: LRUCache<string, string>
  readonly #uploads = new Map<string, Promise<Uploaded>>()

  constructor(options: KakaoOptions, context: ConnectorContext, client: HttpClient) {
    this.#options = options
    this.#context = context
    this.#client = client
    const settings = { max: maxKnown, ttl: options.imageReuseMs }
    this.#byKey = new LRUCache(settings)
    this.#byContent = new LRUCache(settings)
  }

  /** The addresses at Kakao, or why they are missing. */
  async resolve(
    files: readonly FileReference[],
  ): Promise<ResolvedImages | Extract<Uploaded, { readonly outcome: unknown }>> {
    const addresses = new Map<string, string>()
    let reused = false
    for (const file of files) {
      const uploaded = await this.#find(file.key, uploadPath(file))
      if ('outcome' in uploaded) return uploaded
      reused ||= uploaded.reused
      addresses.set(file.key, uploaded.address)
    }
    return { addresses, reused }
  }

  /** Kakao has refused them. */
  forget(files: readonly FileReference[]): void {
    for (const file of files) {
      const id = `${uploadPath(file)} ${file.key}`
      const address = this.#byKey.get(id)
      this.#byKey.delete(id)
      for (const [content, known] of this.#byContent) if (known === address) this.#byContent.delete(content)
    }
  }

  #find(key: string, path: string): Promise<Uploaded> {
    const id = `${path} ${key}`
    const address = this.#byKey.get(id)
    if (address !== undefined) return Promise.resolve({ address, reused: true })
    return shareCall(this.#uploads, id, () => this.#open(id, key, path))
  }

  async #open(id: string, key: string, path: string): Promise<Uploaded> {
    let file: ConnectorFile | null
    try {
      file = await this.#context.openFile(key)
    } catch {
      const outcome = { kind: 'unreachable', code: 'kakao:files', text: 'a file could not be read' } as const
      return { outcome, accountRefused: false, doubtful: false }
    }
    if (file === null) return { address: key, reused: false }
    const digest = createHash('sha256').update(file.bytes).digest('base64')
    const known = this.#byContent.get(`${path} ${digest}`)
    const uploaded: Uploaded =
      known === undefined ? await this.#upload(file, path) : { address: known, reused: true }
    if ('outcome' in uploaded) return uploaded
    this.#byKey.set(id, uploaded.address)
    this.#byContent.set(`${path} ${digest}`, uploaded.address)
    return uploaded
  }

  async #upload(file: ConnectorFile, path: string): Promise<Uploaded> {
    const { imageField } = this.#options
    const result = await this.#client.send(uploadRequest(this.#options, file, path))
    if (result.kind === 'answer' && result.status >= 200 && result.status < 300) {
      const address = textIn(readAnswer(result.body).body, imageField, maxAddressLength + 1)
      if (address.length <= maxAddressLength && /^https?:\/\/\S+$/.test(address)) {
        this.#context.onEvent('file-uploaded')
        return { address, reused: false }
      }
    }
    const { outcome, ...account } = readOutcome(this.#options, result, '')
    if (outcome.kind === 'throttled') return { outcome, ...account }
    if (outcome.kind === 'refused') return { outcome: { ...outcome, cause: 'attachment' }, ...account }
    // Only the image was perhaps sent, not the message.
    const code = outcome.kind === 'accepted' ? 'kakao:no-address' : outcome.code
    return { outcome: { kind: 'unreachable', code, text: 'an image was not uploaded' }, ...account }
  }
}

const friendtalkPaths: Readonly<Record<string, string>> = {
  FI: 'v1/image/friendtalk',
  FW: 'v1/image/friendtalk/wide',
  FL: 'v1/image/friendtalk/wideItemList',
  FC: 'v1/image/friendtalk/carousel',
  FA: 'v1/image/friendtalk/carouselCommerce',
}

export function uploadPath(file: Pick<FileReference, 'use' | 'kinds' | 'path'>): string {
  if (file.use === 'BRANDMESSAGE') return `v2/image/${imageKindOf(file, 'default')}`
  return friendtalkPaths[imageKindOf(file, 'FI')]!
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
  { bytes, contentType, name }: ConnectorFile,
  path: string,
): UploadRequest {
  const [version, rest] = [path.slice(0, 2), path.slice(3)]
  // No image can contain a digest of itself, and with it end its own part of the form.
  const boundary = `postern-${hash('sha256', bytes).slice(0, 32)}`
  const head = [
    `--${boundary}`,
    `Content-Disposition: form-data; name="image"; filename="${name.slice(-maxNameLength)}"`,
    `Content-Type: ${contentType}`,
  ]
  return {
    method: 'POST',
    url: addressOf(uploadUrl, version, partnerKey, rest),
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
    body: Buffer.concat([
      Buffer.from(`${head.join('\r\n')}\r\n\r\n`),
      bytes,
      Buffer.from(`\r\n--${boundary}--\r\n`),
    ]),
  }
}
