/** Builds the message fields that the carriers and the KT relay have in common, from the content of a step. */
import type { SubmissionContent } from '../../../channels/rcs/submission.ts'
import type { Submission, SubmitOutcome } from '../connector.ts'
import { toDomestic } from '../phone-number.ts'
import { toMaapMessageId } from './message-id.ts'

const korea = '82'

/** References at the carrier by the `maapfile://…` reference in the content. */
export type MaapFileReferences = ReadonlyMap<string, string>

export interface MaapMessageOptions {
  readonly agencyId: string
  readonly agencyKey: string
  readonly brandKey?: string
  readonly messagebaseIds: Readonly<Record<string, string>>
}

export interface MaapMessage {
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

/** Checks what can be checked without the carrier. */
export function checkMaapSubmission(options: MaapMessageOptions, submission: Submission): Refusal | null {
  const { message, to } = submission
  if (message.channel !== 'rcs') return refused('unsupported', 'maap:channel', 'only RCS is supported')
  if (toDomestic(to, korea) === null) return refused('bad-number', 'maap:number', 'the number is not Korean')
  const { agencyId = options.agencyId, agencyKey, brandKey = options.brandKey } = message.content
  if (agencyKey === undefined && agencyId !== options.agencyId)
    return refused('unregistered-sender', 'maap:agency-key', 'agencyKey is required with agencyId')
  if (brandKey === undefined)
    return refused(
      'unregistered-sender',
      'maap:brand-key',
      'neither the message nor the route has a brand key',
    )
  return null
}

/** Requires a submission that `checkMaapSubmission` accepts. */
export function toMaapMessage(
  options: MaapMessageOptions,
  { reference, to }: Submission,
  content: SubmissionContent,
  files: MaapFileReferences,
): MaapMessage {
  const { header, footer, buttons, messagebaseId } = content
  return {
    id: toMaapMessageId(reference),
    userContact: toDomestic(to, korea) ?? to,
    chatbotId: content.from,
    messagebaseId: Object.hasOwn(options.messagebaseIds, messagebaseId)
      ? options.messagebaseIds[messagebaseId]!
      : messagebaseId,
    agencyId: content.agencyId ?? options.agencyId,
    agencyKey: content.agencyKey ?? options.agencyKey,
    brandKey: content.brandKey ?? options.brandKey ?? '',
    header,
    // The carriers refuse a footer without the advertisement mark (55704).
    footer: header === '1' ? footer : undefined,
    copyAllowed: content.copyAllowed,
    body: files.size === 0 ? content.body : withFiles(content.body, files),
    buttons: buttons.length === 0 ? undefined : buttons,
  }
}

function withFiles(
  body: Readonly<Record<string, unknown>>,
  files: MaapFileReferences,
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => [
      name,
      typeof value === 'string' ? withFile(value, files) : value,
    ]),
  )
}

/** Replaces a reference. A video is its URL, a comma and the thumbnail. */
function withFile(value: string, files: MaapFileReferences): string {
  const whole = files.get(value)
  if (whole !== undefined) return whole
  const comma = value.lastIndexOf(',')
  const thumbnail = comma === -1 ? undefined : files.get(value.slice(comma + 1))
  return thumbnail === undefined ? value : value.slice(0, comma + 1) + thumbnail
}

function refused(cause: Refusal['cause'], code: string, text: string): Refusal {
  return { kind: 'refused', cause, code, text }
}
