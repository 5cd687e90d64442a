/** What recipients write. */
import type { Caller } from './call.ts'
import type { ReplyRecord } from './generated/types.ts'
import { Inbox } from './inbox.ts'

export class Replies extends Inbox<ReplyRecord> {
  constructor(caller: Caller) {
    super({
      async poll(options) {
        const { data } = await caller.call('pollReplies', {}, options)
        return { batchId: data.batchId, items: data.reply }
      },
      acknowledge: (batchId, options) => caller.call('acknowledgeReplies', { path: { batchId } }, options),
      async read(query, options) {
        const { data } = await caller.call('streamReplies', { query }, options)
        return { items: data.reply, cursor: data.cursor }
      },
      move: (consumer, cursor, options) =>
        caller.call('moveReplyConsumer', { path: { consumer }, body: { cursor } }, options),
    })
  }
}
