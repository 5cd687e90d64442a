import { Batches } from './batches.ts'
import { Caller, type CallOptions, type CallInput } from './call.ts'
import { Files } from './files.ts'
import { Forms } from './forms.ts'
import type { OperationId, Operations } from './generated/operations.ts'
import { Messages } from './messages.ts'
import { toSettings, type ClientOptions } from './options.ts'
import { Replies } from './replies.ts'
import { Reports } from './reports.ts'
import { Send } from './send.ts'
import { Webhooks } from './webhooks.ts'

/** Client of one account. Safe for concurrent use. */
export class Postern {
  readonly send: Send
  readonly batches: Batches
  readonly messages: Messages
  readonly reports: Reports
  readonly replies: Replies
  readonly files: Files
  readonly forms: Forms
  readonly webhooks: Webhooks
  readonly #caller: Caller

  constructor(options: ClientOptions) {
    this.#caller = new Caller(toSettings(options))
    this.send = new Send(this.#caller)
    this.batches = new Batches(this.#caller)
    this.messages = new Messages(this.#caller)
    this.reports = new Reports(this.#caller)
    this.replies = new Replies(this.#caller)
    this.files = new Files(this.#caller)
    this.forms = new Forms(this.#caller)
    this.webhooks = new Webhooks(this.#caller)
  }

  /** Calls an operation by its ID in the API document, such as `showUsage` or `suppress`. */
  call<Id extends OperationId>(
    id: Id,
    input: CallInput<Id>,
    options?: CallOptions,
  ): Promise<Operations[Id]['response']> {
    return this.#caller.call(id, input, options)
  }
}
