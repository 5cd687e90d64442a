/** Builds the body of `POST /corp/v1/message` of the KT relay. Omits `legacy`, because fallbacks are steps of this gateway. */
import type { SubmissionContent } from '../../../channels/rcs/submission.ts'
import { mediaIn } from '../../../channels/rcs/values.ts'
import type { Submission } from '../connector.ts'
import { selectExpiryOption } from './expiry.ts'
import { toMaapMessage, type MaapFileReferences } from './message.ts'
import type { RelayOptions } from './relay-options.ts'

const serviceTypes = { sms: 'RCSSMS', lms: 'RCSLMS', mms: 'RCSMMS' } as const

export function relayBody(
  options: RelayOptions,
  submission: Submission,
  content: SubmissionContent,
  files: MaapFileReferences,
  nowMs: number,
): string {
  const message = toMaapMessage(options, submission, content, files)
  const expiryOption = selectExpiryOption(
    content.expiryOption,
    submission.validUntil,
    nowMs,
    options.expiryToleranceMs,
  )
  return JSON.stringify({
    common: {
      msgId: message.id,
      userContact: message.userContact,
      scheduleType: 0,
      msgGroupId: content.groupId,
      msgServiceType: 'rcs',
    },
    rcs: {
      chatbotId: message.chatbotId,
      agencyId: message.agencyId,
      agencyKey: message.agencyKey,
      brandKey: message.brandKey,
      messagebaseId: message.messagebaseId,
      serviceType: selectServiceType(options, content),
      expiryOption: options.expiryOptions[expiryOption],
      header: message.header,
      footer: message.footer,
      cdrId: options.cdrId,
      copyAllowed: message.copyAllowed,
      body: message.body,
      buttons: message.buttons,
    },
  })
}

function selectServiceType({ imageTemplates }: RelayOptions, content: SubmissionContent): string {
  if (content.product !== null) return serviceTypes[content.product]
  const hasImage = Object.values(content.body).some(
    (value) => typeof value === 'string' && mediaIn(value) !== null,
  )
  return hasImage || imageTemplates.includes(content.messagebaseId) ? 'RCSITMPL' : 'RCSTMPL'
}
