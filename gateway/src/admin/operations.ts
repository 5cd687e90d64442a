/** Every operation of the admin API. */
import type { OpenOperation } from './open-operation.ts'
import { accountOperations } from './operations/accounts.ts'
import { accountStateOperations } from './operations/account-state.ts'
import { accountTrustOperations } from './operations/account-trust.ts'
import { auditOperations } from './operations/audit.ts'
import { capOperations } from './operations/caps.ts'
import { cellOperations } from './operations/cell.ts'
import { credentialOperations } from './operations/credentials.ts'
import { erasureOperations } from './operations/erase-recipient.ts'
import { ledgerOperations } from './operations/ledger.ts'
import { messageOperations } from './operations/messages.ts'
import { nowOperations } from './operations/now.ts'
import { operatorOperations } from './operations/operators.ts'
import { parkedOperations } from './operations/parked.ts'
import { protectionOperations } from './operations/protection.ts'
import { putRouteOperations } from './operations/put-route.ts'
import { quietHoursOperations } from './operations/quiet-hours.ts'
import { routeActOperations } from './operations/route-acts.ts'
import { routeFailureOperations } from './operations/route-failures.ts'
import { routeListOperations } from './operations/route-list.ts'
import { routeOperations } from './operations/routes.ts'
import { ruleOperations } from './operations/rules.ts'
import { sandboxActOperations } from './operations/sandbox-acts.ts'
import { sandboxOperations } from './operations/sandbox.ts'
import { senderOperations } from './operations/senders.ts'
import { sessionOperations } from './operations/sessions.ts'
import { signInOperations } from './operations/sign-in.ts'
import { suppressionOperations } from './operations/suppression.ts'
import { rangeOperations } from './operations/ranges.ts'
import { templateOperations } from './operations/templates.ts'
import { trafficOperations } from './operations/traffic.ts'
import { testMessageOperations } from './operations/test-message.ts'
import { tokenKeyOperations } from './operations/token-keys.ts'
import { usageOperations } from './operations/usage.ts'
import { webhookChangeOperations } from './operations/webhook-changes.ts'
import { webhookPushOperations } from './operations/webhook-pushes.ts'
import { webhookOperations } from './operations/webhooks.ts'

export const adminOperations = [
  ...nowOperations,
  ...messageOperations,
  ...testMessageOperations,
  ...trafficOperations,
  ...routeListOperations,
  ...routeOperations,
  ...routeFailureOperations,
  ...putRouteOperations,
  ...routeActOperations,
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
  ...sandboxActOperations,
  ...sessionOperations,
  ...operatorOperations,
]

/** What needs neither a key nor a session. */
export const openOperations: readonly OpenOperation[] = signInOperations
