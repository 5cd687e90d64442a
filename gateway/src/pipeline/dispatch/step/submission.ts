import type { FileReference, Part, Step } from '../../../channels/channel.ts'
import { toChannelContent, getOriginCid, type ChannelContent } from '../../../channels/content.ts'
import { isAdvertisement } from '../../../channels/advertisement.ts'
import { channels } from '../../../channels/registry.ts'
import type { Submission } from '../../../carriers/connectors/connector.ts'
import type { SubmissionUnit } from '../../../carriers/connectors/options/kind.ts'
import { toReference, type PartKey } from '../../../carriers/connectors/reference.ts'
import type { RouteJob } from '../../../jobs/jobs.ts'

/** One submission of a step: a part, or the whole message. */
export interface SubmittedPart {
  readonly part: number
  readonly parts: number
  /** Null if the message is submitted as a whole. */
  readonly content: Part | null
}

/**
 * Returns the submissions of a step. A message of several parts that is submitted as a whole is part 0 of
 * them: it has one outcome and one receipt, and still counts as that many parts in reports and usage.
 */
export function toParts(job: RouteJob, unit: SubmissionUnit): readonly SubmittedPart[] {
  const parts = channels[job.content.channel].parts(job.content, job.msgKey, unit === 'wide-parts')
  if (unit !== 'message')
    return parts.map((content) => ({ part: content.part, parts: content.parts, content }))
  return [{ part: parts.length === 1 ? 1 : 0, parts: parts.length, content: null }]
}

/**
 * Submission that a connector receives for a released step, with everything that the client sent. Content that only some
 * connectors read is converted on access, so a text over SMPP does not pay for it.
 */
export class StepSubmission implements Submission {
  /** Key of the attempt. */
  readonly key: PartKey
  readonly reference: string
  readonly from: string
  readonly to: string
  readonly part: Part | null
  readonly given: Step
  readonly validUntil: Date
  readonly #originOf: () => string | undefined
  #message: ChannelContent | undefined

  /** Creates a submission; `originOf` returns the origin code of the job; by default that of the client. */
  constructor(
    job: RouteJob,
    { part, content }: SubmittedPart,
    originOf: (job: RouteJob) => string | undefined = ({ content: given }) => getOriginCid(given),
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
    return (this.#message ??= toChannelContent(this.given))
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
