/**
 * What must become of a message, by the ending of its recipient's number: one row for every behaviour of the
 * simulator (a run refuses to start when the two tables do not name the same endings). Only what a client or the
 * carrier can see is stated here.
 */
import { behaviours } from '../../../simulator/src/smsc/behaviours.ts'

export interface Expectation {
  readonly ending: string
  /** The report's code. */
  readonly code: string
  /** The report's code when the message has one part, where that differs. */
  readonly codeOfOnePart?: string
  /** How many messages of the run: so many parts of the whole. */
  readonly share: number
  /** Whether the carrier takes it. Exactly once, whatever happens. */
  readonly taken: boolean
  /** Throttle answers that each part meets before. */
  readonly throttled: number
  /** Error answers that each part meets. */
  readonly refused: number
  /**
   * Its answer is lost, so its receipt is found by the recipient: one message a number. `drops` says that the
   * carrier hangs up as well, which everything else in the window would feel: such messages have one part and
   * are sent one at a time while nothing else travels.
   */
  readonly unanswered?: 'drops' | 'silent'
}

type Change = Partial<Omit<Expectation, 'ending' | 'code'>>

function row(ending: string, code: string, change: Change = {}): Expectation {
  return { ending, code, share: 1, taken: true, throttled: 0, refused: 0, ...change }
}

const delivered = '10000'
const noDeliveryInTime = '22001'
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
  // No behaviour's number: an ordinary one.
  row('7358', delivered, { share: 4 }),
]

export function checkCoverage(): void {
  const stated = new Set(expectations.map(({ ending }) => ending))
  const missing = behaviours.filter(({ ending }) => !stated.has(ending)).map(({ ending }) => ending)
  if (missing.length > 0) throw new Error(`no expectation for the simulator's ${missing.join(', ')}`)
}
