import { accountRefused, fileUploaded, malformedReceipt, reply, tokenRenewed } from '../events.ts'
import { defineConnector } from '../options/kind.ts'
import { RbmConnector } from './connector.ts'
import { rbmInbound } from './inbound.ts'
import { toRbmMessageId } from './message-id.ts'
import { details, rbmNotes } from './notes.ts'
import { getBaseUrl, RbmOptions } from './options.ts'
import { previewRbm } from './preview.ts'
import { checkServiceAccount, parseServiceAccount } from './service-account.ts'

export const rbm = defineConnector({
  name: 'rbm',
  summary: 'Google RCS Business Messaging (RCS for Business), for RCS.',
  channels: ['rcs'],
  submissionUnit: 'message',
  severalOwners: true,
  events: {
    ...accountRefused,
    ...fileUploaded,
    ...malformedReceipt,
    ...reply,
    ...tokenRenewed,
    'agent-refused':
      'Google does not allow the service account to send for the agent; its messages wait. Check agentId and agents.',
    suggestion: 'A recipient tapped a suggestion.',
    'opt-out': 'A recipient unsubscribed.',
    'opt-in': 'A recipient subscribed again.',
    typing: 'A recipient is typing.',
    'webhook-verified': 'Google verified the webhook.',
    other: 'Another event of Google.',
  },
  options: RbmOptions,
  example: {
    serviceAccount: 'env:POSTERN_ROUTE_SECRET_RBM_SERVICE_ACCOUNT',
    agentId: 'acme_agent',
    region: 'asia',
    clientToken: 'env:POSTERN_ROUTE_SECRET_RBM_CLIENT_TOKEN',
  },
  notes: rbmNotes,
  details,
  check(options) {
    checkServiceAccount(parseServiceAccount(options.serviceAccount))
    if (!URL.canParse(getBaseUrl(options))) throw new Error('rbm options: url must be a valid URL')
    if (options.agentId === undefined && Object.keys(options.agents).length === 0)
      throw new Error('rbm options: agentId or agents is required')
  },
  usesSharedBrand: ({ agents, agentId }) => agentId !== undefined && Object.keys(agents).length > 0,
  login: ({ serviceAccount, receiptGroup }) => [
    receiptGroup ?? parseServiceAccount(serviceAccount).clientEmail,
  ],
  create: (options, context) => new RbmConnector(options, context),
  carrierIdFor: () => toRbmMessageId,
  inbound: rbmInbound,
  preview: previewRbm,
})
