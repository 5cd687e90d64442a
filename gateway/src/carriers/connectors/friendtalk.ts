/**
 * Converts friendtalk, which Kakao ended on 2025-12-31, to a free brand message with targeting I, which reaches the same
 * recipients: the friends of the channel. Friendtalk that exceeds the limits of a brand message is refused. Checks only
 * limits that the API does not check.
 *
 * Sources, both of 2026: NHN Cloud, github.com/TOAST-DOCS/Alimtalk, ko/friendtalk-compatible-api-guide.md and
 * ko/friendtalkupgrade-api-guide.md; Naver Cloud, api.ncloud-docs.com/docs/sens-brandmessage-send.
 */
import { Type } from 'typebox'
import type { SubmissionContent as Brandmessage } from '../../channels/brandmessage/brandmessage.ts'
import { brandLimits } from '../../channels/brandmessage/limits.ts'
import type { SubmissionContent as Friendtalk } from '../../channels/friendtalk/friendtalk.ts'
import type { FileReference } from '../../channels/channel.ts'
import type { SubmitOutcome } from './connector.ts'

export type RefusedOutcome = Extract<SubmitOutcome, { readonly kind: 'refused' }>

/** Option of routes whose carrier accepts brand messages. */
export const friendtalkOption = Type.Enum(['refuse', 'convert'], {
  description:
    'Kakao ended friendtalk on 2025-12-31. `refuse`: a step with friendtalk fails, and the next step of its flow starts. `convert`: the step is sent as a brand message with targeting I.',
  default: 'refuse',
})

/** Maximum cards of a carousel, including the opening card of a commerce carousel. */
const maxCards = 6

/** A button to add the channel requires targeting M or N, and brand messages have no parcel tracking. */
const unavailableButtons: readonly string[] = ['AC', 'DS']

export function convertFriendtalk(
  choice: 'refuse' | 'convert',
  content: Friendtalk,
): Brandmessage | RefusedOutcome {
  if (choice === 'refuse')
    return refuse(
      'kakao:friendtalk-ended',
      'Kakao ended friendtalk on 2025-12-31; send brand messages, or set friendtalk to convert',
    )
  const { attachment, carousel } = content
  const cards = carousel === undefined ? 0 : carousel.list.length + (carousel.head === undefined ? 0 : 1)
  if (cards > maxCards)
    return refuse(
      'kakao:friendtalk-cards',
      `at most ${maxCards} cards are allowed in a brand message, got ${cards}`,
    )

  const onCards = carousel?.list.flatMap((card) => card.attachment.button ?? []) ?? []
  const unavailable = [...(attachment?.button ?? []), ...onCards].find(({ type }) =>
    unavailableButtons.includes(type),
  )
  if (unavailable !== undefined)
    return refuse(
      'kakao:friendtalk-button',
      `buttons of type ${unavailable.type} are not allowed in a brand message with targeting I`,
    )

  const converted: Brandmessage = { ...content, sendType: 'free', targeting: 'I' }
  const bytes = Buffer.byteLength(JSON.stringify(converted))
  if (bytes > brandLimits.contentBytes)
    return refuse(
      'kakao:friendtalk-size',
      `at most ${brandLimits.contentBytes} bytes are allowed in a brand message, got ${bytes}`,
    )
  return converted
}

export function refuse(code: string, text: string): RefusedOutcome {
  return { kind: 'refused', cause: 'unsupported', code, text }
}

/** Image kinds of brand messages by the image kind of friendtalk. */
const brandKinds: Readonly<Record<string, readonly string[]>> = {
  FI: ['default'],
  FW: ['wide'],
  FL: ['wideItemList', 'wideItemList/first'],
  FC: ['carouselFeed'],
  FA: ['carouselCommerce'],
}

/** Converts the file of a friendtalk to that of a brand message. */
export function toBrandFile<File extends Pick<FileReference, 'use' | 'kinds'>>(file: File): File {
  if (file.use !== 'FRIENDTALK') return file
  return { ...file, kinds: (file.kinds ?? []).flatMap((kind) => brandKinds[kind] ?? []) }
}
