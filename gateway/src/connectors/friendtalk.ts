/**
 * Converts friendtalk, which Kakao ended on 2025-12-31, to a free brand message with targeting I. It reaches the same
 * recipients, the friends of the channel. A friendtalk that exceeds the limits of a brand message is refused. Only limits that
 * the API does not check itself are checked here.
 *
 * Sources, both of 2026: NHN Cloud, github.com/TOAST-DOCS/Alimtalk, ko/friendtalk-compatible-api-guide.md and
 * ko/friendtalkupgrade-api-guide.md; Naver Cloud, api.ncloud-docs.com/docs/sens-brandmessage-send.
 */
import { Type } from 'typebox'
import type { SubmissionContent as Brandmessage } from '../channels/brandmessage/brandmessage.ts'
import { brandLimits } from '../channels/brandmessage/limits.ts'
import type { SubmissionContent as Friendtalk } from '../channels/friendtalk/friendtalk.ts'
import type { FileReference } from '../channels/channel.ts'
import type { SubmitOutcome } from './connector.ts'

export type Refusal = Extract<SubmitOutcome, { readonly kind: 'refused' }>

/** The option of routes whose carrier takes brand messages. */
export const friendtalkOption = Type.Enum(['refuse', 'convert'], {
  description:
    'Kakao ended friendtalk on 2025-12-31. `refuse`: a step with friendtalk fails, and the next step of its flow starts. `convert`: it is sent as a brand message with targeting I.',
  default: 'refuse',
})

/** The opening card of a commerce carousel counts. */
const maxCards = 6

/** A button to add the channel needs targeting M or N, and brand messages have no parcel tracking. */
const unavailableButtons: readonly string[] = ['AC', 'DS']

export function convertFriendtalk(choice: 'refuse' | 'convert', content: Friendtalk): Brandmessage | Refusal {
  if (choice === 'refuse')
    return refuse(
      'kakao:friendtalk-ended',
      'Kakao ended friendtalk on 2025-12-31; send brand messages, or set friendtalk to convert',
    )
  const { attachment, carousel } = content
  const cards = carousel === undefined ? 0 : carousel.list.length + (carousel.head === undefined ? 0 : 1)
  if (cards > maxCards)
    return refuse('kakao:friendtalk-cards', `a brand message has at most ${maxCards} cards, found ${cards}`)

  const onCards = carousel?.list.flatMap((card) => card.attachment.button ?? []) ?? []
  const unavailable = [...(attachment?.button ?? []), ...onCards].find(({ type }) =>
    unavailableButtons.includes(type),
  )
  if (unavailable !== undefined)
    return refuse(
      'kakao:friendtalk-button',
      `a brand message with targeting I has no buttons of type ${unavailable.type}`,
    )

  const converted: Brandmessage = { ...content, sendType: 'free', targeting: 'I' }
  const bytes = Buffer.byteLength(JSON.stringify(converted))
  if (bytes > brandLimits.contentBytes)
    return refuse(
      'kakao:friendtalk-size',
      `a brand message has at most ${brandLimits.contentBytes} bytes, found ${bytes}`,
    )
  return converted
}

export function refuse(code: string, text: string): Refusal {
  return { kind: 'refused', cause: 'unsupported', code, text }
}

/** The kinds of brand message images that the images of each kind of friendtalk become. */
const brandKinds: Readonly<Record<string, readonly string[]>> = {
  FI: ['default'],
  FW: ['wide'],
  FL: ['wideItemList', 'wideItemList/first'],
  FC: ['carouselFeed'],
  FA: ['carouselCommerce'],
}

/** The file of a friendtalk, as that of the brand message it is converted to. */
export function toBrandFile<File extends Pick<FileReference, 'use' | 'kinds'>>(file: File): File {
  if (file.use !== 'FRIENDTALK') return file
  return { ...file, kinds: (file.kinds ?? []).flatMap((kind) => brandKinds[kind] ?? []) }
}
