/**
 * Whether a recipient can receive RCS: asked once, and learned from answers to messages. What cannot be found out is
 * `unknown`, and the message is sent. At most one request for a recipient at a time.
 */
import { randomUUID } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { shareCall } from '../../platform/share-call.ts'
import type { Capability } from '../connector.ts'
import type { Api } from './api.ts'
import type { RbmOptions } from './options.ts'
import { readError } from './outcome.ts'
import { capabilityRequest } from './requests.ts'

/** About 150 bytes each. */
const maxKnown = 100_000

export class Capabilities {
  readonly #options: Pick<RbmOptions, 'capableForMs' | 'incapableForMs'>
  readonly #api: Api
  readonly #known = new LRUCache<string, 'capable' | 'incapable'>({ max: maxKnown })
  readonly #lookups = new Map<string, Promise<Capability>>()

  constructor(options: Pick<RbmOptions, 'capableForMs' | 'incapableForMs'>, api: Api) {
    this.#options = options
    this.#api = api
  }

  /** `to` is in the form of E.164. */
  find(to: string, agentId: string): Promise<Capability> {
    const known = this.#known.get(to)
    if (known !== undefined) return Promise.resolve(known)
    return shareCall(this.#lookups, to, () => this.#ask(to, agentId))
  }

  learn(to: string, capability: 'capable' | 'incapable'): void {
    const { capableForMs, incapableForMs } = this.#options
    this.#known.set(to, capability, { ttl: capability === 'capable' ? capableForMs : incapableForMs })
  }

  async #ask(to: string, agentId: string): Promise<Capability> {
    const result = await this.#api.call(capabilityRequest(to, randomUUID(), agentId))
    if (result.kind !== 'answer') return 'unknown'
    const isFound = result.status === 200
    // Another 404 is that of a proxy or of a wrong address.
    if (!isFound && readError(result.body)?.status !== 'NOT_FOUND') return 'unknown'
    const capability = isFound ? 'capable' : 'incapable'
    this.learn(to, capability)
    return capability
  }
}
