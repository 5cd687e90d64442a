/** Every operation of the public API, in the order in which a client uses them. */
import type { Operation, TagName } from './operation.ts'
import { cancelOperations } from './operations/cancel.ts'
import { fileOperations } from './operations/files.ts'
import { formOperations } from './operations/forms.ts'
import { messageOperations } from './operations/message.ts'
import { omniOperations } from './operations/omni.ts'
import { replyOperations } from './operations/replies.ts'
import { reportOperations } from './operations/reports.ts'
import { sendOperations } from './operations/send.ts'
import { streamOperations } from './operations/stream.ts'
import { conversionOperations } from './operations/conversion.ts'
import { suppressionOperations } from './operations/suppression.ts'
import { tokenOperations } from './operations/token.ts'
import { usageOperations } from './operations/usage.ts'
import { webhookOperations } from './operations/webhooks.ts'

export const operationsFor = (credentialPrefix: string): readonly Operation[] => [
  ...tokenOperations(credentialPrefix),
  ...sendOperations,
  ...omniOperations,
  ...cancelOperations,
  ...fileOperations,
  ...formOperations,
  ...reportOperations,
  ...messageOperations,
  ...streamOperations,
  ...replyOperations,
  ...usageOperations,
  ...suppressionOperations,
  ...conversionOperations,
  ...webhookOperations,
]

export const tags: Readonly<Record<TagName, string>> = {
  Token: 'Start here: exchange the account ID and a password or API key for a token, valid for 24 hours.',
  Send: 'Send messages. Success means accepted; the reports of a message give its result.',
  Files: 'Upload images for later messages.',
  Forms: 'Register a flow once and send it by its formId.',
  Reports: 'Get the results of messages: poll them in batches, or look one up by its msgKey.',
  Replies: 'Read what recipients have written to you.',
  Suppression: 'Recipients who want no advertisements: an advertisement to one of them is refused.',
  Webhooks: 'Receive signed reports by HTTP, instead of or in addition to polling.',
}
