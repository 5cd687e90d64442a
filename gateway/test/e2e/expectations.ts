/**
 * The expected outcome of a message by the ending of its recipient's number: one row for every behaviour of the
 * simulator (a run does not start when a behaviour has no row). Only what a client or the carrier can observe.
 */
import { behaviours } from '../../../simulator/src/smsc/behaviours.ts'

export interface Expectation {
  readonly ending: string
  /** The report's code. */
  readonly code: string
  /** The report's code when the message has one part, where that differs. */
  readonly codeOfOnePart?: string
  /** Relative share of the messages of the run. */
  readonly share: number
  /** Whether the carrier accepts it; if so, exactly once. */
  readonly taken: boolean
  /** Throttling responses that each part gets first. */
  readonly throttled: number
  /** Error responses that each part gets. */
  readonly refused: number
  /**
   * Its submit response is lost, so its receipt is matched by the recipient: one message per number. With `drops` the
   * carrier also disconnects, which would affect everything else in the window: such messages have one part and are
   * sent one at a time, with nothing else in flight.
   */
  readonly unanswered?: 'drops' | 'silent'
}

type Change = Partial<Omit<Expectation, 'ending' | 'code'>>

function row(ending: string, code: string, change: Change = {}): Expectation {
  return { ending, code, share: 1, taken: true, throttled: 0, refused: 0, ...change }
}

const delivered = '10000'
const noDeliveryInTime = '22000'
const phoneOff = '22003'
const failed = '23000'
const noSubscriber = '23001'
const badNumber = '23003'
const spam = '23012'
const outcomeUnknown = '99999'

export const expectations: readonly Expectation[] = [
  row('0001', delivered),
  row('0002', noSubscriber),
  row('0003', noDeliveryInTime),
  row('0004', delivered),
  row('0005', delivered),
  row('0006', noDeliveryInTime),
  row('0007', spam),
  row('0008', badNumber, { taken: false, refused: 1 }),
  row('0009', delivered, { throttled: 1 }),
  row('0010', delivered, { throttled: 5 }),
  row('0011', delivered),
  row('0012', delivered, { unanswered: 'drops', share: 0.2 }),
  row('0013', outcomeUnknown, { unanswered: 'drops', share: 0.2, taken: false }),
  row('0014', delivered),
  row('0015', delivered),
  row('0016', phoneOff),
  row('0017', delivered, { refused: 1 }),
  row('0018', delivered, { unanswered: 'silent', share: 0.5 }),
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
  // A number without a special behaviour.
  row('7358', delivered, { share: 4 }),
]

export function checkCoverage(): void {
  const stated = new Set(expectations.map(({ ending }) => ending))
  const missing = behaviours.filter(({ ending }) => !stated.has(ending)).map(({ ending }) => ending)
  if (missing.length > 0) throw new Error(`no expectation for the simulator's ${missing.join(', ')}`)
}
