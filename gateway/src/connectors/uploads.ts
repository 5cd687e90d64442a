/**
 * Files of this gateway at a carrier that wants them uploaded before the message: each content is uploaded once for a place
 * (a host, an agent, a kind of message), also when several messages need it at the same time, and its reference is used until
 * it expires there. Bounded. Used by connectors for messages with files.
 */
import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { shareCall } from '../platform/share-call.ts'
import type { ConnectorContext, ConnectorFile } from './connector.ts'

/** References and digests have about 100 characters. */
const maxKnown = 10_000
/** How long it is remembered that a key is not of this gateway. */
const foreignMs = 60_000
const foreign = ''

export type Found<Failure> =
  /** `isReused`: it was uploaded earlier, and the carrier may have removed it. */
  | { readonly kind: 'uploaded'; readonly reference: string; readonly isReused: boolean }
  /** Not a file of this gateway, or not any more. */
  | { readonly kind: 'foreign' }
  | { readonly kind: 'failed'; readonly failure: Failure }

/** The reference at the carrier and how long it may be used, or why there is none. Must not reject. */
export type Upload<Failure> = (
  file: ConnectorFile,
  digest: string,
) => Promise<{ readonly reference: string; readonly lifetimeMs: number } | { readonly failure: Failure }>

/** Digests of our files by key; several caches may share them. */
export function createDigests(): LRUCache<string, string> {
  return new LRUCache({ max: maxKnown })
}

export class UploadCache<Failure> {
  readonly #context: Pick<ConnectorContext, 'openFile' | 'onEvent'>
  readonly #unreadable: Failure
  readonly #digests: LRUCache<string, string>
  readonly #references = new LRUCache<string, string>({ max: maxKnown })
  readonly #uploads = new Map<string, Promise<Found<Failure>>>()

  /** `unreadable`: the failure when the store of files is unavailable. */
  constructor(
    context: Pick<ConnectorContext, 'openFile' | 'onEvent'>,
    unreadable: Failure,
    digests: LRUCache<string, string> = createDigests(),
  ) {
    this.#context = context
    this.#unreadable = unreadable
    this.#digests = digests
  }

  find(key: string, place: string, upload: Upload<Failure>): Promise<Found<Failure>> {
    const digest = this.#digests.get(key)
    if (digest === foreign) return Promise.resolve({ kind: 'foreign' })
    const known = digest === undefined ? undefined : this.#references.get(idOf(digest, place))
    if (known !== undefined) return Promise.resolve({ kind: 'uploaded', reference: known, isReused: true })
    return shareCall(this.#uploads, `${key} ${place}`, () => this.#read(key, place, upload))
  }

  /** The carrier no longer knows it. True when it was uploaded from here. */
  forget(key: string, place: string): boolean {
    const digest = this.#digests.get(key)
    return digest !== undefined && this.#references.delete(idOf(digest, place))
  }

  async #read(key: string, place: string, upload: Upload<Failure>): Promise<Found<Failure>> {
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
    // The same content under another key.
    const id = idOf(digest, place)
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

function idOf(digest: string, place: string): string {
  return `${digest} ${place}`
}
