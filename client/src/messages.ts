import type { Caller, CallOptions, ResponseData } from './call.ts'
import { toIsoTime } from './iso-time.ts'

/** The largest page: a small one counts as much in the rate limit. */
const maxPageSize = 200

export interface MessageFilter {
  /** Start of the period, by time of acceptance, or send time of a scheduled message. */
  readonly since: Date | string
  /** End of the period, at most 31 days after `since`. Default: now. */
  readonly until?: Date | string | undefined
  readonly ref?: string | undefined
  /** Recipient number. */
  readonly to?: string | undefined
  readonly state?: 'open' | 'closed' | undefined
}

export class Messages {
  readonly #caller: Caller

  constructor(caller: Caller) {
    this.#caller = caller
  }

  /** Returns the steps and events of a message. */
  get(msgKey: string, options?: CallOptions): Promise<ResponseData<'showMessage'>> {
    return this.#caller.callForData('showMessage', { path: { msgKey } }, options)
  }

  /** Lists messages, newest first, and requests pages as needed. */
  async *list(
    { since, until, ...filter }: MessageFilter,
    options?: CallOptions,
  ): AsyncGenerator<ResponseData<'searchMessages'>['message'][number], void> {
    const search = { ...filter, since: toIsoTime(since), until: toIsoTime(until), limit: maxPageSize }
    let cursor: string | undefined
    do {
      const page = await this.#caller.callForData('searchMessages', { body: { ...search, cursor } }, options)
      yield* page.message
      cursor = page.cursor
    } while (cursor !== undefined)
  }
}
