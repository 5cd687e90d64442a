/** Messages that the gateway accepted from the account. */
import type { Caller, CallOptions, ResponseData } from './call.ts'
import { toIsoTime } from './iso-time.ts'

/** Each page counts against the rate limit, whatever its size. */
const largestPage = 200

export interface MessageFilter {
  /** Start of the window, by the time of acceptance; a scheduled message counts by its send time. */
  readonly since: Date | string
  /** End of the window, at most 31 days after `since`. Default: now. */
  readonly until?: Date | string | undefined
  readonly ref?: string | undefined
  /** The recipient. */
  readonly to?: string | undefined
  readonly state?: 'open' | 'closed' | undefined
}

export class Messages {
  readonly #caller: Caller

  constructor(caller: Caller) {
    this.#caller = caller
  }

  /** Returns the timeline of a message: its steps and what happened. */
  get(msgKey: string, options?: CallOptions): Promise<ResponseData<'showMessage'>> {
    return this.#caller.callForData('showMessage', { path: { msgKey } }, options)
  }

  /** Lists messages, newest first. Requests each page when the loop reaches it. */
  async *list(
    { since, until, ...filter }: MessageFilter,
    options?: CallOptions,
  ): AsyncGenerator<ResponseData<'listMessages'>['message'][number], void> {
    const query = { ...filter, since: toIsoTime(since), until: toIsoTime(until), limit: largestPage }
    let cursor: string | undefined
    do {
      const page = await this.#caller.callForData('listMessages', { query: { ...query, cursor } }, options)
      yield* page.message
      cursor = page.cursor
    } while (cursor !== undefined)
  }
}
