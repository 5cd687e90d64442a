/**
 * Calls operations of the admin API by their ids, with the types of their definitions. The transport is HTTPS, or the process of the command
 * itself; both run the same definitions with the same checks.
 */
import { FailedError, UsageError } from '../errors.ts'
import type { Data, Input, OperationId } from './types.ts'

export type { Data, Input }
export type Item<Id extends OperationId> =
  Data<Id> extends { readonly items: readonly (infer One)[] } ? One : never

type Fields = Readonly<Record<string, unknown>>
export interface AnyInput {
  readonly params?: Fields
  readonly query?: Fields
  readonly body?: Fields
}

export interface Transport {
  /** Names what answers, for errors. */
  readonly name: string
  /** The origin of the admin API, or null for the database. */
  readonly url: string | null
  /** The profile that the key comes from; null if it does not come from one. */
  readonly profile: string | null
  /** Returns the data of a success. `version` is that of what the operation replaces, as it was read. */
  call(id: OperationId, input: AnyInput, version?: string): Promise<unknown>
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
  /** For bodies and queries; empty if --reason was not given. */
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

  /** For operations that need a reason in a case that the command's definition does not know. */
  requireReason(): { readonly reason: string } {
    const { reason } = this.reason
    if (reason !== undefined) return { reason }
    throw new UsageError('--reason is required: this is recorded with why it is done')
  }

  /** Returns the data of a success. Fails with what is wrong and what to do next. */
  async call<Id extends OperationId>(id: Id, input: Input<Id>, version?: string): Promise<Data<Id>> {
    return (await this.#transport.call(id, input as AnyInput, version)) as Data<Id>
  }

  /** All items of a list, or the first `max`. */
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

  /** One page after the other, for what is not kept as a whole. */
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
    throw new FailedError(`the list of ${this.#transport.name} does not end; narrow it`)
  }
}
