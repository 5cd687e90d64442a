import { MAX_PORT, defineCommand } from '../shared/command-line.ts'
import type { OptionRow } from '../shared/command-line.ts'
import { startSmsc } from '../smsc.ts'
import { behaviours } from '../smsc/behaviours.ts'
import { defaults } from '../smsc/settings.ts'
import type { SmscOptions } from '../smsc/settings.ts'

const rows: readonly OptionRow<SmscOptions>[] = [
  { flag: 'host', name: 'host', type: 'text', help: 'address of the SMPP listener' },
  { flag: 'port', name: 'port', type: 'number', max: MAX_PORT, help: 'SMPP port; 0 for any free one' },
  {
    flag: 'control-port',
    name: 'controlPort',
    type: 'number',
    max: MAX_PORT,
    help: 'port of the HTTP control, on loopback only',
  },
  { flag: 'system-id', name: 'systemId', type: 'text', help: 'required system_id (default: any)' },
  { flag: 'password', name: 'password', type: 'text', help: 'required password (default: any)' },
  {
    flag: 'receipt-delay-ms',
    name: 'receiptDelayMs',
    type: 'number',
    help: 'delay from accepting a message to its receipt',
  },
  { flag: 'late-ms', name: 'lateMs', type: 'number', help: 'receipt delay for recipients ending in 0015' },
  { flag: 'slow-ms', name: 'slowMs', type: 'number', help: 'response delay for recipients ending in 0011' },
  { flag: 'early-ms', name: 'earlyMs', type: 'number', help: 'maximum wait of 0005 for its early receipt' },
  { flag: 'rate', name: 'rate', type: 'number', help: 'limit in parts per second; 0 for no limit' },
  { flag: 'window', name: 'window', type: 'number', min: 1, help: 'maximum unanswered receipts per session' },
  {
    flag: 'receipt-timeout-ms',
    name: 'receiptTimeoutMs',
    type: 'number',
    min: 1,
    help: 'time after which an unanswered receipt is resent',
  },
  {
    flag: 'receipt-retry-ms',
    name: 'receiptRetryMs',
    type: 'number',
    help: 'delay before a receipt answered with an error is resent',
  },
  {
    flag: 'max-pending',
    name: 'maxPending',
    type: 'number',
    min: 1,
    help: 'maximum pending receipts; then RMSGQFUL',
  },
  { flag: 'seed', name: 'seed', type: 'number', help: 'seed of repeatable ids (default: from the clock)' },
  {
    flag: 'id-start',
    name: 'idStart',
    type: 'number',
    help: 'ids to skip at the start, for a seeded restart',
  },
  {
    flag: 'record',
    name: 'record',
    type: 'switch',
    help: 'keep submissions for /submissions and /duplicates',
  },
  {
    flag: 'record-limit',
    name: 'recordLimit',
    type: 'number',
    min: 1,
    help: 'maximum number of submissions kept',
  },
]

export const smscCommand = defineCommand<SmscOptions>({
  name: 'smsc',
  about: ['A simulated SMSC speaking SMPP 3.4. See simulator/README.md.'],
  rows,
  behaviours,
  defaults: { ...defaults, port: 2775, controlPort: 2776 },
  start: startSmsc,
})
