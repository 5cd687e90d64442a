/** The command `smsc`: its options, and how it starts. */
import { MAX_PORT, defineCommand } from '../shared/command-line.ts'
import type { OptionRow } from '../shared/command-line.ts'
import { startSmsc } from '../smsc.ts'
import { defaults } from '../smsc/settings.ts'
import type { SmscOptions } from '../smsc/settings.ts'

const rows: readonly OptionRow<SmscOptions>[] = [
  { flag: 'host', name: 'host', type: 'text', help: 'interface of the SMPP listener' },
  { flag: 'port', name: 'port', type: 'number', max: MAX_PORT, help: 'SMPP port; 0 for any free one' },
  {
    flag: 'control-port',
    name: 'controlPort',
    type: 'number',
    max: MAX_PORT,
    help: 'HTTP control, loopback only',
  },
  {
    flag: 'system-id',
    name: 'systemId',
    type: 'text',
    help: 'the system_id clients must bind with (default: any)',
  },
  {
    flag: 'password',
    name: 'password',
    type: 'text',
    help: 'the password clients must bind with (default: any)',
  },
  {
    flag: 'receipt-delay-ms',
    name: 'receiptDelayMs',
    type: 'number',
    help: 'from accepting a message to its receipt',
  },
  { flag: 'late-ms', name: 'lateMs', type: 'number', help: 'the same for recipients ending 0015' },
  { flag: 'slow-ms', name: 'slowMs', type: 'number', help: 'the submit response for recipients ending 0011' },
  { flag: 'early-ms', name: 'earlyMs', type: 'number', help: 'longest wait for the early receipt of 0005' },
  { flag: 'rate', name: 'rate', type: 'number', help: 'parts a second, throttled beyond; 0 for no limit' },
  {
    flag: 'window',
    name: 'window',
    type: 'number',
    min: 1,
    help: 'unanswered receipts a session may have',
  },
  {
    flag: 'receipt-timeout-ms',
    name: 'receiptTimeoutMs',
    type: 'number',
    min: 1,
    help: 'then it is sent again',
  },
  {
    flag: 'receipt-retry-ms',
    name: 'receiptRetryMs',
    type: 'number',
    help: 'wait after a receipt got an error',
  },
  { flag: 'max-pending', name: 'maxPending', type: 'number', min: 1, help: 'receipts owed, then RMSGQFUL' },
  { flag: 'seed', name: 'seed', type: 'number', help: 'the same ids at every run (default: from the clock)' },
  { flag: 'id-start', name: 'idStart', type: 'number', help: 'ids to skip first, for a seeded restart' },
  {
    flag: 'record',
    name: 'record',
    type: 'switch',
    help: 'keep submissions for /submissions and /duplicates',
  },
  { flag: 'record-limit', name: 'recordLimit', type: 'number', min: 1, help: 'submissions kept at most' },
]

export const smscCommand = defineCommand<SmscOptions>({
  name: 'smsc',
  about: [
    'A simulated SMSC speaking SMPP 3.4. What happens to a message is chosen by the last four digits of its',
    'recipient: see simulator/README.md.',
  ],
  rows,
  defaults: { ...defaults, port: 2775, controlPort: 2776 },
  start: startSmsc,
})
