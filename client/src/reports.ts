import type { Caller, CallOptions } from './call.ts'
import type { Operations } from './generated/operations.ts'
import type { Report } from './generated/types.ts'
import { Inbox } from './inbox.ts'

export interface MessageReports {
  /** `open` while the message is in flight. Only for accounts with full report keys. */
  readonly state: Operations['findReports']['response']['state']
  /** One report for each attempted step: the outcome of the message first, then the steps before it in order. */
  readonly reports: readonly Report[]
}

export class Reports extends Inbox<Report> {
  readonly #caller: Caller

  constructor(caller: Caller) {
    super({
      async poll(options) {
        const { reportId, report } = await caller.callForData('pollReports', {}, options)
        return { batchId: reportId, items: report }
      },
      acknowledge: (reportId, options) => caller.call('acknowledgeReports', { path: { reportId } }, options),
      async read(query, options) {
        const { report, cursor } = await caller.callForData('streamReports', { query }, options)
        return { items: report, cursor }
      },
      move: (consumer, cursor, options) =>
        caller.call('moveConsumer', { path: { consumer }, body: { cursor } }, options),
    })
    this.#caller = caller
  }

  /** Returns the state and the reports of one message. */
  async get(msgKey: string, options?: CallOptions): Promise<MessageReports> {
    const { state, data } = await this.#caller.call('findReports', { path: { msgKey } }, options)
    return { state, reports: data.report }
  }
}
