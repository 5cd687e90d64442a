/**
 * Submits a message to one host: its files first, then the message. If the host refuses the message because it no longer has a
 * file that was uploaded earlier, the file is uploaded again and the message is submitted once more.
 */
import type { FileReference } from '../../../channels/channel.ts'
import type { MobileCarrier } from '../../../channels/mobile-carriers.ts'
import type { SubmissionContent } from '../../../channels/rcs/submission.ts'
import type { ConnectorContext, Submission, SubmitOutcome } from '../connector.ts'
import type { HostFiles } from './files.ts'
import type { MaapCallResult, MaapHost } from './host.ts'
import type { MaapFileReferences } from './message.ts'
import { toMaapMessageId } from './message-id.ts'
import { isNotSubscriber, toMaapOutcome, type MaapOutcomeOptions } from './outcome.ts'

export interface SubmitterSettings {
  readonly host: MaapHost
  readonly files: HostFiles
  /** The carrier of the host; undefined for the relay. */
  readonly carrier: MobileCarrier | undefined
  readonly options: MaapOutcomeOptions
  readonly context: ConnectorContext
  readonly toBody: (submission: Submission, content: SubmissionContent, files: MaapFileReferences) => string
  /** Fields that are sent with a file. */
  readonly fileFields: (content: SubmissionContent) => Readonly<Record<string, string>>
}

export interface SubmitAttempt {
  readonly outcome: SubmitOutcome
  /** Whether the number belongs to another carrier. */
  readonly isNotSubscriber: boolean
}

/** Codes of a host that does not have a file. */
const noFileCodes: ReadonlySet<string> = new Set(['55815', '72106'])

const noFiles: MaapFileReferences = new Map()

export class Submitter {
  readonly host: MaapHost
  readonly #settings: SubmitterSettings

  constructor(settings: SubmitterSettings) {
    this.host = settings.host
    this.#settings = settings
  }

  async submit(submission: Submission, content: SubmissionContent): Promise<SubmitAttempt> {
    const { files, fileFields } = this.#settings
    const references = submission.files
    const fields = references.length === 0 ? {} : fileFields(content)
    const uploaded = await this.#resolve(references, fields)
    if ('kind' in uploaded) return { outcome: uploaded, isNotSubscriber: false }
    const result = await this.#send(submission, content, uploaded)
    const isForgotten =
      references.length > 0 && result.kind === 'answer' && noFileCodes.has(result.answer.code)
    if (!isForgotten || !files.invalidate(references, fields)) return this.#read(submission, content, result)
    this.#settings.context.onEvent('file-forgotten')
    const reuploaded = await this.#resolve(references, fields)
    if ('kind' in reuploaded) return { outcome: reuploaded, isNotSubscriber: false }
    return this.#read(submission, content, await this.#send(submission, content, reuploaded))
  }

  #resolve(
    references: readonly FileReference[],
    fields: Readonly<Record<string, string>>,
  ): MaapFileReferences | Promise<MaapFileReferences | SubmitOutcome> {
    return references.length === 0 ? noFiles : this.#settings.files.resolve(references, fields)
  }

  #send(
    submission: Submission,
    content: SubmissionContent,
    files: MaapFileReferences,
  ): Promise<MaapCallResult> {
    const body = this.#settings.toBody(submission, content, files)
    return this.host.call({ path: '/message', contentType: 'application/json; charset=utf-8', body })
  }

  #read({ reference }: Submission, content: SubmissionContent, result: MaapCallResult): SubmitAttempt {
    const { options, carrier, context } = this.#settings
    if (result.kind === 'answer' && result.answer.hasWarning) context.onEvent('warning')
    const submitted = {
      id: toMaapMessageId(reference),
      carrier,
      hasOwnAgencyKey: content.agencyKey !== undefined,
    }
    return {
      outcome: toMaapOutcome(options, submitted, result),
      isNotSubscriber: isNotSubscriber(options, result),
    }
  }
}
