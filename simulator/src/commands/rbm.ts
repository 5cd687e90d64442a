/** The command `rbm`: its options, and how it starts. */
import { defineCommand } from '../shared/command-line.ts'
import type { OptionRow } from '../shared/command-line.ts'
import { httpRows } from '../shared/http-options.ts'
import { startRbm } from '../rbm.ts'
import { defaults } from '../rbm/settings.ts'
import type { RbmOptions } from '../rbm/settings.ts'

const rows: readonly OptionRow<RbmOptions>[] = [
  { flag: 'agent-id', name: 'agentId', type: 'text', help: 'the only agent (default: any)' },
  { flag: 'client-email', name: 'clientEmail', type: 'text', help: 'issuer of assertions (default: any)' },
  { flag: 'audience', name: 'audience', type: 'text', help: 'audience of assertions (default: any)' },
  {
    flag: 'public-key',
    name: 'publicKey',
    type: 'text',
    help: 'PEM file that verifies assertions (default: not verified)',
  },
  {
    flag: 'token-ttl-ms',
    name: 'tokenTtlMs',
    type: 'number',
    help: 'lifetime of a token; 0 for none required',
  },
  { flag: 'webhook-url', name: 'webhookUrl', type: 'text', help: 'where events go (default: none sent)' },
  { flag: 'client-token', name: 'clientToken', type: 'text', help: 'signs events' },
  {
    flag: 'receipt-max-retry-ms',
    name: 'receiptMaxRetryMs',
    type: 'number',
    min: 1,
    help: 'the delay of retries doubles up to this',
  },
  {
    flag: 'repeat-status',
    name: 'repeatStatus',
    type: 'number',
    min: 200,
    max: 409,
    help: 'answer to a messageId used before: 200 or 409',
  },
  {
    flag: 'late-revoke-status',
    name: 'lateRevokeStatus',
    type: 'number',
    min: 200,
    max: 404,
    help: 'answer to a revocation that is too late: 200 or 404',
  },
  {
    flag: 'max-card-suggestions',
    name: 'maxCardSuggestions',
    type: 'number',
    help: 'suggestions of a rich card',
  },
  { flag: 'any-file', name: 'anyFile', type: 'switch', help: 'accept files that were not uploaded here' },
  {
    flag: 'remember-ids',
    name: 'rememberIds',
    type: 'number',
    help: 'message ids ignored the second time',
  },
  ...httpRows,
]

export const rbmCommand = defineCommand<RbmOptions>({
  name: 'rbm',
  about: [
    'A simulated Google RCS Business Messaging API. What happens to a message is chosen by the last four digits of its',
    'recipient: see simulator/docs/rbm.md.',
  ],
  rows,
  defaults: { ...defaults, port: 2786, controlPort: 2787 },
  start: startRbm,
})
