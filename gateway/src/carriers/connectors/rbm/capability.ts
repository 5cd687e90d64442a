/**
 * Determines whether a recipient can receive RCS, by one query or by responses to messages. If it cannot be determined, the
 * capability is `unknown` and the message is sent. Runs at most one query per recipient at a time.
 */
import { randomUUID } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { singleFlight } from '../../../platform/single-flight.ts'
import type { Capability } from '../connector.ts'
import type { RbmApi } from './api.ts'
import type { RbmOptions } from './options.ts'
import { parseApiError } from './outcome.ts'
import { capabilityRequest } from './requests.ts'

/** Maximum entries of about 150 bytes each. */
const maxKnown = 100_000

export class Capabilities {
  readonly #options: Pick<RbmOptions, 'capableForMs' | 'incapableForMs'>
  readonly #api: RbmApi
  readonly #known = new LRUCache<string, 'capable' | 'incapable'>({ max: maxKnown })
  readonly #lookups = new Map<string, Promise<Capability>>()

  constructor(options: Pick<RbmOptions, 'capableForMs' | 'incapableForMs'>, api: RbmApi) {
    this.#options = options
    this.#api = api
  }

  /** `to` must be in E.164 format. */
  find(to: string, agentId: string): Promise<Capability> {
    const known = this.#known.get(to)
    if (known !== undefined) return Promise.resolve(known)
    return singleFlight(this.#lookups, to, () => this.#query(to, agentId))
  }

  record(to: string, capability: 'capable' | 'incapable'): void {
    const { capableForMs, incapableForMs } = this.#options
    this.#known.set(to, capability, { ttl: capability === 'capable' ? capableForMs : incapableForMs })
  }

  async #query(to: string, agentId: string): Promise<Capability> {
    const result = await this.#api.call(capabilityRequest(to, randomUUID(), agentId))
    if (result.kind !== 'answer') return 'unknown'
    const isFound = result.status === 200
    // Any other 404 comes from a proxy or a wrong URL.
    if (!isFound && parseApiError(result.body)?.status !== 'NOT_FOUND') return 'unknown'
    const capability = isFound ? 'capable' : 'incapable'
    this.record(to, capability)
    return capability
  }
}
