/**
 * Submits RCS messages to the carriers. A number belongs to one of them: a carrier that responds that the number is not its own
 * certainly did not accept the message, so the next carrier gets it.
 */
import { LRUCache } from 'lru-cache'
import { clock } from '../../../platform/time/clock.ts'
import type { Connector, ConnectorContext, Submission, SubmitOutcome } from '../connector.ts'
import { PortedNumbers } from '../ported-numbers.ts'
import { carrierBody } from './carrier-request.ts'
import { createDigestCache } from '../uploads.ts'
import { HostFiles } from './files.ts'
import { MaapLink } from './link.ts'
import { checkMaapSubmission } from './message.ts'
import { toMaapMessageId } from './message-id.ts'
import { carrierCodes, type CarrierName, type MaapOptions } from './options.ts'
import { Submitter } from './submitter.ts'

/** Maximum number of submissions without a response to track; they are repeated at the same carrier. */
const maxUnanswered = 10_000

export class MaapConnector implements Connector {
  readonly repeatable: boolean
  readonly window: number
  readonly #options: MaapOptions
  readonly #context: ConnectorContext
  readonly #link: MaapLink
  /** Submitters in the order of attempts. */
  readonly #carriers: ReadonlyMap<CarrierName, Submitter>
  /** Numbers that do not belong to the first carrier. */
  readonly #numbers = new PortedNumbers<CarrierName>()
  readonly #unanswered = new LRUCache<string, CarrierName>({ max: maxUnanswered })

  constructor(options: MaapOptions, context: ConnectorContext) {
    this.#options = options
    this.#context = context
    this.repeatable = options.repeatable
    this.window = options.window
    this.#link = new MaapLink(options, context)
    const digests = createDigestCache()
    this.#carriers = new Map(
      listMaapCarriers(options).map((name) => {
        const { url, clientId, clientSecret, tls } = options.carriers[name]!
        const host = this.#link.addHost(name, {
          url,
          login: { clientId, clientSecret },
          ...(tls === undefined ? {} : { tls }),
        })
        const submitter = new Submitter({
          host,
          options,
          context,
          carrier: carrierCodes[name],
          files: new HostFiles(host, context, options, digests),
          toBody: (submission, content, files) =>
            carrierBody(options, submission, content, files, clock.timeBefore(submission.validUntil)),
          fileFields: ({ messagebaseId }) => ({
            usageType: 'send',
            ...(options.fileMessagebaseId ? { messagebaseId } : {}),
          }),
        })
        return [name, submitter]
      }),
    )
  }

  get linked(): boolean {
    return this.#link.linked
  }

  start(): void {
    this.#link.start()
  }

  submit(submission: Submission): Promise<SubmitOutcome> {
    return this.#link.submit(() => this.#submit(submission))
  }

  carrierIdFor(reference: string): string {
    return toMaapMessageId(reference)
  }

  stop(limitMs?: number): Promise<void> {
    return this.#link.stop(limitMs)
  }

  async #submit(submission: Submission): Promise<SubmitOutcome> {
    const { reference, to, message } = submission
    const refusal = checkMaapSubmission(this.#options, submission)
    if (refusal !== null || message.channel !== 'rcs') return refusal!
    let outcome!: SubmitOutcome
    for (const name of this.#orderFor(reference, to)) {
      const tried = await this.#carriers.get(name)!.submit(submission, message.content)
      outcome = tried.outcome
      if (!tried.isNotSubscriber) {
        this.#remember(reference, to, name, outcome)
        break
      }
      this.#context.onEvent('not-subscriber')
    }
    return outcome
  }

  /**
   * Returns the carrier that possibly accepted this submission or had the number, then the others; with `portability` answer,
   * failing ones come last.
   */
  #orderFor(reference: string, to: string): readonly CarrierName[] {
    const names = [...this.#carriers.keys()]
    const first = this.#unanswered.get(reference) ?? this.#numbers.get(to)
    const isLast = (name: CarrierName): boolean =>
      this.#options.portability === 'answer' && this.#carriers.get(name)!.host.isFailing
    const rank = (name: CarrierName): number => (name === first ? 0 : isLast(name) ? 2 : 1)
    return names.toSorted((left, right) => rank(left) - rank(right))
  }

  #remember(reference: string, to: string, name: CarrierName, outcome: SubmitOutcome): void {
    if (outcome.kind === 'unknown' && this.repeatable) this.#unanswered.set(reference, name)
    else this.#unanswered.delete(reference)
    if (outcome.kind !== 'accepted') return
    const [first] = this.#carriers.keys()
    if (name === first) this.#numbers.delete(to)
    else this.#numbers.set(to, name)
  }
}

/** Returns the carriers that have a host, in the order of attempts: first those in `order`. */
export function listMaapCarriers({ carriers, order }: MaapOptions): CarrierName[] {
  const names = [...new Set([...order, ...(Object.keys(carrierCodes) as CarrierName[])])]
  return names.filter((name) => carriers[name] !== undefined)
}
