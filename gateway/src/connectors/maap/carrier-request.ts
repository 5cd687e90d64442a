/** The body of `POST /ag/1.2/message`. Pure; called for each submission and by the preview. */
import type { SubmissionContent } from '../../channels/rcs/submission.ts'
import type { Submission } from '../connector.ts'
import { expiryOptionOf } from './expiry.ts'
import { messageOf, type UploadedFiles } from './message.ts'
import type { MaapOptions } from './options.ts'

export function carrierBody(
  options: MaapOptions,
  submission: Submission,
  content: SubmissionContent,
  files: UploadedFiles,
  nowMs: number,
): string {
  const message = messageOf(options, submission, content, files)
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
      expiryOptionOf(content.expiryOption, submission.validUntil, nowMs, options.expiryToleranceMs),
    ),
    groupId: content.groupId,
    header: message.header,
    footer: message.footer,
    copyAllowed: message.copyAllowed,
    body: message.body,
    buttons: message.buttons,
  })
}
