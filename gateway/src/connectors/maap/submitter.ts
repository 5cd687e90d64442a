/**
 * Submits a message to one host: its files first, then the message. When the host no longer knows a file, the file is
 * uploaded again and the message submitted once more: it was refused before.
 */
import type { FileReference } from '../../channels/channel.ts'
import type { MobileCarrier } from '../../channels/mobile-carriers.ts'
import type { SubmissionContent } from '../../channels/rcs/submission.ts'
import type { ConnectorContext, Submission, SubmitOutcome } from '../connector.ts'
import type { HostFiles } from './files.ts'
import type { CallResult, MaapHost } from './host.ts'
import type { UploadedFiles } from './message.ts'
import { messageIdOf } from './message-id.ts'
import { isMissed, outcomeOf, type OutcomeOptions } from './outcome.ts'

export interface SubmitterSettings {
  readonly host: MaapHost
  readonly files: HostFiles
  /** The carrier whose host it is; undefined for the relay. */
  readonly carrier: MobileCarrier | undefined
  readonly options: OutcomeOptions
  readonly context: ConnectorContext
  readonly bodyOf: (submission: Submission, content: SubmissionContent, files: UploadedFiles) => string
  /** Fields that are sent with a file. */
  readonly fileFields: (content: SubmissionContent) => Readonly<Record<string, string>>
}

export interface Tried {
  readonly outcome: SubmitOutcome
  /** The number belongs to another carrier. */
  readonly isMissed: boolean
}

/** The host does not know a file. */
const noFileCodes: ReadonlySet<string> = new Set(['55815', '72106'])

const noFiles: UploadedFiles = new Map()

export class Submitter {
  readonly host: MaapHost
  readonly #settings: SubmitterSettings

  constructor(settings: SubmitterSettings) {
    this.host = settings.host
    this.#settings = settings
  }

  async submit(submission: Submission, content: SubmissionContent): Promise<Tried> {
    const { files, fileFields } = this.#settings
    const named = submission.files
    const fields = named.length === 0 ? {} : fileFields(content)
    const uploaded = await this.#resolve(named, fields)
    if ('kind' in uploaded) return { outcome: uploaded, isMissed: false }
    const result = await this.#send(submission, content, uploaded)
    const isForgotten = named.length > 0 && result.kind === 'answer' && noFileCodes.has(result.answer.code)
    if (!isForgotten || !files.forget(named, fields)) return this.#read(submission, content, result)
    this.#settings.context.onEvent('file-forgotten')
    const again = await this.#resolve(named, fields)
    if ('kind' in again) return { outcome: again, isMissed: false }
    return this.#read(submission, content, await this.#send(submission, content, again))
  }

  #resolve(
    named: readonly FileReference[],
    fields: Readonly<Record<string, string>>,
  ): UploadedFiles | Promise<UploadedFiles | SubmitOutcome> {
    return named.length === 0 ? noFiles : this.#settings.files.resolve(named, fields)
  }

  #send(submission: Submission, content: SubmissionContent, files: UploadedFiles): Promise<CallResult> {
    const body = this.#settings.bodyOf(submission, content, files)
    return this.host.call({ path: '/message', contentType: 'application/json; charset=utf-8', body })
  }

  #read({ reference }: Submission, content: SubmissionContent, result: CallResult): Tried {
    const { options, carrier, context } = this.#settings
    if (result.kind === 'answer' && result.answer.hasWarning) context.onEvent('warning')
    const submitted = {
      id: messageIdOf(reference),
      carrier,
      hasOwnAgencyKey: content.agencyKey !== undefined,
    }
    return { outcome: outcomeOf(options, submitted, result), isMissed: isMissed(options, result) }
  }
}
