/** Every operation of the public API, in the order in which a client meets them. */
import type { Operation, TagName } from './operation.ts'
import { cancelOperations } from './operations/cancel.ts'
import { fileOperations } from './operations/files.ts'
import { formOperations } from './operations/forms.ts'
import { messageOperations } from './operations/message.ts'
import { omniOperations } from './operations/omni.ts'
import { reportOperations } from './operations/reports.ts'
import { sendOperations } from './operations/send.ts'
import { streamOperations } from './operations/stream.ts'
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
  ...usageOperations,
  ...webhookOperations,
]

export const tags: Readonly<Record<TagName, string>> = {
  Token: 'First: exchange the account ID and password for a token. It is good for 24 hours.',
  Send: 'Send messages. Success means accepted; what became of a message, its reports tell.',
  Files: 'Register images before the messages that show them.',
  Forms: 'Register a flow once and send it by its formId.',
  Reports: 'Learn what became of the messages: collect in batches, or look one up by its msgKey.',
  Webhooks: 'Have the reports pushed to you, signed, instead of collecting them or beside it.',
}
