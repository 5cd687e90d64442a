/** The client of one account. It may be used by any number of callers at a time. */
import { Caller, type CallOptions, type Input } from './call.ts'
import { Files } from './files.ts'
import { Forms } from './forms.ts'
import type { OperationId, Operations } from './generated/operations.ts'
import { settingsOf, type ClientOptions } from './options.ts'
import { Replies } from './replies.ts'
import { Reports } from './reports.ts'
import { Send } from './send.ts'
import { Webhooks } from './webhooks.ts'

export class Postern {
  readonly send: Send
  readonly reports: Reports
  readonly replies: Replies
  readonly files: Files
  readonly forms: Forms
  readonly webhooks: Webhooks
  readonly #caller: Caller

  constructor(options: ClientOptions) {
    this.#caller = new Caller(settingsOf(options))
    this.send = new Send(this.#caller)
    this.reports = new Reports(this.#caller)
    this.replies = new Replies(this.#caller)
    this.files = new Files(this.#caller)
    this.forms = new Forms(this.#caller)
    this.webhooks = new Webhooks(this.#caller)
  }

  /** Any operation by its id in the API document, such as `showMessage`, `showUsage` or `suppress`. */
  call<Id extends OperationId>(
    id: Id,
    input: Input<Id>,
    options?: CallOptions,
  ): Promise<Operations[Id]['answer']> {
    return this.#caller.call(id, input, options)
  }
}
