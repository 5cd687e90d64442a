import { behaviours } from '../../../simulator/src/smsc/behaviours.ts'

/** Expected outcome by the last digits of the recipient, as observed by the client and the carrier. */
export interface SmsExpectation {
  readonly ending: string
  /** Report code. */
  readonly code: string
  /** Report code of a message with one part, if different. */
  readonly codeOfOnePart?: string
  /** Number of messages in the run, relative to other behaviours. */
  readonly weight: number
  /** Whether the carrier accepts the message (exactly once). */
  readonly isAccepted: boolean
  /** Throttling responses to each part before acceptance. */
  readonly throttled: number
  /** Error responses to each part. */
  readonly refused: number
  /**
   * Set if the submit response is lost: the receipt is matched by recipient, so each number has one message.
   * With `drops` the carrier also disconnects, which would affect other messages in the window: such messages
   * have one part and are sent one at a time, with nothing else in flight.
   */
  readonly unanswered?: 'drops' | 'silent'
}

type Change = Partial<Omit<SmsExpectation, 'ending' | 'code'>>

function row(ending: string, code: string, change: Change = {}): SmsExpectation {
  return { ending, code, weight: 1, isAccepted: true, throttled: 0, refused: 0, ...change }
}

const delivered = '10000'
const noDeliveryInTime = '22000'
const phoneOff = '22003'
const failed = '23000'
const noSubscriber = '23001'
const badNumber = '23003'
const spam = '23012'
const outcomeUnknown = '99999'

export const expectations: readonly SmsExpectation[] = [
  row('0001', delivered),
  row('0002', noSubscriber),
  row('0003', noDeliveryInTime),
  row('0004', delivered),
  row('0005', delivered),
  row('0006', noDeliveryInTime),
  row('0007', spam),
  row('0008', badNumber, { isAccepted: false, refused: 1 }),
  row('0009', delivered, { throttled: 1 }),
  row('0010', delivered, { throttled: 5 }),
  row('0011', delivered),
  row('0012', delivered, { unanswered: 'drops', weight: 0.2 }),
  row('0013', outcomeUnknown, { unanswered: 'drops', weight: 0.2, isAccepted: false }),
  row('0014', delivered),
  row('0015', delivered),
  row('0016', phoneOff),
  row('0017', delivered, { refused: 1 }),
  row('0018', delivered, { unanswered: 'silent', weight: 0.5 }),
  row('0019', failed),
  row('0020', outcomeUnknown),
  row('0021', delivered),
  row('0022', delivered),
  row('0031', delivered),
  row('0032', delivered),
  row('0033', delivered),
  row('0034', delivered),
  row('0035', delivered),
  row('0036', delivered),
  row('0041', noSubscriber, { codeOfOnePart: delivered }),
  row('0042', delivered),
  // Number without special behaviour.
  row('7358', delivered, { weight: 4 }),
]

/** Throws if a behaviour of the simulator has no expectation. */
export function checkBehaviourCoverage(): void {
  const stated = new Set(expectations.map(({ ending }) => ending))
  const missing = behaviours.filter(({ ending }) => !stated.has(ending)).map(({ ending }) => ending)
  if (missing.length > 0) throw new Error(`no expectation for the simulator's ${missing.join(', ')}`)
}
