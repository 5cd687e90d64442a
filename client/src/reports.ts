/** The results of messages. */
import type { Caller, CallOptions } from './call.ts'
import type { Report } from './generated/types.ts'
import { Inbox } from './inbox.ts'

export class Reports extends Inbox<Report> {
  readonly #caller: Caller

  constructor(caller: Caller) {
    super({
      async poll(options) {
        const { data } = await caller.call('pollReports', {}, options)
        return { batchId: data.reportId, items: data.report }
      },
      acknowledge: (reportId, options) => caller.call('acknowledgeReports', { path: { reportId } }, options),
      async read(query, options) {
        const { data } = await caller.call('streamReports', { query }, options)
        return { items: data.report, cursor: data.cursor }
      },
      move: (consumer, cursor, options) =>
        caller.call('moveConsumer', { path: { consumer }, body: { cursor } }, options),
    })
    this.#caller = caller
  }

  /** The reports of one message; none before its result is known. */
  async of(msgKey: string, options?: CallOptions): Promise<readonly Report[]> {
    return (await this.#caller.call('findReports', { path: { msgKey } }, options)).data.report
  }
}
