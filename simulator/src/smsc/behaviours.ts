/** Behaviours selected by the last four digits of the recipient; handle-submission.ts carries them out. */
import { esme } from '../smpp/protocol.ts'
import type { StateWord } from '../smpp/protocol.ts'
import type { IdFormat } from './ids.ts'

export interface ReceiptPlan {
  readonly state: StateWord
  /** Three digits for `err:` of the receipt. */
  readonly error: string
  readonly form: 'text and TLVs' | 'text' | 'TLVs'
  readonly via: 'deliver_sm' | 'data_sm'
  readonly late: boolean
}

export interface Behaviour {
  readonly ending: string
  readonly summary: string
  /** Refuses the first `tries` attempts with the same text and recipient. */
  readonly refuse?: { readonly commandStatus: number; readonly tries: number }
  readonly answer: 'at once' | 'slowly' | 'never' | 'by disconnecting' | 'after its receipt'
  /** If false, the message is discarded as if it had never arrived. */
  readonly accepts: boolean
  readonly receipts: readonly ReceiptPlan[]
  readonly idFormat: IdFormat
  /** Number of the part of a long message that gets `failedPart` instead of `receipts`. */
  readonly failingPart?: number
  readonly partsReversed: boolean
}

function receipt(state: StateWord, error = '000', change: Partial<ReceiptPlan> = {}): ReceiptPlan {
  return { state, error, form: 'text and TLVs', via: 'deliver_sm', late: false, ...change }
}

const delivered = receipt('DELIVRD')
const deliveredInText = receipt('DELIVRD', '000', { form: 'text' })
export const failedPart = receipt('UNDELIV', '001')

type Change = Partial<Omit<Behaviour, 'ending' | 'summary'>>

function row(ending: string, summary: string, change: Change = {}): Behaviour {
  return {
    ending,
    summary,
    answer: 'at once',
    accepts: true,
    receipts: [delivered],
    idFormat: 'the same',
    partsReversed: false,
    ...change,
  }
}

function withIdFormat(ending: string, summary: string, idFormat: IdFormat): Behaviour {
  return row(ending, summary, { idFormat, receipts: [deliveredInText] })
}

export const behaviours: readonly Behaviour[] = [
  row('0001', 'Delivered. Default for all other numbers.'),
  row('0002', 'Failed: `UNDELIV`, `err:001` (unknown subscriber).', {
    receipts: [receipt('UNDELIV', '001')],
  }),
  row('0003', 'Accepted without a receipt.', { receipts: [] }),
  row('0004', 'Delivered; the receipt is sent twice.', { receipts: [delivered, delivered] }),
  row('0005', 'Delivered; the receipt is sent before the submit response.', { answer: 'after its receipt' }),
  row('0006', 'Expired: `EXPIRED`.', { receipts: [receipt('EXPIRED')] }),
  row('0007', 'Rejected by receipt: `REJECTD`, `err:006` (looks like spam).', {
    receipts: [receipt('REJECTD', '006')],
  }),
  row('0008', 'Refused at submit: `ESME_RINVDSTADR`.', {
    refuse: { commandStatus: esme.RINVDSTADR, tries: Infinity },
  }),
  row('0009', 'Throttled once: `ESME_RTHROTTLED` for the first attempt of a text, then delivered.', {
    refuse: { commandStatus: esme.RTHROTTLED, tries: 1 },
  }),
  row(
    '0010',
    'Throttled five times: `ESME_RTHROTTLED` for the first five attempts of a text, then delivered.',
    { refuse: { commandStatus: esme.RTHROTTLED, tries: 5 } },
  ),
  row('0011', 'Delivered; the submit response arrives after `--slow-ms`.', { answer: 'slowly' }),
  row('0012', 'Disconnects after accepting the message; the receipt has an id unknown to the client.', {
    answer: 'by disconnecting',
  }),
  row('0013', 'Disconnects without accepting the message.', { answer: 'by disconnecting', accepts: false }),
  row('0014', 'An intermediate `ENROUTE` receipt, then `DELIVRD`.', {
    receipts: [receipt('ENROUTE'), delivered],
  }),
  row('0015', 'Delivered; the receipt arrives after `--late-ms`.', {
    receipts: [receipt('DELIVRD', '000', { late: true })],
  }),
  row('0016', 'Failed: `UNDELIV`, `err:003` (phone switched off).', {
    receipts: [receipt('UNDELIV', '003')],
  }),
  row('0017', 'System error once: `ESME_RSYSERR` for the first attempt of a text, then delivered.', {
    refuse: { commandStatus: esme.RSYSERR, tries: 1 },
  }),
  row('0018', 'Accepted without a response; the receipt follows.', { answer: 'never' }),
  row('0019', 'Deleted: `DELETED`.', { receipts: [receipt('DELETED')] }),
  row('0020', 'Unknown: `UNKNOWN`.', { receipts: [receipt('UNKNOWN')] }),
  row('0021', 'Delivered; the receipt has TLVs only (`receipted_message_id`, `message_state`) and no text.', {
    receipts: [receipt('DELIVRD', '000', { form: 'TLVs' })],
  }),
  row('0022', 'Delivered; the receipt comes as `data_sm`.', {
    receipts: [receipt('DELIVRD', '000', { via: 'data_sm' })],
  }),
  withIdFormat(
    '0031',
    'Delivered; the id is hexadecimal in the response, decimal in the receipt.',
    'decimal receipt',
  ),
  withIdFormat(
    '0032',
    'Delivered; the id is decimal in the response, hexadecimal in the receipt.',
    'hex receipt',
  ),
  withIdFormat(
    '0033',
    'Delivered; the id is in lower case in the response, upper case in the receipt.',
    'upper receipt',
  ),
  withIdFormat('0034', 'Delivered; the id has leading zeros in the receipt only.', 'padded receipt'),
  withIdFormat('0035', 'Delivered; the id has leading zeros in the response only.', 'padded response'),
  withIdFormat('0036', 'Delivered; the id is a UUID.', 'uuid'),
  row('0041', 'A long message whose part 2 fails (`UNDELIV`, `err:001`); every other part is delivered.', {
    failingPart: 2,
  }),
  row('0042', 'A long message whose parts are delivered, with their receipts in reverse order.', {
    partsReversed: true,
  }),
]

const [ordinary] = behaviours as readonly [Behaviour]
const byEnding = new Map(behaviours.map((behaviour) => [behaviour.ending, behaviour]))

export function behaviourFor(address: string): Behaviour {
  const tail = address.slice(-4)
  // All endings begin with 00, so most numbers need no map lookup.
  if (/^\d{4}$/.test(tail)) return tail.startsWith('00') ? (byEnding.get(tail) ?? ordinary) : ordinary
  return byEnding.get(address.replace(/\D/g, '').slice(-4)) ?? ordinary
}
