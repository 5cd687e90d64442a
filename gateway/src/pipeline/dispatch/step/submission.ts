/**
 * The submission that a connector receives for a released step, with everything that the client gave. Content that only
 * some connectors read is converted on access, so that a text over SMPP does not pay for it.
 */
import type { FileReference, Part, Step } from '../../../channels/channel.ts'
import { contentOf, originCidOf, type ChannelContent } from '../../../channels/content.ts'
import { isAdvertisement } from '../../../channels/advertisement.ts'
import { channels } from '../../../channels/registry.ts'
import type { Submission } from '../../../connectors/connector.ts'
import type { Takes } from '../../../connectors/kind.ts'
import { toReference, type PartKey } from '../../../connectors/reference.ts'
import type { RouteJob } from '../../../jobs/jobs.ts'

/** One submission of a step: a part, or the whole message. */
export interface SubmittedPart {
  readonly part: number
  readonly parts: number
  /** Null when the message is submitted as a whole. */
  readonly content: Part | null
}

/**
 * The submissions of a step. A message of several parts that is submitted as a whole is part 0 of them: it has one answer
 * and one receipt, and still counts as that many parts in reports and usage.
 */
export function toParts(job: RouteJob, takes: Takes): readonly SubmittedPart[] {
  const parts = channels[job.content.channel].parts(job.content, job.msgKey, takes === 'wide-parts')
  if (takes !== 'message')
    return parts.map((content) => ({ part: content.part, parts: content.parts, content }))
  return [{ part: parts.length === 1 ? 1 : 0, parts: parts.length, content: null }]
}

export class StepSubmission implements Submission {
  /** The attempt that it makes. */
  readonly key: PartKey
  readonly reference: string
  readonly from: string
  readonly to: string
  readonly part: Part | null
  readonly given: Step
  readonly validUntil: Date
  readonly #originOf: () => string | undefined
  #message: ChannelContent | undefined

  /** `originOf`: the code of the operator that first accepted the message, where the client gave none. */
  constructor(
    job: RouteJob,
    { part, content }: SubmittedPart,
    originOf: (job: RouteJob) => string | undefined = ({ content: given }) => originCidOf(given),
  ) {
    this.key = { msgKey: job.msgKey, step: job.step, try: job.try, part }
    this.reference = toReference(this.key)
    this.from = channels[job.content.channel].sender(job.content)
    this.to = job.to
    this.part = content
    this.given = job.content
    this.validUntil = new Date(job.dueAt)
    this.#originOf = () => originOf(job)
  }

  get message(): ChannelContent {
    return (this.#message ??= contentOf(this.given))
  }

  get originCid(): string | undefined {
    return this.#originOf()
  }

  get isAdvertisement(): boolean {
    return isAdvertisement(this.given)
  }

  get files(): readonly FileReference[] {
    return channels[this.given.channel].files(this.given)
  }

  get ttlSeconds(): number | undefined {
    return this.given.ttlSeconds
  }
}
