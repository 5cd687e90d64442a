/** The fields of a message that the carriers and the KT relay write in the same way, from the content of a step. Pure. */
import type { SubmissionContent } from '../../channels/rcs/submission.ts'
import type { Submission, SubmitOutcome } from '../connector.ts'
import { toDomestic } from '../phone-number.ts'
import { messageIdOf } from './message-id.ts'

const korea = '82'

/** By `maapfile://…` as the content names it: the same of the carrier. */
export type UploadedFiles = ReadonlyMap<string, string>

export interface MessageOptions {
  readonly agencyId: string
  readonly agencyKey: string
  readonly brandKey?: string
  readonly messagebaseIds: Readonly<Record<string, string>>
}

export interface Message {
  readonly id: string
  readonly userContact: string
  readonly chatbotId: string
  readonly messagebaseId: string
  readonly agencyId: string
  readonly agencyKey: string
  readonly brandKey: string
  readonly header: '0' | '1'
  readonly footer: string | undefined
  readonly copyAllowed: boolean
  readonly body: Readonly<Record<string, unknown>>
  readonly buttons: readonly object[] | undefined
}

type Refusal = Extract<SubmitOutcome, { readonly kind: 'refused' }>

/** What can be said about a submission without the carrier. */
export function refusalOf(options: MessageOptions, submission: Submission): Refusal | null {
  const { message, to } = submission
  if (message.channel !== 'rcs') return refused('unsupported', 'maap:channel', 'only RCS is sent')
  if (toDomestic(to, korea) === null)
    return refused('bad-number', 'maap:number', 'the number is not a Korean one')
  const { agencyId = options.agencyId, agencyKey, brandKey = options.brandKey } = message.content
  if (agencyKey === undefined && agencyId !== options.agencyId)
    return refused('unregistered-sender', 'maap:agency-key', 'the message names an agency without its key')
  if (brandKey === undefined)
    return refused(
      'unregistered-sender',
      'maap:brand-key',
      'neither the message nor the route has a brand key',
    )
  return null
}

/** Of a submission that `refusalOf` does not refuse. */
export function messageOf(
  options: MessageOptions,
  { reference, to }: Submission,
  content: SubmissionContent,
  files: UploadedFiles,
): Message {
  const { header, footer, buttons, messagebaseId } = content
  return {
    id: messageIdOf(reference),
    userContact: toDomestic(to, korea) ?? to,
    chatbotId: content.from,
    messagebaseId: Object.hasOwn(options.messagebaseIds, messagebaseId)
      ? options.messagebaseIds[messagebaseId]!
      : messagebaseId,
    agencyId: content.agencyId ?? options.agencyId,
    agencyKey: content.agencyKey ?? options.agencyKey,
    brandKey: content.brandKey ?? options.brandKey ?? '',
    header,
    // A footer is refused without the mark (55704).
    footer: header === '1' ? footer : undefined,
    copyAllowed: content.copyAllowed,
    body: files.size === 0 ? content.body : withFiles(content.body, files),
    buttons: buttons.length === 0 ? undefined : buttons,
  }
}

function withFiles(
  body: Readonly<Record<string, unknown>>,
  files: UploadedFiles,
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => [
      name,
      typeof value === 'string' ? withFile(value, files) : value,
    ]),
  )
}

/** A video is its address, a comma and the thumbnail. */
function withFile(value: string, files: UploadedFiles): string {
  const whole = files.get(value)
  if (whole !== undefined) return whole
  const comma = value.lastIndexOf(',')
  const thumbnail = comma === -1 ? undefined : files.get(value.slice(comma + 1))
  return thumbnail === undefined ? value : value.slice(0, comma + 1) + thumbnail
}

function refused(cause: Refusal['cause'], code: string, text: string): Refusal {
  return { kind: 'refused', cause, code, text }
}
