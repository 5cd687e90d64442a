/**
 * Caches uploads of files to a carrier that requires them before the message. Each content is uploaded once per scope (a
 * host, an agent, a kind of message), and its reference is reused until it expires there. Concurrent messages share the
 * upload of a key; only the same content under two keys can be uploaded twice at the same time. The cache is limited in size.
 */
import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { singleFlight } from '../../platform/single-flight.ts'
import type { ConnectorContext, ConnectorFile } from './connector.ts'

/** Maximum entries of about 100 characters each. */
const maxKnown = 10_000
/** Stands for the digest of a key that is not a file of this gateway; remembered for `foreignMs`. */
const foreign = ''
const foreignMs = 60_000

export type UploadLookup<Failure> =
  /** `isReused`: uploaded earlier, so the carrier can have removed it. */
  | { readonly kind: 'uploaded'; readonly reference: string; readonly isReused: boolean }
  /** Removed, or not a file of this gateway. */
  | { readonly kind: 'foreign' }
  | { readonly kind: 'failed'; readonly failure: Failure }

/** Uploads a file. Resolves to the carrier's reference and its lifetime, or to the failure. Must not reject. */
export type Upload<Failure> = (
  file: ConnectorFile,
  digest: string,
) => Promise<{ readonly reference: string; readonly lifetimeMs: number } | { readonly failure: Failure }>

/** Creates a cache of file digests by key, which several upload caches can share. */
export function createDigestCache(): LRUCache<string, string> {
  return new LRUCache({ max: maxKnown })
}

export class UploadCache<Failure> {
  readonly #context: Pick<ConnectorContext, 'openFile' | 'onEvent'>
  readonly #unreadable: Failure
  readonly #digests: LRUCache<string, string>
  readonly #references = new LRUCache<string, string>({ max: maxKnown })
  readonly #uploads = new Map<string, Promise<UploadLookup<Failure>>>()

  /** `unreadable` is the failure if the file store is unavailable. */
  constructor(
    context: Pick<ConnectorContext, 'openFile' | 'onEvent'>,
    unreadable: Failure,
    digests: LRUCache<string, string> = createDigestCache(),
  ) {
    this.#context = context
    this.#unreadable = unreadable
    this.#digests = digests
  }

  find(key: string, scope: string, upload: Upload<Failure>): Promise<UploadLookup<Failure>> {
    const digest = this.#digests.get(key)
    if (digest === foreign) return Promise.resolve({ kind: 'foreign' })
    const known = digest === undefined ? undefined : this.#references.get(cacheKey(digest, scope))
    if (known !== undefined) return Promise.resolve({ kind: 'uploaded', reference: known, isReused: true })
    return singleFlight(this.#uploads, `${key} ${scope}`, () => this.#read(key, scope, upload))
  }

  /** Removes an upload that the carrier no longer has. Returns true if it was cached here. */
  invalidate(key: string, scope: string): boolean {
    const digest = this.#digests.get(key)
    return digest !== undefined && this.#references.delete(cacheKey(digest, scope))
  }

  async #read(key: string, scope: string, upload: Upload<Failure>): Promise<UploadLookup<Failure>> {
    let file: ConnectorFile | null
    try {
      file = await this.#context.openFile(key)
    } catch {
      return { kind: 'failed', failure: this.#unreadable }
    }
    if (file === null) {
      this.#digests.set(key, foreign, { ttl: foreignMs })
      return { kind: 'foreign' }
    }
    const digest = hash('sha256', file.bytes)
    this.#digests.set(key, digest)
    // The same content can have been uploaded under another key.
    const id = cacheKey(digest, scope)
    const known = this.#references.get(id)
    if (known !== undefined) return { kind: 'uploaded', reference: known, isReused: true }
    const uploaded = await upload(file, digest)
    if ('failure' in uploaded) return { kind: 'failed', failure: uploaded.failure }
    const { reference, lifetimeMs } = uploaded
    this.#references.set(id, reference, { ttl: Math.max(1, Math.floor(lifetimeMs)) })
    this.#context.onEvent('file-uploaded')
    return { kind: 'uploaded', reference, isReused: false }
  }
}

function cacheKey(digest: string, scope: string): string {
  return `${digest} ${scope}`
}
