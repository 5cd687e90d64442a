import type { Operation, ApiTagName } from './operation.ts'
import { batchOperations } from './operations/batches.ts'
import { cancelOperations } from './operations/cancel.ts'
import { fileOperations } from './operations/files.ts'
import { formOperations } from './operations/forms.ts'
import { clientMessageOperations } from './operations/message.ts'
import { omniOperations } from './operations/omni.ts'
import { replyOperations } from './operations/replies.ts'
import { reportOperations } from './operations/reports.ts'
import { sendOperations } from './operations/send.ts'
import { streamOperations } from './operations/stream.ts'
import { conversionOperations } from './operations/conversion.ts'
import { clientSuppressionOperations } from './operations/suppression.ts'
import { tokenOperations } from './operations/token.ts'
import { clientUsageOperations } from './operations/usage.ts'
import { clientWebhookOperations } from './operations/webhooks.ts'

/** Returns all operations of the public API, in the order in which a client uses them. */
export const operationsFor = (credentialPrefix: string): readonly Operation[] => [
  ...tokenOperations(credentialPrefix),
  ...sendOperations,
  ...omniOperations,
  ...cancelOperations,
  ...batchOperations,
  ...fileOperations,
  ...formOperations,
  ...reportOperations,
  ...clientMessageOperations,
  ...streamOperations,
  ...replyOperations,
  ...clientUsageOperations,
  ...clientSuppressionOperations,
  ...conversionOperations,
  ...clientWebhookOperations,
]

export const apiTags: Readonly<Record<ApiTagName, string>> = {
  Token: 'Start here: exchange the account ID and a password or API key for a token, valid for 24 hours.',
  Send: 'Send messages. Success means accepted; the reports of a message give its result.',
  Batches: 'Send one flow to up to a million recipients, at a pace and in hours that you choose.',
  Files: 'Upload images for later messages.',
  Forms: 'Register a flow once and send it by its formId.',
  Reports: 'Get the results of messages: poll them in batches, or look one up by its msgKey.',
  Replies: 'Read messages from recipients.',
  Suppression: 'Recipients who want no advertisements: an advertisement to one of them is refused.',
  Webhooks: 'Receive signed reports by HTTP, instead of or in addition to polling.',
}
