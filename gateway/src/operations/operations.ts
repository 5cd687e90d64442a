import type { OpenOperation } from './sign-in/open-operation.ts'
import { accountOperations } from './accounts/operations.ts'
import { accountStateOperations } from './accounts/state.ts'
import { accountTrustOperations } from './accounts/trust.ts'
import { auditOperations } from './audit/operations.ts'
import { batchOperations } from './batches/operations.ts'
import { capOperations } from './caps/operations.ts'
import { cellOperations } from './cells/operations.ts'
import { credentialOperations } from './credentials/operations.ts'
import { erasureOperations } from './messages/erase-recipient.ts'
import { ledgerOperations } from './ledger/operations.ts'
import { messageOperations } from './messages/operations.ts'
import { nowOperations } from './now/operations.ts'
import { operatorOperations } from './operators/operations.ts'
import { parkedOperations } from './parked/operations.ts'
import { protectionOperations } from './protection/operations.ts'
import { putRouteOperations } from './routes/put-operations.ts'
import { quietHoursOperations } from './protection/quiet-hours.ts'
import { routeStateOperations } from './routes/state-operations.ts'
import { routeFailureOperations } from './routes/failure-operations.ts'
import { routeListOperations } from './routes/list-operations.ts'
import { routeOperations } from './routes/operations.ts'
import { ruleOperations } from './rules/operations.ts'
import { sandboxChangeOperations } from './sandbox/changes.ts'
import { sandboxOperations } from './sandbox/operations.ts'
import { senderOperations } from './senders/operations.ts'
import { sessionOperations } from './sign-in/sessions.ts'
import { signInOperations } from './sign-in/operations.ts'
import { suppressionOperations } from './suppression/operations.ts'
import { rangeOperations } from './routes/range-operations.ts'
import { templateOperations } from './routes/template-operations.ts'
import { trafficOperations } from './messages/traffic-operations.ts'
import { testMessageOperations } from './messages/test-message.ts'
import { tokenKeyOperations } from './token-keys/operations.ts'
import { usageOperations } from './usage/operations.ts'
import { webhookChangeOperations } from './webhooks/changes.ts'
import { webhookPushOperations } from './webhooks/pushes.ts'
import { webhookOperations } from './webhooks/operations.ts'

export const adminOperations = [
  ...nowOperations,
  ...messageOperations,
  ...testMessageOperations,
  ...trafficOperations,
  ...batchOperations,
  ...routeListOperations,
  ...routeOperations,
  ...routeFailureOperations,
  ...putRouteOperations,
  ...routeStateOperations,
  ...templateOperations,
  ...rangeOperations,
  ...accountOperations,
  ...accountStateOperations,
  ...credentialOperations,
  ...erasureOperations,
  ...tokenKeyOperations,
  ...cellOperations,
  ...senderOperations,
  ...webhookOperations,
  ...webhookPushOperations,
  ...webhookChangeOperations,
  ...parkedOperations,
  ...ruleOperations,
  ...accountTrustOperations,
  ...quietHoursOperations,
  ...protectionOperations,
  ...suppressionOperations,
  ...capOperations,
  ...usageOperations,
  ...ledgerOperations,
  ...auditOperations,
  ...sandboxOperations,
  ...sandboxChangeOperations,
  ...sessionOperations,
  ...operatorOperations,
]

/** Operations that require neither a key nor a session. */
export const openOperations: readonly OpenOperation[] = signInOperations
