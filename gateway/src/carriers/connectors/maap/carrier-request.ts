/** Builds the body of `POST /ag/1.2/message`. */
import type { SubmissionContent } from '../../../channels/rcs/submission.ts'
import type { Submission } from '../connector.ts'
import { selectExpiryOption } from './expiry.ts'
import { toMaapMessage, type MaapFileReferences } from './message.ts'
import type { MaapOptions } from './options.ts'

export function carrierBody(
  options: MaapOptions,
  submission: Submission,
  content: SubmissionContent,
  files: MaapFileReferences,
  nowMs: number,
): string {
  const message = toMaapMessage(options, submission, content, files)
  return JSON.stringify({
    clientMsgId: message.id,
    chatbotId: message.chatbotId,
    messagebaseId: message.messagebaseId,
    productCode: options.productCode ? (content.product ?? undefined) : undefined,
    userContact: message.userContact,
    agencyId: message.agencyId,
    agencyKey: message.agencyKey,
    brandKey: message.brandKey,
    expiryOption: Number(
      selectExpiryOption(content.expiryOption, submission.validUntil, nowMs, options.expiryToleranceMs),
    ),
    groupId: content.groupId,
    header: message.header,
    footer: message.footer,
    copyAllowed: message.copyAllowed,
    body: message.body,
    buttons: message.buttons,
  })
}
