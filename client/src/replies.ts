import type { Caller } from './call.ts'
import type { ReplyRecord } from './generated/types.ts'
import { Inbox } from './inbox.ts'

export class Replies extends Inbox<ReplyRecord> {
  constructor(caller: Caller) {
    super({
      async poll(options) {
        const { batchId, reply } = await caller.callForData('pollReplies', {}, options)
        return { batchId, items: reply }
      },
      acknowledge: (batchId, options) => caller.call('acknowledgeReplies', { path: { batchId } }, options),
      async read(query, options) {
        const { reply, cursor } = await caller.callForData('streamReplies', { query }, options)
        return { items: reply, cursor }
      },
      move: (consumer, cursor, options) =>
        caller.call('moveReplyConsumer', { path: { consumer }, body: { cursor } }, options),
    })
  }
}
