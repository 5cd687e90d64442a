/**
 * Calls operations of the admin API by their ids, with the types of their definitions. The transport is HTTPS
 * or the command's own process; both run the same definitions with the same checks.
 */
import { FailedError, UsageError } from '../errors.ts'
import type { ResponseData, RequestInput, OperationId } from './types.ts'

export type { ResponseData, RequestInput }
export type ListItem<Id extends OperationId> =
  ResponseData<Id> extends { readonly items: readonly (infer One)[] } ? One : never

type Fields = Readonly<Record<string, unknown>>
export interface UntypedInput {
  readonly params?: Fields
  readonly query?: Fields
  readonly body?: Fields
}

export interface Transport {
  /** Names the backend in errors. */
  readonly name: string
  /** The origin of the admin API, or null for the database. */
  readonly url: string | null
  /** The profile of the key; `null` if the key does not come from a profile. */
  readonly profile: string | null
  /**
   * Returns the data of a successful response. `version` is the read version of the object that the operation
   * replaces.
   */
  call(id: OperationId, input: UntypedInput, version?: string): Promise<unknown>
  close(): Promise<void>
}

const maxPages = 10_000
/** The largest page that the admin API returns. */
export const pageSize = 200

interface AnyPage {
  readonly next: string | null
}

interface Page<One> extends AnyPage {
  readonly items: readonly One[]
}

export class AdminClient {
  /** The reason for bodies and queries; empty if --reason was not given. */
  readonly reason: { readonly reason?: string }
  readonly profile: string | null
  readonly url: string | null
  readonly #transport: Transport

  constructor(transport: Transport, reason?: string) {
    this.#transport = transport
    this.profile = transport.profile
    this.url = transport.url
    this.reason = reason === undefined ? {} : { reason }
  }

  /**
   * Returns the reason for a request that must have one. It can only be missing if the command's definition does not
   * require it.
   */
  requireReason(): { readonly reason: string } {
    const { reason } = this.reason
    if (reason !== undefined) return { reason }
    throw new UsageError('--reason is required for this operation')
  }

  /** Returns the data of a successful response. Fails with the problem and the next step. */
  async call<Id extends OperationId>(
    id: Id,
    input: RequestInput<Id>,
    version?: string,
  ): Promise<ResponseData<Id>> {
    return (await this.#transport.call(id, input as UntypedInput, version)) as ResponseData<Id>
  }

  /** Returns all items of a list, or the first `max`. */
  async readAll<One>(
    read: (page: { limit: number; cursor?: string }) => Promise<Page<One>>,
    max = Infinity,
  ): Promise<One[]> {
    const items: One[] = []
    const limit = () => Math.min(pageSize, max - items.length)
    for await (const { items: more } of this.readPages((page) => read({ limit: limit(), ...page }))) {
      items.push(...more)
      if (items.length >= max) break
    }
    return items.slice(0, max)
  }

  /** Yields one page after the other, for results that are too large to keep. */
  async *readPages<One extends AnyPage>(
    read: (page: { cursor?: string }) => Promise<One>,
  ): AsyncGenerator<One, undefined> {
    let cursor: string | undefined
    for (let pages = 0; pages < maxPages; pages += 1) {
      const page = await read(cursor === undefined ? {} : { cursor })
      yield page
      if (page.next === null) return
      if (page.next === cursor) break
      cursor = page.next
    }
    throw new FailedError(`the list of ${this.#transport.name} has too many pages; narrow the query`)
  }
}
