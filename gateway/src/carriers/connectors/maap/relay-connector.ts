/** Submits RCS messages to the relay of KT, and polls for results unless they arrive by webhook. */
import { clock } from '../../../platform/time/clock.ts'
import { settleOrTimeout } from '../../../platform/time/settle-or-timeout.ts'
import type { Connector, ConnectorContext, Submission, SubmitOutcome } from '../connector.ts'
import { createDigestCache } from '../uploads.ts'
import { HostFiles } from './files.ts'
import type { MaapHost } from './host.ts'
import { MaapLink } from './link.ts'
import { checkMaapSubmission } from './message.ts'
import { toMaapMessageId } from './message-id.ts'
import { ResultPoller } from './poller.ts'
import type { RelayOptions } from './relay-options.ts'
import { relayBody } from './relay-request.ts'
import { Submitter } from './submitter.ts'

export class RelayConnector implements Connector {
  readonly repeatable: boolean
  readonly window: number
  readonly #options: RelayOptions
  readonly #context: ConnectorContext
  readonly #link: MaapLink
  readonly #host: MaapHost
  readonly #submitter: Submitter
  readonly #stopping = new AbortController()
  #polling: Promise<void> | undefined

  constructor(options: RelayOptions, context: ConnectorContext) {
    const { url, rcsId, rcsSecret, tls } = options
    this.#options = options
    this.#context = context
    this.repeatable = options.repeatable
    this.window = options.window
    this.#link = new MaapLink(options, context)
    const login = { rcsId, rcsSecret }
    this.#host = this.#link.addHost('kt-relay', { url, login, ...(tls === undefined ? {} : { tls }) })
    this.#submitter = new Submitter({
      host: this.#host,
      options,
      context,
      carrier: undefined,
      files: new HostFiles(this.#host, context, options, createDigestCache()),
      toBody: (submission, content, files) =>
        relayBody(options, submission, content, files, clock.timeBefore(submission.validUntil)),
      fileFields: () => ({ usageType: 'send', usageService: 'RCS' }),
    })
  }

  get linked(): boolean {
    return this.#link.linked
  }

  start(): void {
    this.#link.start()
    if (this.#options.results !== 'polling' || !this.#context.isFirstOwner) return
    const poller = new ResultPoller(this.#options, this.#host, this.#context, this.#stopping.signal)
    this.#polling ??= poller.run()
  }

  submit(submission: Submission): Promise<SubmitOutcome> {
    return this.#link.submit(async () => {
      const refusal = checkMaapSubmission(this.#options, submission)
      if (refusal !== null || submission.message.channel !== 'rcs') return refusal!
      return (await this.#submitter.submit(submission, submission.message.content)).outcome
    })
  }

  carrierIdFor(reference: string): string {
    return toMaapMessageId(reference)
  }

  async stop(limitMs?: number): Promise<void> {
    this.#stopping.abort()
    // Receipts that are not stored in time are requested again by the next link.
    const drainMs = Math.min(limitMs ?? Infinity, this.#options.stopTimeoutMs)
    await Promise.all([
      this.#link.stop(limitMs),
      settleOrTimeout(drainMs, this.#polling ?? Promise.resolve()),
    ])
  }
}
