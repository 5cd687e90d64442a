import { defineCommand } from '../shared/command-line.ts'
import type { OptionRow } from '../shared/command-line.ts'
import { httpRows } from '../shared/http-options.ts'
import { startRbm } from '../rbm.ts'
import { behaviours } from '../rbm/behaviours.ts'
import { defaults } from '../rbm/settings.ts'
import type { RbmOptions } from '../rbm/settings.ts'

const rows: readonly OptionRow<RbmOptions>[] = [
  { flag: 'agent-id', name: 'agentId', type: 'text', help: 'the only agent (default: any)' },
  {
    flag: 'client-email',
    name: 'clientEmail',
    type: 'text',
    help: 'required issuer of assertions (default: any)',
  },
  {
    flag: 'audience',
    name: 'audience',
    type: 'text',
    help: 'required audience of assertions (default: any)',
  },
  {
    flag: 'public-key',
    name: 'publicKey',
    type: 'text',
    help: 'PEM file that verifies assertions (default: not verified)',
  },
  { flag: 'token-ttl-ms', name: 'tokenTtlMs', type: 'number', help: 'token lifetime; 0 requires no token' },
  { flag: 'webhook-url', name: 'webhookUrl', type: 'text', help: 'URL for events (default: none sent)' },
  { flag: 'client-token', name: 'clientToken', type: 'text', help: 'key that signs events' },
  {
    flag: 'receipt-max-retry-ms',
    name: 'receiptMaxRetryMs',
    type: 'number',
    min: 1,
    help: 'maximum delay of the exponential backoff (default: fixed delay)',
  },
  {
    flag: 'repeat-status',
    name: 'repeatStatus',
    type: 'number',
    min: 200,
    max: 409,
    help: 'HTTP status for a duplicate messageId: 200 or 409',
  },
  {
    flag: 'late-revoke-status',
    name: 'lateRevokeStatus',
    type: 'number',
    min: 200,
    max: 404,
    help: 'HTTP status for a revocation after delivery: 200 or 404',
  },
  {
    flag: 'max-card-suggestions',
    name: 'maxCardSuggestions',
    type: 'number',
    help: 'maximum suggestions per rich card',
  },
  { flag: 'any-file', name: 'anyFile', type: 'switch', help: 'accept files that were not uploaded here' },
  {
    flag: 'remember-ids',
    name: 'rememberIds',
    type: 'number',
    help: 'message ids kept to ignore duplicates',
  },
  ...httpRows,
]

export const rbmCommand = defineCommand<RbmOptions>({
  name: 'rbm',
  about: ['A simulated Google RCS Business Messaging API. See simulator/docs/rbm.md.'],
  rows,
  behaviours,
  defaults: { ...defaults, port: 2786, controlPort: 2787 },
  start: startRbm,
})
